"""Languages by tag and by name, in any spelling; their names and directions."""

from __future__ import annotations

import pytest

from annotator.domain.text.language_tags import (
    UnknownLanguageError,
    find_language,
    known_languages,
    language_name,
    own_name,
)
from annotator.domain.text.languages import direction


@pytest.mark.parametrize(
    ("text", "tag"),
    [
        ("ca", "ca"),
        ("Catalan", "ca"),
        (" catalán ", "ca"),
        ("català (ca)", "ca"),
        ("euskara", "eu"),
        ("gallego", "gl"),
        ("PT_br", "pt-BR"),
        ("sr-latn", "sr-Latn"),
        ("ca-valencia", "ca-valencia"),
        ("العربية", "ar"),
    ],
)
def test_a_language_is_found_by_tag_and_by_name(text: str, tag: str) -> None:
    assert find_language(text) == tag


@pytest.mark.parametrize(
    "text", ["", "x", "zz", "../es", "no such language", "<script>", "e" * 500, "ca-x-abcdefgh-ijklmnop"]
)
def test_what_is_none_is_not_found(text: str) -> None:
    with pytest.raises(UnknownLanguageError):
        find_language(text)


def test_names_are_those_of_the_page_or_its_own() -> None:
    assert (language_name("eu", "en"), language_name("eu", "es"), own_name("eu")) == ("Basque", "euskera", "euskara")
    assert language_name("zz", "en") == "zz"


def test_directions_follow_the_script() -> None:
    assert {direction(tag) for tag in ("ar", "he", "fa", "yi", "dv", "ku-Arab")} == {"rtl"}
    assert {direction(tag) for tag in ("ca", "zh", "sr", "ku", "az-Latn", "zz")} == {"ltr"}


def test_those_that_are_offered_are_all_found_again() -> None:
    offered = known_languages(("en", "es"))
    assert {"ca", "es", "en", "eu", "gl", "pt", "ru", "zh"} <= {one.tag for one in offered}
    assert all(find_language(f"{one.own_name} ({one.tag})") == one.tag for one in offered)


def test_names_in_daily_use_are_known() -> None:
    assert [find_language(name) for name in ("castellano", "Valencià", "gaztelania")] == ["es", "ca", "es"]


@pytest.mark.parametrize(("text", "tag"), [("catala", "ca"), ("Castella", "es"), ("espanol", "es"), ("frances", "fr")])
def test_names_are_known_without_their_accents(text: str, tag: str) -> None:
    assert find_language(text) == tag
