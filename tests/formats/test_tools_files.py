"""Files as other tools write them. The CAS files are dkpro-cassis', JSON-MIN is label-studio-sdk's, the JSON Lines are
doccano's own; WebAnno, TEI and TMX are written after their descriptions (what WebAnno's own files show is in
`test_webanno`). The sentences are ours."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from annotator.domain.labels.spans import Span
from annotator.formats.common.errors import FormatError, FormatWarning
from annotator.formats.common.escapes import noting_escapes
from annotator.formats.common.protocol import Options, SourceFile
from annotator.formats.common.records import CharSpan, Record, Says
from annotator.formats.recognise import recognise
from annotator.formats.registry import formats
from annotator.formats.text.characters import tokenised
from tests.formats.corpora import look, reads

FILES = Path(__file__).parent / "files"


def _records(found):
    return [read for read in found if isinstance(read, Record)]


def _warnings(found):
    return [str(read.what) for read in found if isinstance(read, FormatWarning)]


def _labels(record, language="ca"):
    return [
        (source.says.value, source.name, [(span.label, dict(span.attributes)) for span in source.spans])
        for source in record.texts[language].labels
    ]


@pytest.mark.parametrize(
    ("slug", "names"),
    [
        ("doccano", ["doccano.jsonl"]),
        ("doccano", ["doccano_relations.jsonl"]),
        ("doccano", ["doccano_categories.jsonl"]),
        ("label-studio", ["label_studio.json"]),
        ("label-studio", ["label_studio_min.json"]),
        ("webanno", ["webanno.tsv"]),
        ("cas-xmi", ["inception.xmi", "TypeSystem.xml"]),
        ("cas-json", ["inception.json"]),
        ("vuamc", ["vuamc.xml"]),
        ("tmx", ["memory.tmx"]),
    ],
)
def test_each_is_recognised_first(slug, names):
    files = [SourceFile(name, FILES / name, encoding="") for name in names]
    assert recognise(files, languages=["ca", "es"])[0].format == slug


class TestDoccano:
    def test_labels_and_what_it_gave_back_as_metadata(self):
        found = reads(formats()["doccano"], FILES / "doccano.jsonl")
        first, second, third, fourth = _records(found)
        assert (first.id, first.group, first.genre) == ("s-0", "carta", "premsa")
        assert first.texts["ca"].tokens[3:6] == ("empassar", "-se", "👩🏽\u200d🚒")
        assert [(one.fragments, one.label) for one in first.texts["ca"].labels[0].spans] == [
            (((11, 22),), "METAPHOR"),
            (((28, 36),), "SIMILE"),
            (((30, 36),), "METAPHOR"),
        ]
        assert _labels(second) == [("gold", "", [("METAPHOR", {})])]
        assert _labels(third) == _labels(fourth) == [("gold", "", [])]
        assert _warnings(found) == ["a comment, which is not imported"]

    def test_relations_are_counted_but_for_those_that_join_a_label(self):
        found = reads(formats()["doccano"], FILES / "doccano_relations.jsonl")
        joined = _records(found)[1].texts["ca"].labels[0].spans
        assert [one.fragments for one in joined if one.label == "METAPHOR"] == [((11, 18), (20, 25))]
        assert "a comment, which is not imported" in _warnings(found)

    def test_categories(self):
        found = _records(reads(formats()["doccano"], FILES / "doccano_categories.jsonl"))
        assert [record.texts["ca"].values for record in found] == [
            {"tone": ("irònic", "seriós")},
            {"tone": ("seriós",)},
        ]
        assert [record.texts["ca"].labels for record in found] == [(), ()]

    @pytest.mark.parametrize(
        "labels",
        [
            {"labels": [[3, 7, "N"]]},
            {"label": [[3, 7, "N"]]},
            {"entities": [{"id": 5, "label": "N", "start_offset": 3, "end_offset": 7}]},
            {"entities": [[3, 7, "N"]], "cats": ["x"]},
        ],
    )
    def test_all_its_versions_spell_the_same(self, tmp_path, labels):
        path = tmp_path / "x.jsonl"
        row = {"id": 9, "data": "La Neus", **labels, "relations": [{"id": 1, "from_id": 5, "to_id": 5, "type": "same"}]}
        path.write_text(json.dumps(row) + "\n", "utf-8")
        found = reads(formats()["doccano"], path)
        assert _records(found)[0].id == "9"
        assert _records(found)[0].texts["ca"].labels[0].spans == (CharSpan(((3, 7),), "N"),)
        assert "a relation between labels, which is not imported" in _warnings(found)


class TestLabelStudio:
    def test_everybody_has_their_own_labels(self):
        found = reads(formats()["label-studio"], FILES / "label_studio.json")
        first, second, third = _records(found)
        assert (first.id, first.group) == ("11", "carta")
        assert _labels(first) == [
            (
                "person",
                "ana@example.eu",
                [("Metaphor", {"certainty": "doubt"}), ("Signal", {}), ("plain", {"layer": "tone"})],
            ),
            ("person", "jon@example.eu", [("ironic", {"layer": "tone"})]),
            ("model", "crf-1", [("Metaphor", {})]),
        ]
        assert first.texts["ca"].labels[2].spans[0].score == 0.75
        assert _labels(second) == [("gold", "", [("Metaphor", {}), ("Signal", {})])]
        assert third.texts["ca"].values == {"tone": ("plain",)}
        assert _warnings(found) == [
            "1 relation between labels, which is not imported",
            "1 answer marked as skipped, which is left out",
        ]

    def test_json_min_has_a_row_for_each_annotation(self):
        found = _records(reads(formats()["label-studio"], FILES / "label_studio_min.json"))
        assert [record.id for record in found] == ["11", "12", "13"]
        assert {name for _, name, _ in _labels(found[0])} == {"ana@example.eu", "jon@example.eu"}
        assert found[2].texts["ca"].labels[0].spans == (CharSpan(((6, 8),), "Metaphor"),)

    @pytest.mark.parametrize(("begin", "end"), [(3, 7), (5, 9)])
    def test_positions_are_what_the_text_beside_them_says(self, tmp_path, begin, end):
        # 👩🏽 is two characters and four UTF-16 units, which versions before 1.5 counted.
        path = tmp_path / "x.json"
        value = {"start": begin, "end": end, "text": "neus", "labels": ["N"]}
        result = [{"id": "a", "from_name": "l", "to_name": "text", "type": "labels", "value": value}]
        path.write_text(json.dumps([{"id": 1, "data": {"text": "👩🏽 neus va"}, "annotations": [{"result": result}]}]))
        found = _records(reads(formats()["label-studio"], path))
        assert found[0].texts["ca"].labels[0].spans == (CharSpan(((3, 7),), "N"),)

    def test_labels_on_html_are_on_its_text(self, tmp_path):
        path = tmp_path / "x.json"
        value = {
            "start": "/p[1]/b[1]/text()[1]",
            "end": "/p[1]/b[1]/text()[1]",
            "startOffset": 0,
            "endOffset": 4,
            "globalOffsets": {"start": 3, "end": 7},
            "text": "Neus",
            "hypertextlabels": ["N"],
        }
        result = [{"id": "a", "from_name": "l", "to_name": "text", "type": "hypertextlabels", "value": value}]
        task = {"id": 1, "data": {"text": "<p>La <b>Neus</b> &amp; jo</p>"}, "annotations": [{"result": result}]}
        path.write_text(json.dumps([task]))
        found = _records(reads(formats()["label-studio"], path))
        assert found[0].texts["ca"].text == "La Neus & jo"
        assert found[0].texts["ca"].labels[0].spans == (CharSpan(((3, 7),), "N"),)

    def test_a_label_whose_text_is_elsewhere_is_an_error_and_the_next_task_is_read(self, tmp_path):
        path = tmp_path / "x.json"
        value = {"start": 0, "end": 2, "text": "no", "labels": ["N"]}
        result = [{"id": "a", "from_name": "l", "to_name": "text", "type": "labels", "value": value}]
        tasks = [
            {"id": 1, "data": {"text": "La Neus"}, "annotations": [{"result": result}]},
            {"id": 2, "data": {"text": "Prou"}, "annotations": []},
        ]
        path.write_text(json.dumps(tasks, indent=1))
        error, record = reads(formats()["label-studio"], path)
        assert isinstance(error, FormatError) and error.line == 2 and "as the label says" in str(error)
        assert record.id == "2" and record.texts["ca"].labels == ()


class TestWebAnno:
    def test_layers_with_labels_on_tokens_and_on_parts_of_them(self):
        found = reads(formats()["webanno"], FILES / "webanno.tsv")
        first, second, third = _records(found)
        assert (first.id, first.group) == ("carta-1", "webanno")
        text = first.texts["ca"]
        assert text.lemmas[3] == "empassar-se" and text.parts_of_speech[3] == "VM"
        metaphor = {"layer": "Metaphor"}
        assert text.labels[0].spans == (
            Span((3, 4), "indirecta", {"domain": "menjar|beguda", **metaphor}),
            Span((5,), "Metaphor", metaphor),
            Span((7,), "indirecta", metaphor),
            Span((7,), "senyal", metaphor),
            CharSpan(((27, 30),), "tros", metaphor),
            Span((3,), "empassar_se", {"layer": "Frame"}),
        )
        assert second.texts["ca"].tokens[4] == "camí\\ruta"
        assert second.texts["ca"].spaces[5:7] == ("\n", " \t") or second.texts["ca"].spaces[6] == " \t"
        assert second.texts["ca"].labels[0].spans[1].attributes["domain"] == "a[1];b_c->d*"
        assert third.texts["ca"].labels[0].spans == (Span((0,), "sobre la frontera", metaphor),)
        assert _warnings(found) == [
            "2 links from one label to others, which are not imported",
            "3 relations between labels, which are not imported",
            "1 label that crosses a sentence boundary, read as one label per sentence",
        ]

    def test_a_label_on_a_part_of_a_token_is_widened_on_request_only(self):
        one, file = formats()["webanno"], SourceFile("w.tsv", FILES / "webanno.tsv", language="ca")
        strict = list(tokenised(one.read([file], Options()), Options()))
        assert [str(read) for read in strict if isinstance(read, FormatError)] == [
            "w.tsv:10: expected labels on whole tokens, got tros on “org” (characters 27–30), "
            "which cuts the token “orgull”"
        ]
        wide = _records(tokenised(one.read([file], Options(widen=True)), Options(widen=True)))
        assert Span((7,), "tros", {"layer": "Metaphor"}) in wide[0].texts["ca"].labels[0].spans

    def test_people_with_other_sentences_are_refused(self, tmp_path):
        other = tmp_path / "jon.tsv"
        other.write_text((FILES / "webanno.tsv").read_text("utf-8").replace("orgull", "orguLL"), "utf-8")
        files = [
            SourceFile("p/annotation/carta.txt/ana.tsv", FILES / "webanno.tsv", language="ca"),
            SourceFile("p/annotation/carta.txt/jon.tsv", other, language="ca"),
        ]
        with pytest.raises(FormatError, match=r"as at p/annotation/carta\.txt/ana\.tsv:10"):
            list(formats()["webanno"].read(files, Options()))


class TestCas:
    def _xmi(self):
        return [SourceFile(name, FILES / name, language="ca") for name in ("inception.xmi", "TypeSystem.xml")]

    def test_xmi_and_json_say_the_same(self):
        xmi = list(formats()["cas-xmi"].read(self._xmi(), Options()))
        json_ = reads(formats()["cas-json"], FILES / "inception.json")
        assert look(_records(xmi)) == look(_records(json_))
        assert _warnings(xmi) == ["2 relations between labels, which are not imported"] == _warnings(json_)
        first = _records(xmi)[0]
        assert (first.id, first.group) == ("s-1", "orgull.txt")
        assert first.texts["ca"].lemmas[3:5] == ("empassar-se", "es")
        assert first.texts["ca"].labels[0].spans[:2] == (
            CharSpan(((11, 22),), "indirect", {"domain": "food", "doubt": "true", "weight": "2"}),
            # Two UTF-16 units in the file.
            CharSpan(((23, 24),), "flag"),
        )
        # A label without a value is its layer.
        assert _labels(_records(xmi)[1]) == [("gold", "", [("Metaphor", {"domain": "temperature & <cold>"})])]

    def test_zipped_with_its_type_system_it_is_the_same(self, tmp_path):
        path = tmp_path / "carta.zip"
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as out:
            out.write(FILES / "inception.xmi", "carta.xmi")
            out.write(FILES / "TypeSystem.xml", "TypeSystem.xml")
        file = SourceFile("carta.zip", path, encoding="")
        assert recognise([file], languages=["ca"])[0].format == "cas-xmi"
        found = _records(formats()["cas-xmi"].read([SourceFile("carta.zip", path, language="ca")], Options()))
        assert look(found) == look(_records(formats()["cas-xmi"].read(self._xmi(), Options())))

    def test_a_project_export_with_zips_in_a_zip(self, tmp_path):
        inner = tmp_path / "ana.zip"
        with zipfile.ZipFile(inner, "w") as out:
            out.write(FILES / "inception.xmi", "ana.xmi")
            out.write(FILES / "TypeSystem.xml", "TypeSystem.xml")
        path = tmp_path / "project.zip"
        with zipfile.ZipFile(path, "w") as out:
            out.write(inner, "annotation/carta.txt/ana.zip")
            out.write(inner, "curation/carta.txt/CURATION_USER.zip")
        found = _records(formats()["cas-xmi"].read([SourceFile("project.zip", path, language="ca")], Options()))
        assert len(found) == 3
        assert [(one.says, one.name) for one in found[0].texts["ca"].labels] == [(Says.PERSON, "ana"), (Says.GOLD, "")]


def test_vuamc():
    found = reads(formats()["vuamc"], FILES / "vuamc.xml")
    head, first, second, unread, read = _records(found)
    assert (head.id, head.genre, head.source) == ("a1e-fragment01.head1", "news", "VUAMC")
    assert first.id == "a1e-fragment01.1" and first.group == "a1e-fragment01"
    text = first.texts["ca"]
    assert " ".join(text.tokens) == "The bank 's loans do n't dry money up in spite of frost ."
    assert text.spaces[:6] == ("", " ", "", " ", " ", "")
    assert text.lemmas[9:12] == ("in", "spite", "of") and text.parts_of_speech[9:12] == ("PRP",) * 3
    assert text.labels[0].spans == (
        Span((6, 8), "INDIRECT"),
        Span((12,), "INDIRECT", {"borderline": "WIDLII"}),
    )
    assert second.texts["ca"].labels[0].spans == (
        Span((3,), "MFLAG"),
        Span((5,), "DIRECT", {"borderline": "WIDLII", "personification": "PP"}),
        Span((8,), "IMPLICIT"),
        Span((10,), "INDIRECT"),
    )
    # Nobody read the first sentence of b1g; the other has no metaphor.
    assert unread.texts["ca"].labels == () and read.texts["ca"].labels[0].spans == ()
    assert _warnings(found) == [
        "1 label on part of a word, read as one on the whole word",
        "1 sentence from b1g that the corpus authors did not annotate, imported without an answer",
    ]


def test_tmx():
    found = reads(formats()["tmx"], FILES / "memory.tmx")
    first, second = _records(found)
    assert (first.id, first.group) == ("12", "carta")
    assert {language: text.text for language, text in first.texts.items()} == {
        "ca": "La Neus va empassar-se l'orgull 😀.",
        "es-ES": "Nieves se tragó el orgullo.",
    }
    assert second.texts["eu"].text == "Nahikoa <da>."
    assert _warnings(found) == [
        "5 tags of the original document inside texts, which were removed",
        "a line break inside a text, read as a space",
    ]


def test_what_moses_escaped_is_counted(tmp_path):
    (tmp_path / "corpus.ca").write_text("l &apos; orgull\n\nprou\n", "utf-8")
    (tmp_path / "corpus.es").write_text("el orgullo\nbasta\nya\n", "utf-8")
    files = [SourceFile(name, tmp_path / name, encoding="") for name in ("corpus.ca", "corpus.es")]
    guess = next(guess for guess in recognise(files, languages=["ca", "es"]) if guess.format == "moses")
    found = list(noting_escapes(formats()["moses"].read(guess.files, guess.options)))
    assert [sorted(record.texts) for record in _records(found)] == [["ca", "es"], ["es"], ["ca", "es"]]
    assert _warnings(found) == [
        "a blank line, which is not a sentence",
        "1 text has escaped characters, such as “&apos;”, and is read as it is",
    ]
