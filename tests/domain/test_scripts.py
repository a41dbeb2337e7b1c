"""In which script a text is, and which ones a language may be written in."""

from __future__ import annotations

import unicodedata

import pytest

from annotator.domain.text.scripts import expected_scripts, script_name, script_of


@pytest.mark.parametrize(
    ("language", "scripts"),
    [
        ("es", ("Latn",)),
        ("es-MX", ("Latn",)),
        ("hi", ("Deva",)),
        ("hi-Latn", ("Latn",)),
        ("sr", ("Cyrl", "Latn")),
        ("sr-Cyrl", ("Cyrl",)),
        ("kn", ("Knda",)),
        ("yo", ("Latn",)),
        ("ur", ("Arab",)),
        ("ja", ()),
        ("zh-TW", ()),
        ("und", ()),
        ("no such tag", ()),
    ],
)
def test_what_a_language_is_written_in(language: str, scripts: tuple[str, ...]) -> None:
    assert expected_scripts(language) == scripts


@pytest.mark.parametrize(
    ("text", "script"),
    [
        ("The ¿niña? sings 12 songs", "Latn"),
        ("उसकी आवाज़ शहद है", "Deva"),
        ("ಅವಳ ಧ್ವನಿ ಜೇನು", "Knda"),
        ("Ohùn rẹ̀ dùn bí oyin", "Latn"),
        ("голос словно мёд WhatsApp", "Cyrl"),
        ("abc абв", ""),
        ("2024 : 😀 —", ""),
        ("蜂蜜の声", ""),
        ("", ""),
    ],
)
@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_the_script_of_most_letters(text: str, script: str, form: str) -> None:
    assert script_of(unicodedata.normalize(form, text).split()) == script  # type: ignore[arg-type] -- a form of its four


def test_a_script_has_a_name_in_the_language_of_the_page() -> None:
    assert (script_name("Deva", "en"), script_name("Deva", "es")) == ("Devanagari", "devanagari")
