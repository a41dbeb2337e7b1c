"""Tokens that we made, as people correct them."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from annotator.domain.text.tokens import offsets, text_of
from annotator.formats.common.corrections import JOIN, SPLIT, Corrections, text_key
from annotator.formats.common.errors import FormatError, FormatWarning
from annotator.formats.common.protocol import Options
from annotator.formats.common.records import CharSpan, Labels, Read, Record, Says, Text
from annotator.formats.text.characters import tokenised
from annotator.formats.text.sentence_splits import paragraph_key
from annotator.formats.text.token_splits import break_places, with_breaks

WORDS = Options(tokens="words")


def corrections(*given: tuple[str, int, str]) -> Corrections:
    found = Corrections()
    for text, place, what in given:
        found.correct(text_key(text), place, what)
    return found


def read(
    reads: list[Record], options: Options, of_tokens: Corrections, of_sentences: Corrections | None = None
) -> list[Read]:
    return list(tokenised(with_breaks(reads, options, of_tokens), options, of_sentences or Corrections()))


def tokens(found: list[Read]) -> list[tuple[str, ...]]:
    return [text.tokens for one in found if isinstance(one, Record) for text in one.texts.values()]


def warnings(found: list[Read]) -> list[FormatWarning]:
    return [one for one in found if isinstance(one, FormatWarning)]


def record(*texts: Text, line: int = 1) -> Record:
    return Record("a.txt", line, dict(zip(("es", "ca"), texts, strict=False)))


def test_a_token_is_split_and_two_are_joined() -> None:
    said = corrections(("Fue al bar.", 5, SPLIT), ("Fue al bar.", 10, JOIN))
    [found] = tokens(read([record(Text("Fue al bar."))], WORDS, said))
    assert found == ("Fue", "a", "l", "bar.")


def test_it_holds_wherever_the_same_text_stands_and_in_no_other() -> None:
    reads = [record(Text("Al bar"), Text("Al bar")), record(Text("Al bar ."), line=2), record(Text("Al bar"), line=3)]
    found = tokens(read(reads, WORDS, corrections(("Al bar", 1, SPLIT))))
    assert found == [("A", "l", "bar"), ("A", "l", "bar"), ("Al", "bar", "."), ("A", "l", "bar")]


@pytest.mark.parametrize("mode", ["given", "spaces", "words"])
def test_it_outlasts_another_way_of_splitting(mode: str) -> None:
    said = corrections(("Al bar.", 1, SPLIT), ("Al bar.", 6, SPLIT))
    [found] = tokens(read([record(Text("Al bar."))], Options(tokens=mode), said))
    assert found == ("A", "l", "bar", ".")


def test_it_outlasts_other_sentences() -> None:
    first, second = "Uno dos. Tres al fin.", "Cuatro."
    said = corrections((first, 15, SPLIT), (second, 6, JOIN))
    reads = [record(Text(first)), record(Text(second), line=2)]
    options = Options(tokens="words", sentences=True)

    assert tokens(read(reads, options, said)) == [
        ("Uno", "dos", "."),
        ("Tres", "a", "l", "fin", "."),
        ("Cuatro.",),
    ]
    joined = Corrections({paragraph_key(first): {9: JOIN, len(first): JOIN}})
    [one] = tokens(read(reads, options, said, joined))
    assert one[3:] == ("Tres", "a", "l", "fin", ".", "Cuatro.")
    moved = Corrections({paragraph_key(first): {17: SPLIT}})
    assert tokens(read(reads, options, said, moved))[1:3] == [("Tres", "a", "l"), ("fin", ".")]


def test_a_text_with_white_space_around_it_is_corrected_at_the_same_letters() -> None:
    text = "  Al bar"
    [found] = tokens(read([record(Text(text))], Options(tokens="words", sentences=True), corrections((text, 3, SPLIT))))
    assert found == ("A", "l", "bar")


def test_tokens_of_the_file_stay_and_that_is_said() -> None:
    given = Text(tokens=("Al", "bar"))
    found = read([record(given)], Options(), corrections(("Al bar", 1, SPLIT)))
    assert tokens(found) == [("Al", "bar")]
    [warning] = warnings(found)
    assert "a token correction" in str(warning)

    assert tokens(read([record(given)], WORDS, corrections(("Al bar", 1, SPLIT)))) == [("A", "l", "bar")]


def test_what_fits_no_text_is_said_once() -> None:
    said = corrections(("Al bar", 1, SPLIT), ("Otra", 1, SPLIT), ("Otra", 2, SPLIT))
    found = read([record(Text("Al bar"))], WORDS, said)
    [warning] = warnings(found)
    assert "2 token corrections" in str(warning)


def test_a_label_that_cut_a_token_fits_once_that_is_split() -> None:
    labels = (Labels(Says.GOLD, "", (CharSpan(((0, 1),), "METAPHOR"),)),)
    text = Text("Al bar", labels=labels)
    assert isinstance(read([record(text)], WORDS, Corrections())[0], FormatError)
    [found] = read([record(text)], WORDS, corrections(("Al bar", 1, SPLIT)))
    assert isinstance(found, Record)
    assert [span.label for span in found.texts["es"].labels[0].spans] == ["METAPHOR"]


def test_nothing_is_split_inside_a_character() -> None:
    family = "👩‍👩‍👧"
    assert break_places(family) == []
    assert break_places("👍🏽a") == [2]
    assert break_places("a\u0301b") == [2]
    # A place that somebody named all the same.
    text = "a\u0301b c"
    assert tokens(read([record(Text(text))], WORDS, corrections((text, 1, SPLIT), (text, 3, SPLIT)))) == [
        ("a\u0301b", "c")
    ]


strings = st.text(st.sampled_from("ab.,'’ \u00a0\té🙂\u0301"), min_size=1, max_size=30)


@given(
    strings,
    st.dictionaries(st.integers(0, 31), st.sampled_from([SPLIT, JOIN])),
    st.sampled_from(["spaces", "words"]),
)
@example("\u00a0a a", {3: SPLIT}, "spaces")
def test_however_it_is_corrected_the_text_stays_and_each_place_is_as_said(
    text: str, said: dict[int, str], mode: str
) -> None:
    of_tokens = corrections(*((text, place, what) for place, what in said.items()))
    [found] = [
        one.texts["es"]
        for one in read([record(Text(text))], Options(tokens=mode), of_tokens)
        if isinstance(one, Record)
    ]
    assert text_of(found.tokens, found.spaces).strip() == text.strip()
    begins = {begin for begin, _end in offsets(found.tokens, found.spaces)}
    # A no-break space is part of its token where tokens are what stands between spaces.
    lead = 0 if found.spaces else len(text) - len(text.lstrip(" \t"))
    for place in break_places(text):
        if said.get(place) == SPLIT:
            assert place - lead in begins
        elif said.get(place) == JOIN and not text[place - 1].isspace():
            assert place - lead not in begins
