"""How text without tokens is split where nobody says it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.formats.common.errors import FormatError
from annotator.formats.common.records import Record, Text
from annotator.formats.conll.token_choice import NOTHING, RECORDS, Punctuation, punctuation
from annotator.formats.text.words import words


def records(*texts: str, language: str = "es") -> list[Record]:
    return [Record("es.txt", number, {language: Text(text)}) for number, text in enumerate(texts, start=1)]


def test_punctuation_at_the_end_of_words_is_split_off() -> None:
    found = punctuation(records("Vuelve cada mes.", "¿Vuelves?", "Dijo: «Vuelve.»", "Vuelve"))

    assert found == Punctuation(attached=3, apart=0, example="mes.")
    assert found.tokens == "words"


def test_where_it_stands_by_itself_tokens_are_taken_as_they_come() -> None:
    found = punctuation(records("Vuelve cada mes .", "¿ Vuelves ?", "El Sr. López vuelve , dicen", "Vuelve el Sr."))

    assert found == Punctuation(attached=1, apart=3, example="Sr.")
    assert found.tokens == "given"


def test_without_punctuation_nothing_is_split() -> None:
    assert punctuation(records("Vuelve cada mes", "")) == NOTHING
    assert NOTHING.tokens == "given"


def test_a_comma_tells_where_no_mark_ends_the_sentence() -> None:
    assert punctuation(records("Vuelve, dicen")) == Punctuation(1, 0, "Vuelve,")


def test_french_has_spaces_before_its_own_marks() -> None:
    assert punctuation(records("Comment allez-vous ?", "Quelle histoire !", language="fr")) == NOTHING
    assert punctuation(records("Il revient.", "Comment allez-vous ?", language="fr-CA")).tokens == "words"


@pytest.mark.parametrize("language", ["zh", "ja", "th"])
def test_scripts_without_spaces_say_nothing(language: str) -> None:
    assert punctuation(records("我不知道.", language=language)) == NOTHING


def test_texts_with_tokens_stay_as_they_are() -> None:
    mixed = [*records("Vuelve cada mes."), Record("es.csv", 2, {"es": Text(tokens=("Vuelve.",))})]

    assert punctuation(mixed) == NOTHING


def test_of_files_full_of_errors_no_more_is_read() -> None:
    wrong = iter([FormatError("es.csv", number, "a row", "none") for number in range(RECORDS + 1)])

    assert punctuation(wrong) == NOTHING
    assert len(list(wrong)) == 1


def test_only_the_beginning_is_read() -> None:
    def endless() -> Iterator[Record]:
        while True:
            yield records("Vuelve cada mes.")[0]

    assert punctuation(endless()).attached == RECORDS


@given(st.lists(st.text("aeño", min_size=1, max_size=6), min_size=1, max_size=6), st.sampled_from(".?!…"))
def test_what_was_split_before_is_never_split_anew(parts: list[str], mark: str) -> None:
    text = " ".join(parts) + mark
    split = " ".join(text[begin:end] for begin, end in words(text, "es"))

    assert punctuation(records(text)).tokens == "words"
    assert punctuation(records(split)).tokens == "given"
