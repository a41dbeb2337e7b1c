"""The files of MUNCH: byte for byte, in other layouts, with what is wrong in them, and the published ones."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Protocol, TypeVar

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from annotator.domain.pairs.triples import Aptness, Option, Pair, TripleType, count_types, pairs_of, words_of
from annotator.domain.text.marked import Marked
from annotator.formats.common.errors import FormatError
from annotator.formats.common.protocol import SourceFile
from annotator.formats.tables.csv_layout import CsvLayout
from annotator.protocols.munch.evaluation import CHOSEN, TOLD, evaluation, write_evaluation
from annotator.protocols.munch.files import (
    GENERATION,
    GENERATION_FILE,
    JUDGEMENT_FILE,
    Generation,
    generation_layout,
    judgement_layout,
    read_generation,
    read_judgement,
    write_rows,
)
from tests.corpora import MUNCH, needs_munch

_Row_co = TypeVar("_Row_co", covariant=True)
HEADER = "i0,idx,s0,novelty,sid,genre,human_ans"
ROWS = (
    '0,4,"He said: ""the <b>road</b> ahead"", and left",0.1,a-1,NEWS,path way',
    "1,9,Ìgbà ọ̀rọ̀ 🚀 <b>ké\u0301</b> lo,-.5,a-2,FICTION,",
    "2,12,“<b>Doors</b>’ doors,”,,a-3,NEWS,gates",
)
JUDGED = (
    "i0,s0_idx,s0,s1,s1_label,s2,s2_label\n"
    '0,4,"a, <b>road</b>","a, <b>way</b>",apt,"a, <b>pavement</b>",inapt\n'
    '1,4,"a, <b>road</b>","a, <b>street</b>",inapt,"a, <b>pavement</b>",inapt\n'
)


class _Reader(Protocol[_Row_co]):
    def __call__(self, file: SourceFile) -> Sequence[_Row_co]: ...


def _read(reader: _Reader[_Row_co], data: bytes) -> tuple[Sequence[_Row_co], CsvLayout]:
    name, layout = ("g.csv", generation_layout) if reader is read_generation else ("j.csv", judgement_layout)
    with TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(data)
        file = SourceFile(name, path)
        return reader(file), layout(file)


def file(*rows: str, header: str = HEADER, end: str = "\n") -> bytes:
    return (end.join((header, *rows)) + end).encode()


@pytest.mark.parametrize(
    "data",
    [
        file(ROWS[0], ROWS[1]),
        file(ROWS[0], end="\r\n"),
        b"\xef\xbb\xbf" + file(ROWS[0]),
        file(ROWS[0]).rstrip(b"\n"),
        file('0,4,"a <b>b</b>","","","",""', header=",".join(f'"{name}"' for name in HEADER.split(","))),
        file('"0","4","a <b>b</b>","","","",""', header=",".join(f'"{name}"' for name in HEADER.split(","))),
        file("NEWS,path way,4,a <b>b</b>,0.1,x,0,more", header="genre,human_ans,idx,s0,novelty,sid,i0,note"),
        b"sep=;\r\n" + file(ROWS[1].replace(",", ";"), header=HEADER.replace(",", ";"), end="\r\n"),
        file(ROWS[1].replace(",", "\t"), header=HEADER.replace(",", "\t")),
        file(ROWS[1], header=HEADER.replace("idx", " Idx")),
        file(ROWS[1] + ",,", header=HEADER + ",,"),
    ],
    ids=[
        "as published but LF",
        "CRLF",
        "with a mark",
        "no end",
        "text in quotes",
        "all in quotes",
        "other order and one more column",
        "semicolons that are said",
        "tabs",
        "a heading in capitals",
        "empty columns at the end",
    ],
)
def test_a_file_goes_out_as_it_came_in(data: bytes) -> None:
    rows, layout = _read(read_generation, data)
    assert write_rows(rows, CsvLayout.from_json(layout.to_json())) == data
    assert not layout.odd


_cell = st.text(st.sampled_from('ab ",\n🚀é<>'), max_size=8)


@given(
    st.lists(st.tuples(_cell, st.from_regex(r"[a-zñ]{1,5}", fullmatch=True), _cell, _cell), min_size=1, max_size=4),
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from(["minimal", "all"]),
    st.booleans(),
    st.permutations(GENERATION),
)
def test_any_file_that_we_write_is_read_and_written_as_it_was(
    cells: list[tuple[str, str, str, str]], end: str, quoting: str, mark: bool, columns: list[str]
) -> None:
    rows = [
        Generation(
            id=str(number), sentence=Marked(before, word, after), words=("a",), genre=genre, group="g", number="0"
        )
        for number, (before, word, after, genre) in enumerate(cells)
        if "<b>" not in before + after
    ]
    assume(rows)
    data = write_rows(rows, CsvLayout(tuple(columns), end, quoting, mark))
    read, layout = _read(read_generation, data)
    assert [(row.sentence, row.genre) for row in read] == [(row.sentence, row.genre) for row in rows]
    assert write_rows(read, layout) == data


def test_what_a_row_says() -> None:
    rows, _layout = _read(read_generation, file(ROWS[0], ROWS[1]))
    assert rows[0].sentence.text == 'He said: "the road ahead", and left'
    assert (rows[0].words, rows[0].genre, rows[0].group, rows[0].novelty) == (("path", "way"), "NEWS", "a-1", "0.1")
    assert (rows[1].sentence.word, rows[1].words) == ("ké\u0301", ())


def test_a_row_that_says_something_else_is_written_as_the_others_are() -> None:
    mixed = file('0,4,"a <b>b</b>",,x,NEWS,c', '1,5,a <b>b</b>,,x,"NEWS",c', "2,6,a <b>b</b>,,x,FICTION,c")
    rows, layout = _read(read_generation, mixed)
    assert write_rows(rows, layout) == mixed
    changed = [replace(rows[0], words=("d",)), *rows[1:]]
    assert write_rows(changed, layout) == mixed.replace(b'"a <b>b</b>",,x,NEWS,c', b"a <b>b</b>,,x,NEWS,d")


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "g.csv:1: expected a header with the names of the columns, got an empty file"),
        (file(), "g.csv:1: expected rows below the header, got none"),
        (file(header="i0,idx,s0,novelty,sid,genre"), "g.csv:1: expected a header with each of i0.*human_ans"),
        (file(header=HEADER + ",idx"), "g.csv:1: expected a header with each of"),
        (
            file(ROWS[0], '1,5,"a "b" <b>c</b>",,x,NEWS,d'),
            "g.csv:3: expected the end of the cell after its closing quotation mark",
        ),
        (file(ROWS[0], "1,5,a <b>c</b>,,x,NEWS"), "g.csv:3: expected 7 cells, one per column, got 6"),
        (file("0,4,a <b>c</b>,new,x,NEWS,d"), "g.csv:2: expected a number or an empty cell in column novelty.*“new”"),
        (file('0,4,"a\n<b>c</b>",,x,NEWS,d', "0,4,a <b>c</b>,,x,NEWS,d"), "g.csv:4: expected an idx.*also in line 2"),
        (file("0,,a <b>c</b>,,x,NEWS,d"), "g.csv:2: expected an ID in column idx"),
        (file("0,4,the word the word,,x,NEWS,d"), "g.csv:2: .*column s0.*no word is marked"),
        (file("0,4,<b>a</b> <b>a</b>,,x,NEWS,d"), "g.csv:2: .*there are 2 and 2"),
        (file("0,4,<b>a b</b>,,x,NEWS,d"), "g.csv:2: .*not one word"),
        (HEADER.encode() + b"\n0,4,\xff <b>a</b>,,x,NEWS,d\n", "g.csv:2: expected UTF-8, got byte 0xFF"),
    ],
)
def test_what_is_wrong_is_said_with_file_and_line(data: bytes, says: str) -> None:
    with pytest.raises(FormatError, match=says):
        _read(read_generation, data)


@pytest.mark.parametrize(
    ("found", "instead", "says"),
    [
        (",apt,", ",1,", "j.csv:2: expected in column s1_label: apt | inapt, got “1”"),
        (",inapt\n1", ",\n1", "j.csv:2: expected in column s2_label"),
        ("<b>street</b>", "street", "j.csv:3: .*column s1.*no word is marked"),
    ],
)
def test_judgements_with_other_labels_are_refused(found: str, instead: str, says: str) -> None:
    with pytest.raises(FormatError) as caught:
        _read(read_judgement, JUDGED.replace(found, instead, 1).encode())
    assert caught.match(says.replace("|", r"\|"))


class TestEvaluation:
    def test_six_conditions_differ_in_what_is_shown_and_not_in_the_answer(self) -> None:
        rows, _ = _read(read_judgement, JUDGED.encode())
        found = evaluation(rows, seed=3)
        conditions = [f"{chosen}_{told}" for chosen in CHOSEN for told in TOLD]
        assert [one["id"] for one in found["conditions"]] == conditions
        first, second = found["items"]
        assert (first["id"], second["id"]) == ("4.1", "4.2")
        assert set(first["conditions"]) == set(conditions)
        shown = first["conditions"]
        right = shown["word_implicit"]["answer"]
        assert shown["word_implicit"]["options"][right] == "way"
        assert shown["word_implicit"]["sentence"] == "a, <b>road</b>"
        assert shown["sentence_implicit"]["options"][right] == "a, way"
        assert shown["sentence_metaphorical_sentence"]["sentence"] == "a, road"
        assert shown["sentence_metaphorical_word"]["options"][right] == "a, <b>way</b>"
        assert {one["answer"] for one in shown.values()} == {right}
        assert second["conditions"]["word_implicit"]["answer"] == "D"

    def test_the_seed_decides_alone_whatever_else_is_in_the_file(self) -> None:
        rows, _ = _read(read_judgement, JUDGED.encode())
        assert write_evaluation(rows, seed=3) == write_evaluation(rows, seed=3)
        assert evaluation(rows, seed=3)["items"][0] == evaluation(rows[:1], seed=3)["items"][0]
        answers = {
            evaluation(rows, seed=seed)["items"][0]["conditions"]["word_implicit"]["answer"] for seed in range(9)
        }
        assert answers == {"A", "B"}


@needs_munch
class TestPublished:
    def test_both_files_go_out_byte_for_byte(self) -> None:
        generation, judgement = (MUNCH / name for name in (GENERATION_FILE, JUDGEMENT_FILE))
        for reader, path in ((read_generation, generation), (read_judgement, judgement)):
            rows, layout = _read(reader, path.read_bytes())
            assert write_rows(rows, layout) == path.read_bytes()
            assert not layout.odd

    def test_triples_by_type_and_sentences_by_genre(self) -> None:
        rows = read_judgement(SourceFile(JUDGEMENT_FILE, MUNCH / JUDGEMENT_FILE))
        pairs = [
            Pair(Option(row.first.sentence.word, row.first.label), Option(row.second.sentence.word, row.second.label))
            for row in rows
        ]
        assert list(count_types(pairs).values()) == [624, 228, 22]
        assert list(TripleType) == [TripleType.APT_INAPT, TripleType.TWO_INAPT, TripleType.TWO_APT]
        # Our rule makes the published triples out of each sentence's words, in the published order.
        by_sentence: dict[str, list[Pair]] = defaultdict(list)
        for row, pair in zip(rows, pairs, strict=True):
            by_sentence[row.id].append(pair)
        assert [pairs_of(*words_of(found)) for found in by_sentence.values()] == list(by_sentence.values())
        sentences = read_generation(SourceFile(GENERATION_FILE, MUNCH / GENERATION_FILE))
        assert Counter(row.genre for row in sentences) == {"NEWS": 922, "FICTION": 593}

    def test_each_triple_is_a_question_with_as_many_answers_as_its_labels_say(self) -> None:
        rows = read_judgement(SourceFile(JUDGEMENT_FILE, MUNCH / JUDGEMENT_FILE))
        items = evaluation(rows, seed=1)["items"]
        answers = Counter(item["conditions"]["word_implicit"]["answer"] for item in items)
        assert (answers["C"], answers["D"], answers["A"] + answers["B"]) == (22, 228, 624)
        assert min(answers["A"], answers["B"]) > 250
        labels = {Aptness.APT: 0, Aptness.INAPT: 0}
        for row in rows:
            labels[row.first.label] += 1
        assert labels[Aptness.APT] == 646
        assert len({item["id"] for item in items}) == 874


def test_the_published_columns_are_what_we_write() -> None:
    assert tuple(HEADER.split(",")) == GENERATION
