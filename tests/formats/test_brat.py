"""brat's standoff, as brat and other programs write it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from annotator.formats.common.errors import FormatError, FormatWarning
from annotator.formats.common.protocol import Guess
from annotator.formats.common.records import Record
from annotator.formats.registry import formats
from annotator.formats.text.characters import tokenised
from tests.formats.brought import guessed

TEXT = "Rumours bloom in town.\nShe shrugged her worries off.\n"
ANN = "T1\tMETAPHOR 8 13\tbloom\nT2\tMETAPHOR 27 35;48 51\tshrugged off\n"
FOUND = [
    ("Rumours bloom in town .", [("METAPHOR", ("bloom",), {})]),
    ("She shrugged her worries off .", [("METAPHOR", ("shrugged", "off"), {})]),
]


def read(guess: Guess) -> tuple[list[tuple[str, list[tuple[str, tuple[str, ...], dict[str, str]]]]], list[str]]:
    """The sentences with their labels, and what is said about the files."""
    assert guess.format == "brat"
    found, said = [], []
    for one in tokenised(formats()["brat"].read(guess.files, guess.options), guess.options):
        if isinstance(one, Record):
            for text in one.texts.values():
                spans = [span for labels in text.labels for span in labels.spans]
                words = [
                    (span.label, tuple(text.tokens[at] for at in span.tokens), dict(span.attributes)) for span in spans
                ]
                found.append((" ".join(text.tokens), words))
        elif isinstance(one, FormatError | FormatWarning):
            said.append(str(one))
    return found, said


UNITS = "T1\tMETAPHOR 11 16\tbloom\nT2\tMETAPHOR 30 38;51 54\tshrugged off\n"
SHAPES: dict[str, dict[str, str | bytes]] = {
    "side by side": {"doc.txt": TEXT, "doc.ann": ANN},
    "in a folder": {"news/doc.txt": TEXT, "news/doc.ann": ANN},
    "with its configuration": {
        "annotation.conf": "[entities]\nMETAPHOR\n[attributes]\nSure Arg:<ENTITY>\n",
        "visual.conf": "[labels]\nMETAPHOR | Metaphor | Met\n",
        "kb_shortcuts.conf": "M METAPHOR\n",
        "doc.txt": TEXT,
        "doc.ann": ANN,
    },
    "without words beside places": {"doc.txt": TEXT, "doc.ann": "T1\tMETAPHOR 8 13\nT2\tMETAPHOR 27 35;48 51\n"},
    "in the files of a shared task": {"doc.txt": TEXT, "doc.a1": ANN[:23], "doc.a2": ANN[23:]},
    "with CR LF": {
        "doc.txt": TEXT.replace("\n", "\r\n"),
        "doc.ann": "T1\tMETAPHOR 8 13\tbloom\r\nT2\tMETAPHOR 28 36;49 52\tshrugged off\r\n",
    },
    "with CR LF that count as one": {"doc.txt": TEXT.replace("\n", "\r\n"), "doc.ann": ANN},
    "with a byte order mark": {"doc.txt": b"\xef\xbb\xbf" + TEXT.encode(), "doc.ann": ANN},
    "with a byte order mark that counts": {
        "doc.txt": b"\xef\xbb\xbf" + TEXT.encode(),
        "doc.ann": "T1\tMETAPHOR 9 14\tbloom\nT2\tMETAPHOR 28 36;49 52\tshrugged off\n",
    },
    "without a last line end": {"doc.txt": TEXT.removesuffix("\n"), "doc.ann": ANN.removesuffix("\n")},
}  # fmt: skip


@pytest.mark.parametrize("files", SHAPES.values(), ids=SHAPES)
def test_sentences_have_their_labels_in_one_piece_or_several(tmp_path: Path, files: Mapping[str, str | bytes]) -> None:
    found, said = read(guessed(tmp_path, files))
    assert found == FOUND
    assert not [one for one in said if "expected" in one]


def test_what_is_left_out_is_named(tmp_path: Path) -> None:
    guess = guessed(tmp_path, SHAPES["with its configuration"])
    assert "annotation.conf, visual.conf, kb_shortcuts.conf left out" in map(str, guess.notes)


def test_attributes_are_kept_and_all_else_is_counted(tmp_path: Path) -> None:
    more = (
        "A1\tSure T1\nA2\tNovelty T2 high\nM1\tNegated T1\nA3\tPast E1\n#1\tAnnotatorNotes T1\tcheck\n"
        "#2\tAnnotatorNotes T2\ttoo\nR1\tSource Arg1:T1 Arg2:T2\n*\tEquiv T1 T2\nE1\tMETAPHOR:T1 Target:T2\n"
        "N1\tReference T1 Wikipedia:1\tBloom\n"
    )
    found, said = read(guessed(tmp_path, {"doc.txt": TEXT, "doc.ann": ANN + more}))
    assert [label[2] for _text, labels in found for label in labels] == [
        {"Sure": "true", "Negated": "true"},
        {"Novelty": "high"},
    ]
    assert [one.partition(": ")[2] for one in said] == [
        "2 notes, which are not imported",
        "2 relations between labels, which are not imported",
        "1 event, which is not imported",
        "1 normalisation, which is not imported",
        "1 attribute of something other than a label, which is not imported",
    ]


def test_utf16_units_are_recognised_where_only_they_fit(tmp_path: Path) -> None:
    found, said = read(
        guessed(
            tmp_path,
            {
                "doc.txt": f"😀😀 {TEXT}",
                "doc.ann": UNITS.replace("11 16", "13 18").replace("30 38;51 54", "32 40;53 56"),
            },
        )
    )
    assert [labels for _text, labels in found] == [labels for _text, labels in FOUND]
    assert "UTF-16 units" in said[0]


def test_a_label_over_a_line_break_keeps_its_sentence_together(tmp_path: Path) -> None:
    text = "She shrugged her\nworries off.\nTime heals.\n"
    ann = "T1\tMETAPHOR 4 12;25 28\tshrugged off\n"
    found, _said = read(guessed(tmp_path, {"doc.txt": text, "doc.ann": ann}))
    assert found == [
        ("She shrugged her worries off .", [("METAPHOR", ("shrugged", "off"), {})]),
        ("Time heals .", []),
    ]


def test_a_label_over_sentences_is_one_in_each_and_counted(tmp_path: Path) -> None:
    ann = "T1\tMETAPHOR 17 21;23 26\ttown She\n"
    found, said = read(guessed(tmp_path, {"doc.txt": TEXT, "doc.ann": ann}))
    assert [labels for _text, labels in found] == [[("METAPHOR", ("town",), {})], [("METAPHOR", ("She",), {})]]
    assert "1 label that crosses a sentence boundary" in said[0]


def test_paragraphs_are_split_into_sentences(tmp_path: Path) -> None:
    text = (
        "Rumours bloom in this town, as everybody knows by now. She\nshrugged her worries off. Nobody asked\nwhy.\n\n"
        "The next day it rained, and the streets of the old town were\nempty. Time heals.\n"
    )
    at = text.index("shrugged"), text.index("off")
    ann = f"T1\tMETAPHOR 8 13\tbloom\nT2\tMETAPHOR {at[0]} {at[0] + 8};{at[1]} {at[1] + 3}\tshrugged off\n"
    found, _said = read(guessed(tmp_path, {"doc.txt": text, "doc.ann": ann}))
    assert [labels for _text, labels in found][:2] == [labels for _text, labels in FOUND]
    assert len(found) == 5


def test_a_text_with_an_empty_file_of_annotations_has_no_answer(tmp_path: Path) -> None:
    files = {"a.txt": TEXT, "a.ann": ANN, "b.txt": "Time heals.\n", "b.ann": ""}
    guess = guessed(tmp_path, files)
    records = [one for one in formats()["brat"].read(guess.files, guess.options) if isinstance(one, Record)]
    assert [(one.group, len(one.texts["en"].labels)) for one in records] == [("a", 1), ("a", 1), ("b", 0)]


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("T1\tMETAPHOR 8 12\tbloom", "doc.ann:1: expected “bloom” at 8–12 of doc.txt, got “bloo”"),
        ("T1\tMETAPHOR 13 8\tbloom", "doc.ann:1: expected positions whose end comes after their start, got “13 8”"),
        ("T1\tMETAPHOR 800 900\tbloom", "doc.ann:1: expected “bloom” at 800–900 of doc.txt"),
        ("T1\tMETAPHOR 8 13\tbloom\nT1\tMETAPHOR 8 13\tbloom", "doc.ann:2: expected each ID only once, got “T1”"),
        ("T1\tMETAPHOR 8 13\tbloom\nT2 METAPHOR", "doc.ann:2: expected a brat annotation"),
        pytest.param(
            f"T1\tMETAPHOR 8 {'1' * 5000}\tbloom", "doc.ann:1: expected a brat annotation", id="a long number"
        ),
    ],
)
def test_what_is_wrong_is_an_error_with_file_and_line(tmp_path: Path, line: str, what: str) -> None:
    _found, said = read(guessed(tmp_path, {"doc.txt": TEXT, "doc.ann": line + "\n"}))
    assert said[0].startswith(what)
