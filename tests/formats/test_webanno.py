"""WebAnno TSV 3 as INCEpTION and WebAnno spell it, case by case: what their own reference files show, with sentences of
ours. tools/README.md says which files these are."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotator.domain.labels.spans import Span
from annotator.formats.common.errors import FormatError, FormatWarning
from annotator.formats.common.protocol import SourceFile
from annotator.formats.common.records import Record
from annotator.formats.recognise import recognise
from annotator.formats.registry import formats
from tests.formats.corpora import reads

SPAN = "#T_SP=webanno.custom.Span|value\n"
PLAIN = "#T_SP=webanno.custom.Mark|\n"
SLOTS = "ROLE_webanno.custom.Host:links_webanno.custom.Link|uima.tcas.Annotation"


def read(tmp_path: Path, body: str, *, version: str = "3.3") -> tuple[list[Record], list[str]]:
    """The records of a document, and what is said of it. `body`: what follows the first line."""
    path = tmp_path / "carta.tsv"
    path.write_text(f"#FORMAT=WebAnno TSV {version}\n{body}", encoding="utf-8", newline="")
    found = reads(formats()["webanno"], path)
    assert not [str(one) for one in found if isinstance(one, FormatError)]
    return (
        [one for one in found if isinstance(one, Record)],
        [str(one.what) for one in found if isinstance(one, FormatWarning)],
    )


def labels(tmp_path: Path, body: str) -> list[tuple[str, object]]:
    """Label and tokens, or characters, of the only sentence."""
    [record], said = read(tmp_path, body)
    assert said == []
    return [
        (span.label, span.tokens if isinstance(span, Span) else span.fragments)
        for source in record.texts["ca"].labels
        for span in source.spans
    ]


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        # Nothing, an annotation without a value, and a value that is an underscore or an asterisk.
        ("1-1\t0-2\tVa\t_\t\n1-2\t3-6\tdir\t*\t\n1-3\t7-10\tprou\t_\t\n", [("Span", (1,))]),
        ("1-1\t0-2\tVa\t\\_\t\n1-2\t3-6\tdir\t\\*\t\n1-3\t7-10\tprou\t_\t\n", [("_", (0,)), ("*", (1,))]),
        # What looks like a number of an annotation, a stack, a slot or a chain, and is a value.
        (
            "1-1\t0-2\tVa\tno\\[0\\]\t\n1-2\t3-6\tdir\ta\\|b\\;c\\->d\t\n1-3\t7-10\tprou\tI-un:dos\t\n",
            [("no[0]", (0,)), ("a|b;c->d", (1,)), ("I-un:dos", (2,))],
        ),
        # A label without a number is of its token alone; one with a number is of all that have it.
        ("1-1\t0-2\tVa\tx\t\n1-2\t3-6\tdir\tx\t\n1-3\t7-10\tprou\t_\t\n", [("x", (0,)), ("x", (1,))]),
        ("1-1\t0-2\tVa\tx[1]\t\n1-2\t3-6\tdir\tx[1]\t\n1-3\t7-10\tprou\t_\t\n", [("x", (0, 1))]),
        # Stacked ones, with and without values.
        (
            "1-1\t0-2\tVa\t*[1]|*[2]\t\n1-2\t3-6\tdir\t*[1]|*[2]\t\n1-3\t7-10\tprou\t*[2]|y[3]|z[4]\t\n",
            [("Span", (0, 1)), ("Span", (0, 1, 2)), ("y", (2,)), ("z", (2,))],
        ),
        # What covers the first letters of a word is written on the word, too, in either place with its number.
        (
            "1-1\t0-2\tVa\t_\t\n1-2\t3-6\tdir\tx[1]|y[2]|z[3]\t\n1-2.1\t3-5\tdi\ty[2]|z[3]\t\n1-3\t7-10\tprou\t_\t\n",
            [("x", (1,)), ("y", ((3, 5),)), ("z", ((3, 5),))],
        ),
        # Where it is the only one, it has none. What says something else, or does not begin there, is another.
        (
            "1-1\t0-2\tVa\tx\t\n1-1.1\t0-1\tV\tx\t\n1-2\t3-6\tdir\tx\t\n1-2.1\t4-6\tir\tx\t\n"
            "1-3\t7-10\tprou\tx\t\n1-3.1\t7-8\tp\ty\t\n",
            [("x", ((0, 1),)), ("x", (1,)), ("x", ((4, 6),)), ("x", (2,)), ("y", ((7, 8),))],
        ),
        # The parts of a word in any order.
        (
            "1-1\t0-2\tVa\t_\t\n1-1.2\t0-1\tV\tw\t\n1-1.1\t1-2\ta\tx[1]\t\n1-2\t3-6\tdir\tx[1]\t\n1-3\t7-10\tprou\t_\t\n",
            [("w", ((0, 1),)), ("x", ((1, 6),))],
        ),
        # Parts of tokens: a label from inside of one word over another to a part of a third.
        (
            "1-1\t0-2\tVa\t_\t\n1-1.1\t1-2\ta\t9[7]|8[8]\t\n1-2\t3-6\tdir\t9[7]\t\n1-2.1\t3-5\tdi\t8[8]\t\n"
            "1-3\t7-10\tprou\t_\t\n1-3.1\t7-8\tp\t9[7]\t\n",
            [("9", ((1, 8),)), ("8", ((1, 5),))],
        ),
    ],
)
def test_values_and_where_they_are(tmp_path: Path, rows: str, expected: list[tuple[str, object]]) -> None:
    rows = rows.replace("7-10\tprou", "7-11\tprou")
    assert labels(tmp_path, f"{SPAN}\n\n#Text=Va dir prou\n{rows}") == expected


def test_places_count_utf_16_units_from_the_beginning_of_the_document(tmp_path: Path) -> None:
    """Of the text before, its white space and the blank lines that no sentence has, too."""
    body = (
        f"{SPAN}\n\n#Text=Fa 😊👍🏽 sol .\n"
        "1-1\t1-3\tFa\t_\t\n1-2\t4-6\t😊\tcara\t\n1-3\t6-10\t👍🏽\t_\t\n1-4\t11-14\tsol\tsol\t\n1-5\t15-16\t.\t_\t\n\n"
        "#Text=I 😊\n2-1\t19-20\tI\t_\t\n2-2\t21-23\t😊\tcara\t\n"
    )
    (first, second), said = read(tmp_path, body)
    assert said == []
    assert first.texts["ca"].tokens == ("Fa", "😊", "👍🏽", "sol", ".")
    assert [span.tokens for span in first.texts["ca"].labels[0].spans] == [(1,), (3,)]
    assert second.texts["ca"].labels[0].spans == (Span((1,), "cara"),)


def test_zero_width_annotations_are_counted(tmp_path: Path) -> None:
    body = (
        f"{PLAIN}{SPAN}\n\n#Text=prou.\n1-1\t0-4\tprou\t_\tx\t\n1-1.1\t0-0\t\t*\t_\t\n"
        "1-2\t4-5\t.\t_\t_\t\n1-2.1\t5-5\t\t*\ty\t\n"
    )
    [record], said = read(tmp_path, body)
    assert [span.label for span in record.texts["ca"].labels[0].spans] == ["x"]
    assert record.texts["ca"].tokens == ("prou", ".")
    assert said == ["3 labels without characters, which are not imported"]


def test_hosts_of_links_are_told_apart_by_their_roles(tmp_path: Path) -> None:
    """Two on one word, of which one has no link; one on two words, whose links stand on both; one that goes on."""
    body = (
        f"#T_SP=webanno.custom.Host|{SLOTS}\n\n\n#Text=Ell va dir prou\n"
        "1-1\t0-3\tEll\t_[1]|p1[2]\t*|1-1[1]\t\n"
        "1-2\t4-6\tva\tp1;*[3]\t1-1[1];1-1[2]\t\n"
        "1-3\t7-10\tdir\tp1;*[3]\t1-1[1];1-1[2]\t\n"
        "1-4\t11-15\tprou\tp1[4]\t1-1[2]\t\n\n"
        "#Text=I prou\n2-1\t16-17\tI\tp1[4]\t1-1[2]\t\n2-2\t18-22\tprou\t_\t_\t\n"
    )
    (first, second), said = read(tmp_path, body)
    assert [span.tokens for span in first.texts["ca"].labels[0].spans] == [(0,), (0,), (1, 2), (3,)]
    assert [span.tokens for span in second.texts["ca"].labels[0].spans] == [(0,)]
    assert said == [
        "4 links from one label to others, which are not imported",
        "1 label that crosses a sentence boundary, read as one label per sentence",
    ]


@pytest.mark.parametrize("numbers", [("[1]", "[2]"), ("", "")])
def test_links_of_stacked_hosts(tmp_path: Path, numbers: tuple[str, str]) -> None:
    """Earlier versions have no numbers on roles."""
    one, two = numbers
    body = (
        f"{PLAIN}#T_SP=webanno.custom.Host|{SLOTS}|value\n\n\n#Text=Ell va\n"
        f"1-1\t0-3\tEll\t_\t*;*{one}|_{two}\t1-2;1-2|*\tx[1]|y[2]\t\n1-2\t4-6\tva\t*\t_\t_\t_\t\n"
    )
    [record], said = read(tmp_path, body)
    assert [span.label for span in record.texts["ca"].labels[0].spans] == ["Mark", "x", "y"]
    assert said == ["2 links from one label to others, which are not imported"]


def test_a_slot_that_begins_at_no_character(tmp_path: Path) -> None:
    body = (
        f"{PLAIN}#T_SP=webanno.custom.Host|{SLOTS}\n\n\n#Text=Ell va\n"
        "1-1\t0-3\tEll\t_\t_\t_\t\n1-1.1\t0-0\t\t_\tp1\t1-2\t\n1-2\t4-6\tva\t*\t_\t_\t\n"
    )
    [record], said = read(tmp_path, body)
    assert [span.tokens for span in record.texts["ca"].labels[0].spans] == [(1,)]
    assert said == [
        "1 link from one label to others, which is not imported",
        "1 label without characters, which is not imported",
    ]


def test_relations_and_chains_are_counted_whatever_features_they_have(tmp_path: Path) -> None:
    """Several chained layers; the columns of a chain stand in the order of the alphabet."""
    body = (
        "#T_SP=webanno.custom.Span|value\n"
        "#T_CH=de.tudarmstadt.ukp.dkpro.core.api.coref.type.CoreferenceLink|referenceRelation|referenceType\n"
        "#T_CH=webanno.custom.ThingLink|referenceRelation|referenceType\n"
        "#T_RL=webanno.custom.Complex|truth|number|value|BT_webanno.custom.Span\n"
        "#T_RL=webanno.custom.Bare|BT_webanno.custom.Span\n\n\n#Text=Ell va dir prou\n"
        "1-1\t0-3\tEll\tqui\tcoref->1-1|*->2-1\tpr[1]|nom[2]\t_\t_\t_\t_\t_\t_\t_\t\n"
        "1-2\t4-6\tva\t_\t_\t_\t*->3-1\tcosa[3]\ttrue\t42\tnsubj\t1-1\t_\t\n"
        "1-3\t7-10\tdir\tx[4]|y[5]\t*->1-2\tpr[1]\t_\t_\t*|*\t_|_\ta|b\t1-1[0_4]|1-1[0_5]\t1-1[0_4]\t\n"
        "1-4\t11-15\tprou\t_\t_\t_\t*->3-2\tcosa[3]\t_\t_\t_\t_\t_\t\n"
    )
    [record], said = read(tmp_path, body)
    assert [(span.label, span.tokens) for span in record.texts["ca"].labels[0].spans] == [
        ("qui", (0,)),
        ("x", (2,)),
        ("y", (2,)),
    ]
    # Five places in chains, and one and two relations of one sort, one of another.
    assert said == ["9 relations between labels, which are not imported"]


@pytest.mark.parametrize("features", ["referenceRelation|referenceType", "referenceType|referenceRelation"])
def test_a_place_in_a_chain_counts_once(tmp_path: Path, features: str) -> None:
    """Of several words, or of parts of them."""
    rows = [
        ("1-1\t0-3\tEll", "*->1-1|x\\->y->2-1", "*[1]|*[2]"),
        ("1-2\t4-6\tva", "*->1-1", "*[1]"),
        ("1-2.1\t4-5\tv", "*->1-2", "*[1]"),
        ("1-3\t7-10\tdir", "_", "_"),
    ]
    cells = [(link, kind) if features.startswith("referenceRelation") else (kind, link) for _, link, kind in rows]
    lines = [f"{row[0]}\t{one}\t{two}\t\n" for row, (one, two) in zip(rows, cells, strict=True)]
    [record], said = read(
        tmp_path, f"#T_CH=webanno.custom.ThingLink|{features}\n\n\n#Text=Ell va dir\n{''.join(lines)}"
    )
    assert record.texts["ca"].labels == ()
    assert "3 relations between labels, which are not imported" in said


def test_a_label_over_three_sentences_counts_once(tmp_path: Path) -> None:
    body = f"{SPAN}\n\n" + "\n".join(f"#Text=Va\n{n}-1\t{3 * n - 3}-{3 * n - 1}\tVa\tx[1]\t\n" for n in range(1, 4))
    records, said = read(tmp_path, body)
    assert [record.texts["ca"].labels[0].spans for record in records] == [(Span((0,), "x"),)] * 3
    assert said == ["1 label that crosses a sentence boundary, read as one label per sentence"]


@pytest.mark.parametrize("version", ["3", "3.0", "3.1", "3.2", "3.3"])
def test_each_version(tmp_path: Path, version: str) -> None:
    """Sentences without a space between them, one of several lines, with white space at the end."""
    body = (
        f"{SPAN}\n\n#Text=Ell\\tva\n#Text=dir. \n1-1\t0-3\tEll\t_\t\n1-2\t4-6\tva\tx\t\n1-3\t7-10\tdir\t_\t\n"
        "1-4\t10-11\t.\t_\t\n\n#Text=Prou\n2-1\t11-15\tProu\t\\*\t\n"
    )
    (first, second), said = read(tmp_path, body, version=version)
    assert first.texts["ca"].spaces == ("", "\t", "\n", "", " ")
    assert first.texts["ca"].labels[0].spans == (Span((1,), "x"),)
    assert second.texts["ca"].labels[0].spans == (Span((0,), "*"),)
    assert said == []
    guess = formats()["webanno"].recognise([SourceFile("carta.tsv", tmp_path / "carta.tsv")], languages=["ca"])
    assert guess and guess.sure == 1


def test_white_space_before_the_first_token(tmp_path: Path) -> None:
    """Sentences that were not trimmed, and one of white space alone at the beginning and at the end."""
    body = (
        f"{SPAN}\n\n#Text=\n\n#Text= \\tVa\n#Text=\n#Text=dir\n1-1\t2-4\tVa\tx[1]\t\n1-2\t6-9\tdir\tx[1]\t\n\n"
        "#Text=\n#Text=Prou\n2-1\t12-16\tProu\t_\t\n\n#Text= \n"
    )
    (first, second), said = read(tmp_path, body)
    assert (first.texts["ca"].tokens, first.texts["ca"].spaces) == (("Va", "dir"), ("", "\n\n", ""))
    assert first.texts["ca"].labels[0].spans == (Span((0, 1), "x"),)
    assert second.texts["ca"].tokens == ("Prou",)
    assert said == []


def test_an_earlier_format_is_refused_and_not_taken_for_a_table(tmp_path: Path) -> None:
    path = tmp_path / "carta.tsv"
    path.write_text(" # webanno.custom.Span | value\n#id=1\n#text=Va dir\n1-1\tVa\tB-x\t\n1-2\tdir\tI-x\t\n\n", "utf-8")
    [guess, *_] = recognise([SourceFile("carta.tsv", path)], languages=["ca"])
    assert guess.format == "webanno"
    with pytest.raises(FormatError) as caught:
        reads(formats()["webanno"], path)
    assert str(caught.value) == (
        "carta.tsv:1: expected #FORMAT=WebAnno TSV 3.0 to 3.3, got “ # webanno.custom.Span | value”, "
        "of an earlier version: export it as WebAnno TSV 3"
    )


def test_the_id_of_a_sentence_is_escaped_as_its_text_is(tmp_path: Path) -> None:
    body = f"{SPAN}\n\n#Sentence.id=a\\\\b\\t1\n#Text=Va\n1-1\t0-2\tVa\t_\t\n"
    [record], _said = read(tmp_path, body)
    assert record.id == "a\\b\t1"


def test_parts_must_be_at_their_places_too(tmp_path: Path) -> None:
    path = tmp_path / "carta.tsv"
    path.write_text(
        f"#FORMAT=WebAnno TSV 3.3\n{SPAN}\n\n#Text=Va dir\n1-1\t0-2\tVa\t_\t\n"
        "1-2\t3-6\tdir\t_\t\n1-2.1\t4-5\tir\tx\t\n",
        "utf-8",
    )
    [error] = reads(formats()["webanno"], path)
    assert isinstance(error, FormatError)
    assert str(error) == "carta.tsv:5: expected the tokens “Va dir ir” at their places in the text, got “Va dir”"


def test_several_layers_of_labels_and_those_of_taggers(tmp_path: Path) -> None:
    body = (
        "#T_SP=de.tudarmstadt.ukp.dkpro.core.api.lexmorph.type.pos.POS|coarseValue|PosValue\n"
        "#T_SP=de.tudarmstadt.ukp.dkpro.core.api.lexmorph.type.morph.MorphologicalFeatures|gender|value\n"
        "#T_SP=de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity|identifier|value\n"
        f"{SPAN}\n\n#Text=La Neus\n"
        "1-1\t0-2\tLa\tDET\tDA\tfem\tf\t*[1]\tPER[1]\t_\t\n1-2\t3-7\tNeus\tPROPN\tNP\t_\t_\t*[1]\tPER[1]\tx\t\n"
    )
    [record], said = read(tmp_path, body)
    assert record.texts["ca"].parts_of_speech == ("DA", "NP")
    assert record.texts["ca"].labels[0].spans == (
        Span((0, 1), "PER", {"layer": "NamedEntity"}),
        Span((1,), "x", {"layer": "Span"}),
    )
    assert said == ["1 annotation in the layer MorphologicalFeatures, which is not imported"]
