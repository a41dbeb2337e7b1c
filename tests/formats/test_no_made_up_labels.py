"""Files that say nothing of words, or say it in older ways: no "no label" is made up, and no two labels become one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from annotator.formats.common.errors import FormatError
from annotator.formats.common.records import Read, Record
from annotator.formats.registry import formats
from annotator.formats.text.characters import tokenised
from tests.formats.brought import guessed, warnings


def brought(folder: Path, files: dict[str, str]) -> list[Read]:
    guess = guessed(folder, files)
    return list(tokenised(formats()[guess.format].read(guess.files, guess.options), guess.options))


def spans(reads: list[Read]) -> list[list[tuple[str, tuple[int, ...]]] | None]:
    """Of each text, its labels; None where nobody answered."""
    assert not [read for read in reads if isinstance(read, FormatError)]
    return [
        [(span.label, span.tokens) for span in text.labels[0].spans] if text.labels else None  # type: ignore[union-attr]
        for read in reads
        if isinstance(read, Record)
        for text in read.texts.values()
    ]


def tei(sentence: str, header: str = "") -> str:
    head = f"<teiHeader>{header}</teiHeader>"
    return f'<TEI xmlns="http://www.tei-c.org/ns/1.0">{head}<text><body><p><s>{sentence}</s></p></body></text></TEI>'


class TestTei:
    @pytest.mark.parametrize(
        ("content", "found"),
        [
            (tei("<w>Time</w> <w>flies</w>"), [None]),
            (tei('<w>Time</w> <w><seg function="name">flies</seg></w>'), [None]),
            (tei('<w>Time</w> <w><seg function="mrw" type="met">flies</seg></w>'), [[("INDIRECT", (1,))]]),
            (tei("<w>Time</w> <w><seg function='mrw' type='met'>flies</seg></w>"), [[("INDIRECT", (1,))]]),
            (tei("<w>Time</w> <w>flies</w>", "<title>VU Amsterdam Metaphor Corpus</title>"), [[]]),
        ],
    )
    def test_only_files_with_labels_of_mipvu_say_that_words_are_literal(
        self, tmp_path: Path, content: str, found: list[Any]
    ) -> None:
        reads = brought(tmp_path, {"a.xml": content})
        assert spans(reads) == found
        [record] = [read for read in reads if isinstance(read, Record)]
        assert record.source == ("" if found == [None] else "VUAMC")
        if found == [None]:
            assert "1 sentence from a file without MIPVU labels, imported without an answer" in warnings(reads)


def columns(*tags: str) -> str:
    return "".join(f"w{n} {tag}\n" if tag else "\n" for n, tag in enumerate(tags)) + "\n"


IOB1 = "I-LOC: IOB1 tags, where I- begins a label, read as BIO"


class TestIob1:
    @pytest.mark.parametrize(
        ("tags", "found", "by_i"),
        [
            (["I-LOC", "O", "I-LOC", "O"], [[("LOC", (0,)), ("LOC", (2,))]], True),
            (["I-LOC", "I-LOC", "B-LOC", "O", "I-LOC"], [[("LOC", (0, 1)), ("LOC", (2,)), ("LOC", (4,))]], True),
            (["I-LOC", "I-PER", "I-LOC", "O"], [[("LOC", (0,)), ("PER", (1,)), ("LOC", (2,))]], True),
            # What one sentence tells holds for the file.
            (["O", "I-LOC", "", "I-LOC", "O", "I-LOC"], [[("LOC", (1,))], [("LOC", (0,)), ("LOC", (2,))]], True),
            # Of BIO, a label that leaves words out goes on with I-.
            (["B-LOC", "O", "I-LOC", "O"], [[("LOC", (0, 2))]], False),
            (["B-LOC", "O", "", "I-LOC", "O", "I-LOC"], [[("LOC", (0,))], [("LOC", (0, 2))]], False),
        ],
    )
    def test_labels_that_begin_with_i(self, tmp_path: Path, tags: list[str], found: Any, by_i: bool) -> None:
        for name, content in (
            ("a.conll", columns(*tags)),
            ("a.tsv", columns(*tags).replace(" ", "\t")),
            ("eng.testa", "-DOCSTART- -X- O\n\n" + columns(*tags).replace(" ", " NN ")),
        ):
            reads = brought(tmp_path, {name: content})
            assert spans(reads) == found
            assert (IOB1 in warnings(reads)) == by_i

    @pytest.mark.parametrize("key", ["tags", "ner_tags", "labels"])
    def test_in_lists(self, tmp_path: Path, key: str) -> None:
        row = {"tokens": ["a", "b", "c"], key: ["I-LOC", "O", "I-LOC"]}
        reads = brought(tmp_path, {"a.jsonl": json.dumps(row) + "\n"})
        assert spans(reads) == [[("LOC", (0,)), ("LOC", (2,))]]
        assert "IOB1" in warnings(reads)[-1]


class TestLabelsThatAreTheSameAsFarAsTheyAreRead:
    LAYER = "webanno.custom.Span|value|ROLE_webanno.custom.Span:links_L|uima.tcas.Annotation"
    HEADER = f"#FORMAT=WebAnno TSV 3.3\n#T_SP={LAYER}\n"
    REST = "1-2\t5-7\tis\t_\t_\t_\t\n"

    @pytest.mark.parametrize(
        ("cell", "found"),
        [
            ("M[1]|M[2]\tp1|p2\t1-2|1-2", [("M", (0,))]),
            ("M[1]|N[2]\tp1|p2\t1-2|1-2", [("M", (0,)), ("N", (0,))]),
        ],
    )
    def test_of_a_stack(self, tmp_path: Path, cell: str, found: Any) -> None:
        content = f"{self.HEADER}\n\n#Text=This is\n1-1\t0-4\tThis\t{cell}\t\n{self.REST}"
        reads = brought(tmp_path, {"a.tsv": content})
        assert spans(reads) == [found]
        once = "a label that appears twice with the same content is read once"
        assert (once in warnings(reads)) == (len(found) == 1)

    @pytest.mark.parametrize(
        "row",
        [
            {"text": "It fell.", "label": [[3, 7, "M"], [3, 7, "M"]]},
            {"text": "It fell.", "spans": [{"start": 3, "end": 7, "label": "M", "by": n} for n in (1, 2)]},
        ],
    )
    def test_in_json(self, tmp_path: Path, row: dict[str, Any]) -> None:
        reads = brought(tmp_path, {"a.jsonl": json.dumps({**row, "tokens": ["It", "fell", "."]}) + "\n"})
        assert spans(reads) == [[("M", (1,))]]


class TestTypeSystems:
    XMI = (
        '<xmi:XMI xmlns:xmi="http://www.omg.org/XMI" xmi:version="2.0" xmlns:cas="http:///uima/cas.ecore" '
        'xmlns:custom="http:///webanno/custom.ecore"><custom:Label xmi:id="5" sofa="1" begin="4" end="7" value="M"/>'
        '<cas:Sofa xmi:id="1" sofaNum="1" sofaID="_InitialView" sofaString="The sky fell."/></xmi:XMI>'
    )
    TYPES = (
        '<typeSystemDescription xmlns="http://uima.apache.org/resourceSpecifier"><types><typeDescription>'
        "<name>webanno.custom.Label</name><supertypeName>uima.tcas.Annotation</supertypeName><features>"
        "<featureDescription><name>value</name><rangeTypeName>uima.cas.String</rangeTypeName></featureDescription>"
        "</features></typeDescription></types></typeSystemDescription>"
    )

    @pytest.mark.parametrize("name", ["TypeSystem.xml", "webanno_types.xml", "a/b/full-typesystem.xml", "types.XML"])
    @pytest.mark.parametrize(
        "head", ["", '<?xml version="1.0" encoding="UTF-8"?>\n<!-- <xmi:XMI> is the other one -->\n']
    )
    def test_whatever_it_is_called(self, tmp_path: Path, name: str, head: str) -> None:
        reads = brought(tmp_path, {"doc.xmi": self.XMI, name: head + self.TYPES})
        assert spans(reads) == [[("M", (1,))]]


POS = "de.tudarmstadt.ukp.dkpro.core.api.lexmorph.type.pos.POS|PosValue"
SPAN = "webanno.custom.Span|value"


def webanno(*layers: str) -> str:
    cells = "_\t" * len(layers)
    head = "".join(f"#T_SP={layer}\n" for layer in layers)
    return f"#FORMAT=WebAnno TSV 3.3\n{head}\n\n#Text=Time flies\n1-1\t0-4\tTime\t{cells}\n1-2\t5-10\tflies\t{cells}\n"


def cas() -> str:
    return (
        '<xmi:XMI xmi:version="2.0" xmlns:xmi="http://www.omg.org/XMI" xmlns:cas="http:///uima/cas.ecore">'
        '<cas:Sofa xmi:id="1" sofaNum="1" sofaID="_InitialView" mimeType="text" sofaString="Time flies"/></xmi:XMI>'
    )


def types(*names: str) -> str:
    said = "".join(
        f"<typeDescription><name>{name}</name><supertypeName>uima.tcas.Annotation</supertypeName></typeDescription>"
        for name in names
    )
    xmlns = "http://uima.apache.org/resourceSpecifier"
    return f'<typeSystemDescription xmlns="{xmlns}"><types>{said}</types></typeSystemDescription>'


@pytest.mark.parametrize(
    ("files", "found"),
    [
        ({"a.tsv": webanno()}, [None]),
        ({"a.tsv": webanno(POS)}, [None]),
        ({"a.tsv": webanno(POS, SPAN)}, [[]]),
        ({"a.xmi": cas()}, [None]),
        ({"a.xmi": cas(), "TypeSystem.xml": types("de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity")}, [None]),
        ({"a.xmi": cas(), "TypeSystem.xml": types("webanno.custom.Span")}, [[]]),
    ],
)
def test_a_document_without_a_layer_of_labels_says_nothing_of_words(
    tmp_path: Path, files: dict[str, str], found: list[Any]
) -> None:
    reads = brought(tmp_path, files)
    assert spans(reads) == found
    left = "1 sentence from a file without a label layer, imported without an answer"
    assert (left in warnings(reads)) == (found == [None])
