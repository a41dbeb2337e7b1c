"""Running text in sentences, and what people correct of it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.formats.common.corrections import JOIN, SPLIT, Corrections
from annotator.formats.common.errors import FormatError, FormatWarning
from annotator.formats.common.records import CharSpan, Labels, PairRecord, Read, Record, Says, Text
from annotator.formats.text.sentence_splits import Paragraphs, in_sentences, joined, paragraph_key

FIRST = "El Sr. López llegó tarde. Nadie dijo nada. Ni una palabra."
SECOND = "Después salió. Llovía."


def records(*texts: str, file: str = "novela.txt", **more: Any) -> list[Record]:
    return [
        Record(file, number, {"es": Text(text)}, group="novela", **more) for number, text in enumerate(texts, start=1)
    ]


def split(reads: list[Read], corrections: Corrections) -> list[str]:
    return [read.texts["es"].text for read in in_sentences(reads, corrections) if isinstance(read, Record)]


def groups(reads: list[Record], corrections: Corrections) -> list[Paragraphs]:
    return [one for one in joined(reads, corrections) if isinstance(one, Paragraphs)]


def corrected(*given: tuple[str, int, str], before: str = "") -> Corrections:
    found = Corrections()
    for text, place, what in given:
        found.correct(paragraph_key(text, before), place, what)
    return found


def test_a_sentence_is_joined_with_the_next_and_split_at_a_word() -> None:
    corrections = corrected((FIRST, FIRST.index("Nadie"), JOIN), (FIRST, FIRST.index("una"), SPLIT))

    assert split(records(FIRST), corrections) == [
        "El Sr. López llegó tarde. Nadie dijo nada.",
        "Ni",
        "una palabra.",
    ]


def test_the_last_of_a_paragraph_is_joined_with_the_next_paragraph_of_its_file() -> None:
    corrections = corrected((FIRST, len(FIRST), JOIN))
    reads = [*records(FIRST, SECOND), *records(SECOND, file="otra.txt")]

    assert split(reads, corrections)[-4:] == [
        "Ni una palabra. Después salió.",
        "Llovía.",
        "Después salió.",
        "Llovía.",
    ]
    assert [read.line for read in in_sentences(records(FIRST, SECOND), corrections) if isinstance(read, Record)] == [
        1
    ] * 4


def test_what_takes_a_correction_back_leaves_none() -> None:
    corrections = corrected((FIRST, 7, SPLIT), (FIRST, 7, JOIN))
    assert not corrections
    assert corrections.to_json() == {}


def test_a_correction_holds_wherever_its_paragraph_stands_and_is_said_to_be_lost_with_it() -> None:
    corrections = corrected((FIRST, FIRST.index("Nadie"), JOIN), before=SECOND)

    assert split(records("Antes.", SECOND, FIRST), corrections)[-2:] == [
        "El Sr. López llegó tarde. Nadie dijo nada.",
        "Ni una palabra.",
    ]
    [said] = [read for read in in_sentences(records(SECOND), corrections) if isinstance(read, FormatWarning)]
    assert "a sentence correction" in str(said)


@pytest.mark.parametrize("place", [0, 3, 10_000, FIRST.index(" ")])
def test_what_fits_no_place_of_the_text_changes_nothing(place: int) -> None:
    plain = split(records(FIRST), Corrections())
    assert split(records(FIRST), corrected((FIRST, place, JOIN))) == plain


def test_texts_with_ids_or_labels_stay_apart() -> None:
    corrections = corrected((FIRST, len(FIRST), JOIN))
    assert len(groups([*records(FIRST, id="a"), *records(SECOND, id="b")], corrections)) == 2
    label = Labels(Says.GOLD, "", (CharSpan(((0, 2),), "METAPHOR"),))
    labelled = Record("novela.txt", 2, {"es": Text(SECOND, labels=(label,))})
    assert len(groups([*records(FIRST), labelled], corrections)) == 2


def test_labels_go_with_their_sentence_and_may_not_be_cut() -> None:
    begin = FIRST.index("dijo nada")
    label = Labels(Says.GOLD, "", (CharSpan(((begin, begin + 9),), "METAPHOR"),))
    record = Record("a.txt", 1, {"es": Text(FIRST, labels=(label,))})

    found = list(in_sentences([record], corrected((FIRST, FIRST.index("Nadie"), JOIN))))
    first = found[0]
    assert isinstance(first, Record)
    [span] = first.texts["es"].labels[0].spans
    assert isinstance(span, CharSpan)
    assert first.texts["es"].text[slice(*span.fragments[0])] == "dijo nada"
    assert any(
        isinstance(read, FormatError) and "inside a sentence" in str(read)
        for read in in_sentences([record], corrected((FIRST, FIRST.index("nada"), SPLIT)))
    )


def test_pairs_and_messages_go_through() -> None:
    pair = PairRecord("a", 1, "p", "x", "y", "neutral")
    warning = FormatWarning("a", 1, "x")
    reads: list[Read] = [*records(FIRST), warning, *records(SECOND), pair]
    kinds = [type(read) for read in in_sentences(reads)]
    assert kinds.count(FormatWarning) == 1
    assert kinds[-1] is PairRecord
    assert kinds.count(Record) == 5


words = st.lists(
    st.sampled_from(["El", "tren", "Sr.", "llegó.", "¿Y?", "no", "👍🏽", "mañana…"]), min_size=1, max_size=9
)
texts = words.map(" ".join)


def test_a_paragraph_that_stands_there_often_is_corrected_after_the_one_before_it_only() -> None:
    reads = records(FIRST, "Sí.", SECOND, "Sí.", FIRST)
    [group] = [one for one in groups(reads, Corrections()) if one.parts[0].line == 2]
    corrections = Corrections()
    corrections.correct(*group.pieces(corrections)[0].join, JOIN)

    found = split(list(reads), corrections)
    assert "Sí. Después salió." in found
    assert found.count("Sí.") == 1


@given(st.lists(texts, min_size=1, max_size=4, unique=True), st.data())
def test_however_it_is_corrected_no_word_is_lost_and_each_place_that_is_shown_splits_there(
    given_texts: list[str], data: st.DataObject
) -> None:
    reads = records(*given_texts)
    corrections = Corrections()
    for _step in range(data.draw(st.integers(0, 6))):
        group = data.draw(st.sampled_from(groups(reads, corrections)))
        pieces = group.pieces(corrections)
        piece = data.draw(st.sampled_from(pieces))
        if data.draw(st.booleans()):
            corrections.correct(*piece.join, JOIN)
        else:
            offsets = [i for i in range(1, len(piece.text)) if piece.text[i - 1] == " "]
            if not offsets:
                continue
            offset = data.draw(st.sampled_from(offsets))
            corrections.correct(*group.located(piece.begin + offset), SPLIT)
            after = split(list(reads), corrections)
            assert piece.text[offset:] in after
    assert " ".join(split(list(reads), corrections)).split() == " ".join(given_texts).split()
    assert Corrections.from_json(corrections.to_json()).places == corrections.places


@pytest.mark.parametrize(
    "wrong",
    [
        {"x": {"1": SPLIT}},
        {"0" * 16: {"-1": SPLIT}},
        {"0" * 16: {"1": "cut"}},
        {"0" * 16: ["1"]},
        {"0" * 16: {"9" * 12: JOIN}},
    ],
)
def test_what_is_no_correction_is_refused(wrong: Any) -> None:
    with pytest.raises(ValueError, match=r".+"):
        Corrections.from_json(wrong)
