"""MABL's, IMPLI's and MUNCH's files with what goes wrong in such files: read right, or refused in words.

A refusal names the file, the line, and what was expected there.
"""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest

from annotator.domain.text.tokens import text_of
from annotator.formats.common.errors import FormatError, FormatWarning
from annotator.formats.common.protocol import Format, Options, SourceFile
from annotator.formats.common.records import Record
from annotator.protocols.impli.pair_files import Impli
from annotator.protocols.mabl.format import Mabl
from annotator.protocols.munch.format import Munch

# Both with marks that can be written as one character or as several, and in characters of four bytes.
YORUBA = unicodedata.normalize("NFD", "ọ̀gẹ̀dẹ̀")
KANNADA = unicodedata.normalize("NFD", "ಕೋಟೆ")
EMOJI = "🧊👩‍🚀"

FIGURATIVE = "startphrase,ending1,ending2,labels\n"
PAIR = "A hut is a palace.,It is fine.,It is poor.,0\nA hut is a hole.,It is fine.,It is poor.,1\n"
OTHER = "The sea is glass.,Calm.,Rough.,0\nThe sea is a beast.,Calm.,Rough.,1\n"
MARKED = "i0,idx,s0,novelty,sid,genre,human_ans\n"
JUDGED = "i0,s0_idx,s0,s1,s1_label,s2,s2_label\n"
MABL, IMPLI, MUNCH, TRIPLES = "en.csv", "manual_e.tsv", "for_generation.csv", "for_judgement.csv"
FORMATS: dict[str, Format] = {MABL: Mabl(), IMPLI: Impli(), MUNCH: Munch(), TRIPLES: Munch()}


def _read(folder: Path, name: str, content: str) -> tuple[list[str], list[str]]:
    """The texts of a file, and what is said of it."""
    path = folder / name
    path.write_bytes(content.encode())
    texts, said = [], []
    try:
        for read in FORMATS[name].read([SourceFile(name, path, "utf-8", "en")], Options()):
            if isinstance(read, (FormatError, FormatWarning)):
                said.append(str(read))
            elif isinstance(read, Record):
                texts.append(text_of(read.texts["en"].tokens, read.texts["en"].spaces))
    except FormatError as error:
        said.append(str(error))
    return texts, said


@pytest.mark.parametrize(
    ("name", "content", "texts"),
    [
        pytest.param(
            MABL, "labels,ending2,startphrase,ending1\n0,poor,hut,fine\n1,poor,hole,fine\n", ["hut\nhole\nfine\npoor"],
            id="mabl, another order of columns",
        ),
        pytest.param(
            MABL, FIGURATIVE + '"a ""b, c"" d",e,f,0\n"a ""g"" d",e,f,1\n', ['a "b, c" d\na "g" d\ne\nf'],
            id="mabl, quotes inside quotes",
        ),
        pytest.param(
            MABL, FIGURATIVE + f"{YORUBA} {EMOJI},{KANNADA},a,0\n{EMOJI},{KANNADA},a,1\n",
            [f"{YORUBA} {EMOJI}\n{EMOJI}\n{KANNADA}\na"], id="mabl, emoji and decomposed text",
        ),
        pytest.param(
            MABL, FIGURATIVE + "می\u200cخواهم 👩\u200d🚀,a\u200b b,c,0\nمی\u200cرود,a\u200b b,c,1\n",
            ["می\u200cخواهم 👩\u200d🚀\nمی\u200cرود\na\u200b b\nc"], id="mabl, what nobody sees inside texts",
        ),
        pytest.param(IMPLI, 'He "was "high" up".\t"So\t0.5\n', ['He "was "high" up".\n"So'], id="impli, quotes"),
        pytest.param(
            IMPLI, f"{YORUBA} {EMOJI}\t{KANNADA}\t\n", [f"{YORUBA} {EMOJI}\n{KANNADA}"],
            id="impli, emoji and decomposed text",
        ),
        pytest.param(
            MUNCH, "human_ans,s0,idx,sid,i0,genre,novelty\n,a <b>b</b> c,4,x,0,NEWS,0.1\n", ["a b c"],
            id="munch, another order of columns",
        ),
        pytest.param(
            MUNCH, MARKED.replace(",", ";") + "0;4;a <b>b</b> c;0,5;x;NEWS;\n1;5;a <b>b</b> d;-,5;x;NEWS;\n",
            ["a b c", "a b d"], id="munch, decimal commas and semicolons",
        ),
        pytest.param(
            MUNCH, MARKED + '0,4,"a ""<b>b</b>, c"" d",,x,NEWS,\n', ['a "b, c" d'], id="munch, quotes inside quotes"
        ),
        pytest.param(
            MUNCH, MARKED + "0,4,the road and the <b>road</b>,,x,NEWS,\n", ["the road and the road"],
            id="munch, a word that occurs twice and is marked once",
        ),
        pytest.param(
            MUNCH, MARKED + f"0,4,{EMOJI} <b>{KANNADA}</b> {YORUBA},,x,NEWS,\n", [f"{EMOJI} {KANNADA} {YORUBA}"],
            id="munch, emoji and decomposed text",
        ),
        pytest.param(
            TRIPLES, "s2_label,s2,s1_label,s1,s0,s0_idx,i0\ninapt,a <b>d</b>,apt,a <b>c</b>,a <b>b</b>,4,0\n",
            ["a b", "c"], id="triples, another order of columns",
        ),
    ],
)  # fmt: skip
def test_it_is_read_right(tmp_path: Path, name: str, content: str, texts: list[str]) -> None:
    assert _read(tmp_path, name, content) == (texts, [])


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        pytest.param(
            MABL, "startphrase,ending1,ending2\na,b,c\n",
            "en.csv:1: expected the columns startphrase, ending1, ending2, labels", id="mabl, a missing column",
        ),
        pytest.param(MABL, FIGURATIVE + 'a "b" c,"d "e" f",g,0\n', "en.csv:2: expected", id="mabl, a broken quote"),
        pytest.param(MABL, FIGURATIVE + PAIR + "a,b,c,one\n", "en.csv:4: expected 0 or 1", id="mabl, a label in words"),
        pytest.param(MABL, FIGURATIVE + "a,b,c,2\n", "en.csv:2: expected 0 or 1", id="mabl, another number"),
        pytest.param(
            MABL, FIGURATIVE.strip() + ",valid\na,b,c,0,no\n",
            "en.csv:2: expected 1, 0 or an empty cell in the column valid, got “no”", id="mabl, valid in words",
        ),
        pytest.param(
            MABL, FIGURATIVE.strip() + ",valid\na,b,c,0,01\n", (
                "en.csv:2: expected 1, 0 or an empty cell in the column valid"
            ),
            id="mabl, valid twice",
        ),
        pytest.param(
            MABL, FIGURATIVE.strip() + ",Ending 1\na,b,c,0,d\n",
            "en.csv:1: expected each column once, got “ending1, Ending 1” with the same meaning",
            id="mabl, a column twice",
        ),
        pytest.param(
            MABL, FIGURATIVE + PAIR.replace(",0\n", ",7\n") + OTHER, "en.csv:2: expected 0 or 1",
            id="mabl, a wrong row before its other half",
        ),
        pytest.param(
            MABL, FIGURATIVE + PAIR.replace(",1\n", ",7\n") + OTHER, "en.csv:3: expected 0 or 1",
            id="mabl, a wrong row after its other half",
        ),
        pytest.param(MABL, FIGURATIVE + PAIR + "a,b,c,0\n", "en.csv:4: ", id="mabl, one half of a pair"),
        pytest.param(
            MABL, FIGURATIVE + PAIR + "a,,c,0\n", "en.csv:4: expected a text in the column ending1", id="mabl, no text"
        ),
        pytest.param(
            MABL, FIGURATIVE + PAIR + "a,b,\u200b,0\n", "en.csv:4: expected a text in the column ending2",
            id="mabl, an ending that nobody sees",
        ),
        pytest.param(
            MABL, FIGURATIVE + PAIR + "\u200d,b,c,0\n", "en.csv:4: expected a text in the column startphrase",
            id="mabl, a start phrase that nobody sees",
        ),
        pytest.param(
            MABL, FIGURATIVE + PAIR + PAIR, "en.csv:4: the same pair as in line 2", id="mabl, a pair twice"
        ),
        pytest.param(
            MABL, FIGURATIVE + PAIR.splitlines(keepends=True)[0] + PAIR,
            "en.csv:2: the same row as in line 3, so this half is imported alone", id="mabl, a row twice",
        ),
        pytest.param(
            MABL, FIGURATIVE + PAIR + PAIR.splitlines(keepends=True)[1],
            "en.csv:4: the same row as in line 3, so this half is imported alone",
            id="mabl, a row twice, after its pair",
        ),
        pytest.param(
            IMPLI, "a\tb\t\n0.5\tc\td\n", "manual_e.tsv:2: expected a number or an empty cell as the score",
            id="impli, another order of columns",
        ),
        pytest.param(
            IMPLI, "a\tb\t\nc\n", "manual_e.tsv:2: expected two sentences", id="impli, a missing column"
        ),
        pytest.param(
            IMPLI, "a\tb\tnan\n", "manual_e.tsv:1: expected a number or an empty cell", id="impli, a score that is none"
        ),
        pytest.param(
            IMPLI, "a\tb\t-inf\n", "manual_e.tsv:1: expected a number or an empty cell", id="impli, an endless score"
        ),
        pytest.param(
            IMPLI, "a\tb\tmany\n", "manual_e.tsv:1: expected a number or an empty cell", id="impli, a score in words"
        ),
        pytest.param(
            IMPLI, "a\tb\t\nc\t \t\n", "manual_e.tsv:2: expected a second sentence", id="impli, one half of a pair"
        ),
        pytest.param(
            IMPLI, "a\tb\t\n\ufeff\u200b\td\t\n", "manual_e.tsv:2: expected a first sentence",
            id="impli, a sentence that nobody sees",
        ),
        pytest.param(
            MUNCH, MARKED + "0,4,a <b>\u2060</b>,,x,NEWS,d\n", "for_generation.csv:2: expected in column s0, a",
            id="munch, a word that nobody sees",
        ),
        pytest.param(
            MUNCH, "i0,idx,s0,novelty,sid,genre\n0,4,a <b>b</b>,,x,NEWS\n",
            "for_generation.csv:1: expected a header with each of i0, idx, s0", id="munch, a missing column",
        ),
        pytest.param(
            MUNCH, MARKED + '0,4,"a "b" <b>c</b>",,x,NEWS,d\n', "for_generation.csv:2: expected the end of the",
            id="munch, a broken quote",
        ),
        pytest.param(
            MUNCH, MARKED + "0,4,a <b>c</b>,new,x,NEWS,d\n", "for_generation.csv:2: expected a number or an empty",
            id="munch, a number in words",
        ),
        pytest.param(
            MUNCH, MARKED + "0,4,a <b>c</b>,nan,x,NEWS,d\n", "for_generation.csv:2: expected a number or an empty",
            id="munch, what is no number",
        ),
        pytest.param(
            MUNCH, MARKED + '0,4,a <b>c</b>,"0,5",x,NEWS,d\n',
            "an empty cell in column novelty, got “0,5”, which has a decimal comma: use a point", id="munch, a comma",
        ),
        pytest.param(
            TRIPLES, JUDGED + "0,4,a <b>b</b>,a <b>big c</b>,apt,a <b>d</b>,inapt\n",
            "for_judgement.csv:2: expected in column s1, a sentence with one word in <b> and </b>, got “big c” is more "
            "than one word", id="triples, several words",
        ),
        pytest.param(
            MUNCH, MARKED + '0,4,a <b>c</b>,,x,NEWS,"surge, rush"\n',
            "for_generation.csv:2: expected in column human_ans, words separated by spaces, got “surge,”",
            id="munch, words with commas",
        ),
        pytest.param(
            MUNCH, MARKED + "0,4,a <b>c</b>,,x,NEWS,['surge' 'rush']\n",
            "for_generation.csv:2: expected in column human_ans, words separated by spaces, got “['surge'”",
            id="munch, words as a list",
        ),
        pytest.param(
            TRIPLES,
            JUDGED + "0,4,a <b>b</b>,a <b>c</b>,apt,a <b>d</b>,inapt\n1,4,a <b>b</b>,a <b>d</b>,apt,a <b>e</b>,inapt\n",
            "for_judgement.csv:3: 1 word is both apt and inapt for its sentence, and is imported as both (“d”)",
            id="triples, a word that is apt and inapt in two rows",
        ),
        pytest.param(
            TRIPLES, JUDGED + "0,4,a <b>b</b>,a <b>c</b>,apt,a <b>c</b>,apt\n",
            "for_judgement.csv:2: the same word twice (“c”), so no triple", id="triples, a word twice",
        ),
        pytest.param(
            TRIPLES, JUDGED + "0,4,a <b>b</b>,a <b>c</b>,apt,a <b>B</b>,inapt\n",
            "for_judgement.csv:2: the marked word itself (“b”), so no triple", id="triples, the marked word",
        ),
        pytest.param(
            TRIPLES,
            JUDGED + "0,4,a <b>b</b>,a <b>c</b>,apt,a <b>d</b>,inapt\n1,4,a <b>b</b>,a <b>d</b>,inapt,a <b>c</b>,apt\n",
            "for_judgement.csv:3: the same triple as in for_judgement.csv, line 2, so it is skipped",
            id="triples, a triple twice",
        ),
        pytest.param(
            MUNCH, MARKED + "0,4,<b>a</b> and <b>a</b>,,x,NEWS,\n", "for_generation.csv:2: expected",
            id="munch, a word that is marked twice",
        ),
        pytest.param(
            MUNCH, MARKED + "0,4,a road and a road,,x,NEWS,\n", "for_generation.csv:2: expected",
            id="munch, a word that occurs twice and is not marked",
        ),
        pytest.param(
            TRIPLES, "i0,s0_idx,s0,s1,s1_label,s2\n0,4,a <b>b</b>,a <b>c</b>,apt,a <b>d</b>\n",
            "for_judgement.csv:1: expected a header with each of", id="triples, a missing column",
        ),
        pytest.param(
            TRIPLES, JUDGED + "0,4,a <b>b</b>,a <b>c</b>,1,a <b>d</b>,inapt\n",
            "for_judgement.csv:2: expected in column s1_label: apt | inapt", id="triples, a label that is none",
        ),
        pytest.param(
            TRIPLES, JUDGED + "0,4,a <b>b</b>,a <b>c</b>,apt,,inapt\n", "for_judgement.csv:2: expected in column s2",
            id="triples, one half of a pair",
        ),
        pytest.param(
            TRIPLES, JUDGED + "0,4,a <b>b</b>,a <b>c</b>,apt\n", "for_judgement.csv:2: expected 7 cells",
            id="triples, a row that ends early",
        ),
    ],
)  # fmt: skip
def test_it_is_said_with_file_and_line(tmp_path: Path, name: str, content: str, said: str) -> None:
    _texts, all_said = _read(tmp_path, name, content)
    assert len(all_said) == 1
    assert said in all_said[0]


def test_words_that_files_contradict_themselves_about_are_counted_and_come_in(tmp_path: Path) -> None:
    rows = ("<b>c</b>,apt,a <b>d</b>,inapt", "<b>d</b>,apt,a <b>e</b>,inapt", "<b>e</b>,inapt,a <b>f</b>,inapt")
    content = JUDGED + "".join(f"{n},4,a <b>b</b>,a {row}\n" for n, row in enumerate(rows))
    content += "3,5,a <b>b</b>,a <b>c</b>,apt,a <b>C</b>,inapt\n"
    (tmp_path / TRIPLES).write_text(content, encoding="utf-8")
    reads = list(Munch().read([SourceFile(TRIPLES, tmp_path / TRIPLES, "utf-8", "en")], Options()))
    said = [str(read) for read in reads if not isinstance(read, Record)]
    assert said == [
        "for_judgement.csv:5: the same word twice (“c”), so no triple is made from it",
        "for_judgement.csv:3: 2 words are both apt and inapt for their sentence, and are imported as both (“d”, “C”)",
    ]
    found = [read.texts["en"].contents for read in reads if isinstance(read, Record)]
    assert [[one["word"] for one in text["inapt"]["words"]] for text in found if "inapt" in text] == [
        ["d", "e", "f"], ["C"],
    ]  # fmt: skip
    assert [text["best"]["words"] for text in found if "best" in text] == [["c", "d"], ["c"]]


def test_all_rows_that_are_wrong_are_said(tmp_path: Path) -> None:
    rows = ("0,4,a <b>c</b>,,x,NEWS", "1,5,a c,,x,NEWS,d", "2,6,a <b>c</b>,,x,NEWS,d", "3,6,a <b>c</b>,new,x,NEWS,d")
    _texts, said = _read(tmp_path, MUNCH, MARKED + "\n".join(rows) + '\n4,"7"8",a\n')
    assert [one.split(" expected ")[0] for one in said] == [f"{MUNCH}:{line}:" for line in (2, 3, 5, 6)]


@pytest.mark.parametrize(
    ("names", "contents", "said"),
    [
        pytest.param(
            ("en.csv", "es.csv"),
            (FIGURATIVE + 'a,"d "e" f",g,0\n' + PAIR + 'h,"i,j,1\nk,l,m,two\n', FIGURATIVE + PAIR + "a,b,c,3\n"),
            ["en.csv:2", "en.csv:5", "en.csv:6", "es.csv:4"], id="mabl, quotation marks",
        ),
        pytest.param(
            ("en.csv", "es.csv"), ("startphrase,ending1,ending2\na,b,c\n", FIGURATIVE + "a,b,c,3\n"),
            ["en.csv:1", "es.csv:2"], id="mabl, a missing column",
        ),
        pytest.param(
            ("manual.tsv", "manual_e.tsv"), ("a b\tc d\n", "a b\n"), ["manual.tsv", "manual_e.tsv:1"], id="impli"
        ),
        pytest.param(
            ("for_generation.csv", "for_judgement.csv"),
            (MARKED + '0,4,a <b>b</b>,,x,NEWS,"c" d\n1,5,a b,,x,NEWS,\n', JUDGED + "0,,a b,c,apt,d,inapt\n"),
            ["for_generation.csv:2", "for_generation.csv:3", "for_judgement.csv:2"], id="munch",
        ),
    ],
)  # fmt: skip
def test_one_error_hides_no_other(
    tmp_path: Path, names: tuple[str, ...], contents: tuple[str, ...], said: list[str]
) -> None:
    files = []
    for name, content in zip(names, contents, strict=True):
        path = tmp_path / name
        path.write_bytes(content.encode())
        files.append(SourceFile(name, path, "utf-8", "en"))
    one = FORMATS.get(names[1]) or FORMATS[MABL]
    errors = [read for read in one.read(files, Options()) if isinstance(read, FormatError)]
    assert [str(error).split(": expected", maxsplit=1)[0] for error in errors] == said


@pytest.mark.parametrize("whole", [True, False], ids=["whole", "with a wrong row"])
def test_a_judgement_is_of_a_sentence_that_came_with_it(tmp_path: Path, whole: bool) -> None:
    judged = tmp_path / TRIPLES
    judged.write_text(JUDGED + "0,9,a <b>b</b>,a <b>c</b>,apt,a <b>d</b>,inapt\n", encoding="utf-8")
    told = tmp_path / MUNCH
    told.write_text(
        MARKED + ("0,4,a <b>b</b>,,x,NEWS,\n" if whole else "0,9,a <b>b</b>,new,x,NEWS,\n"), encoding="utf-8"
    )
    files = [SourceFile(path.name, path, "utf-8", "en") for path in (judged, told)]
    said = [str(read) for read in Munch().read(files, Options()) if isinstance(read, FormatError)]
    unknown = f"{TRIPLES}:2: expected in column s0_idx, the idx of a row of for_generation.csv, got “9”"
    number = f"{MUNCH}:2: expected a number or an empty cell in column novelty, got “new”"
    assert said == ([unknown] if whole else [number])
