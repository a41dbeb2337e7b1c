"""Exports as other tools shape them, in their older versions and with what stands beside: written by hand after the
tools' documentation and threads, with sentences of ours."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from annotator.domain.labels.spans import Span
from annotator.formats.common.errors import FormatError
from annotator.formats.common.protocol import Guess, SourceFile
from annotator.formats.common.records import CharSpan, PairRecord, Record
from annotator.formats.recognise import recognise
from annotator.formats.registry import formats
from tests.formats.brought import guesses, warnings

TEXT = "La Neus 😀 menja el temps."


def guessed(folder: Path, files: Mapping[str, str]) -> Guess:
    """The first guess for files with these contents."""
    return guesses(folder, files, "ca", "es")[0]


def read(guess: Guess) -> tuple[list[Record | PairRecord], list[str]]:
    """The records, and what is warned of."""
    found = list(formats()[guess.format].read(guess.files, guess.options))
    assert not [str(one) for one in found if isinstance(one, FormatError)]
    records = [one for one in found if isinstance(one, Record | PairRecord)]
    return records, warnings(found)


def lines(rows: Iterable[Mapping[str, Any]]) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


class TestDoccano:
    @pytest.mark.parametrize(
        ("row", "left_out"),
        [
            # Version 1.5 calls the text "data", those before 1.3 have what they know of an example under "meta".
            ({"data": TEXT, "label": [[3, 7, "PER"]]}, []),
            ({"text": TEXT, "meta": {"page": 3}, "annotation_approver": None, "labels": [[3, 7, "PER"]]}, ["meta"]),
            # A column of the import may be called as something that we know.
            ({"text": TEXT, "label": [[3, 7, "PER"]], "tags": ["a"], "page": 3, "author": None}, ["tags", "page"]),
            ({"text": TEXT, "entities": [{"id": 5, "label": "PER", "start_offset": 3, "end_offset": 7}]}, []),
        ],
    )
    def test_labels_on_characters(self, tmp_path: Path, row: dict[str, Any], left_out: list[str]) -> None:
        guess = guessed(tmp_path, {"all.jsonl": lines([{"id": 1, **row}])})
        [record], said = read(guess)
        assert guess.format == "doccano" and isinstance(record, Record)
        assert record.texts["ca"].labels[0].spans == (CharSpan(((3, 7),), "PER"),)
        assert said == [f"“{key}” is not read (once)" for key in left_out]

    def test_labels_by_their_numbers_and_who_gave_them(self, tmp_path: Path) -> None:
        first = {"label": 2, "start_offset": 3, "end_offset": 7, "user": 1}
        second = {"label": 4, "start_offset": 10, "end_offset": 15, "user": 7}
        rows = [
            {"id": 1, "text": TEXT, "annotations": [first, second], "meta": {}, "annotation_approver": "admin"},
            {"id": 2, "text": "Res.", "annotations": [], "meta": {}, "annotation_approver": None},
        ]
        guess = guessed(tmp_path, {"file.json1": lines(rows)})
        (one, nobodys), said = read(guess)
        assert guess.format == "doccano" and isinstance(one, Record) and isinstance(nobodys, Record)
        found = [(source.says, source.name, source.spans) for source in one.texts["ca"].labels]
        assert found == [
            ("person", "1", (CharSpan(((3, 7),), "2"),)),
            ("person", "7", (CharSpan(((10, 15),), "4"),)),
        ]
        assert nobodys.texts["ca"].labels == ()
        assert "labels are numbers" in said[0]

    @pytest.mark.parametrize(
        ("users", "values", "labels"),
        [
            ([(1, 3), (2, 3)], {"": ("3",)}, []),
            ([(1, 3), (2, 4)], {}, [("1", ["3"]), ("2", ["4"])]),
        ],
    )
    def test_categories_by_their_numbers(
        self, tmp_path: Path, users: list[tuple[int, int]], values: Any, labels: Any
    ) -> None:
        row = {"id": 1, "text": TEXT, "annotations": [{"label": label, "user": user} for user, label in users]}
        [record], _said = read(guessed(tmp_path, {"all.jsonl": lines([row])}))
        assert isinstance(record, Record)
        text = record.texts["ca"]
        assert text.values == values
        assert [(source.name, [span.label for span in source.spans]) for source in text.labels] == labels


def test_what_label_studio_has_of_a_task_beside_its_text_is_named_once(tmp_path: Path) -> None:
    tasks = [
        {"id": n, "data": {"text": TEXT, "title": "Carta", "url": None, "source": "diari"}, "annotations": []}
        for n in (1, 2)
    ]
    records, said = read(guessed(tmp_path, {"export.json": json.dumps(tasks)}))
    assert [record.source for record in records if isinstance(record, Record)] == ["diari", "diari"]
    assert said == ["“title” is not read (2 times)"]


class TestOpus:
    PAIR = {"T.ca-es.ca": "Plou molt .\nNeva .\n", "T.ca-es.es": "Llueve mucho .\nNieva .\n"}
    BESIDE = {
        "README": "Corpus Name: T\nPackage: T.ca-es in Moses format\n",
        "LICENSE": "CC-BY 2.0\n",
        "T.ca-es.xml": '<?xml version="1.0"?>\n<cesAlign version="1.0"></cesAlign>\n',
    }

    def test_a_download_in_the_format_of_moses_is_its_two_files(self, tmp_path: Path) -> None:
        guess = guessed(tmp_path, {**self.BESIDE, **self.PAIR})
        assert {file.name: file.language for file in guess.files} == {"T.ca-es.ca": "ca", "T.ca-es.es": "es"}
        records, _said = read(guess)
        assert [sorted(record.texts) for record in records if isinstance(record, Record)] == [["ca", "es"]] * 2
        notes = " ".join(map(str, guess.notes))
        assert all(name in notes for name in self.BESIDE)

    @pytest.mark.parametrize("name", ["README", "readme.txt", "LICENSE.md"])
    def test_a_file_that_is_called_so_and_stands_alone_is_read(self, tmp_path: Path, name: str) -> None:
        guess = guessed(tmp_path, {name: "El temps vola.\nLa nit cau.\n"})
        assert [file.name for file in guess.files] == [name]


def test_files_of_one_document_are_in_one_language(tmp_path: Path) -> None:
    """WebAnno's export of a project has a file for each person who worked on a document."""
    document = "#FORMAT=WebAnno TSV 3.3\n#T_SP=webanno.custom.Span|value\n\n\n#Text=Xyz\n1-1\t0-3\tXyz\tx\t\n"
    names = [
        "annotation/carta.txt/INITIAL_CAS.tsv",
        "annotation/carta.txt/ana.tsv",
        "curation/carta.txt/CURATION_USER.tsv",
    ]
    guess = guessed(tmp_path, {"exportedproject.json": "{}", **dict.fromkeys(names, document)})
    documents = [(file.name, file.language) for file in guess.files if file.name != "exportedproject.json"]
    assert documents == [(name, "ca") for name in names]
    [record], _said = read(guess)
    assert isinstance(record, Record)
    assert [(source.says, source.name) for source in record.texts["ca"].labels] == [("person", "ana"), ("gold", "")]


class TestConllUPlus:
    WORDS = "1\tVa\tanar\tAUX\t*\n2\tprendre\tprendre\tVERB\t1:VID\n3\tel\tel\tDET\t1\n4\tpèl\tpèl\tNOUN\t1\n\n"

    @pytest.mark.parametrize("name", ["a.cupt", "a.conllup", "a.txt"])
    def test_the_columns_that_we_know_are_read_and_the_others_named(self, tmp_path: Path, name: str) -> None:
        content = f"# global.columns = ID FORM LEMMA UPOS PARSEME:MWE\n# sent_id = s1\n{self.WORDS}"
        guess = guessed(tmp_path, {name: content})
        [record], said = read(guess)
        assert guess.format == "conllu" and isinstance(record, Record) and record.id == "s1"
        text = record.texts["ca"]
        assert text.tokens == ("Va", "prendre", "el", "pèl")
        assert (text.lemmas[1], text.parts_of_speech[1], text.labels) == ("prendre", "VERB", ())
        assert said == ["“PARSEME:MWE” is left out, here and below"]

    def test_a_line_with_another_number_of_columns(self, tmp_path: Path) -> None:
        guess = guessed(tmp_path, {"a.conllup": "# global.columns = ID FORM UPOS\n1\tVa\tAUX\n2\tdir\n\n"})
        [error] = [one for one in formats()["conllu"].read(guess.files, guess.options) if isinstance(one, FormatError)]
        assert (error.line, str(error.expected)) == (3, "3 columns separated by tabs")


@pytest.mark.parametrize(
    ("premise", "hypothesis"),
    [
        ({"ca": "Plou.", "es": "Llueve."}, {"language": ["ca", "es"], "translation": ["Fa sol.", "Hace sol."]}),
        ({"ca": "Plou.", "es": "Llueve."}, {"ca": "Fa sol.", "es": "Hace sol."}),
    ],
)
def test_pairs_in_all_languages_as_xnli_has_them_on_the_hub(
    tmp_path: Path, premise: dict[str, str], hypothesis: dict[str, Any]
) -> None:
    row = {"premise": premise, "hypothesis": hypothesis, "label": "contradiction"}
    (first, second, pair), said = read(guessed(tmp_path, {"a.jsonl": lines([row])}))
    assert isinstance(first, Record) and isinstance(second, Record) and isinstance(pair, PairRecord)
    assert {language: text.text for language, text in first.texts.items()} == premise
    assert {language: text.text for language, text in second.texts.items()} == {"ca": "Fa sol.", "es": "Hace sol."}
    assert (pair.premise, pair.hypothesis, pair.inference) == (first.id, second.id, "contradiction") and said == []


def test_a_side_of_a_pair_that_is_no_text_by_language(tmp_path: Path) -> None:
    guess = guessed(tmp_path, {"a.jsonl": '{"premise": {"ca": 3}, "hypothesis": "Fa sol.", "label": "neutral"}\n'})
    [error] = formats()["jsonl"].read(guess.files, guess.options)
    assert isinstance(error, FormatError) and "not an object of texts by language" in str(error)


@pytest.mark.parametrize("heading", ["ID", "Id", "id"])
def test_a_column_called_id_has_ids_and_no_indonesian(tmp_path: Path, heading: str) -> None:
    guess = guessed(tmp_path, {"full.csv": f"{heading},Sentence\r\n001,El temps vola .\r\n2,La nit cau .\r\n"})
    records, _said = read(guess)
    assert [record.id for record in records] == ["001", "2"]


def test_what_inception_notes_for_itself_is_no_annotation(tmp_path: Path) -> None:
    package = "de.tudarmstadt.ukp."
    said = [
        {"%TYPE": f"{package}clarin.webanno.api.type.CASMetadata", "username": "ana"},
        {"%TYPE": f"{package}dkpro.core.api.metadata.type.TagsetDescription", "begin": 0, "end": 0, "name": "x"},
        {"%TYPE": f"{package}dkpro.core.api.segmentation.type.Sentence", "begin": 0, "end": 8},
        {"%TYPE": f"{package}dkpro.core.api.segmentation.type.Token", "begin": 0, "end": 2},
        {"%TYPE": f"{package}dkpro.core.api.segmentation.type.Token", "begin": 3, "end": 8},
        {"%TYPE": f"{package}dkpro.core.api.segmentation.type.Stem", "begin": 3, "end": 8, "value": "cau"},
        {"%TYPE": "custom.Mark", "begin": 3, "end": 8, "kind": "x"},
    ]
    structures = [{"%ID": number, "@sofa": 1, **one} for number, one in enumerate(said, start=2)]
    sofa = {"%ID": 1, "%TYPE": "uima.cas.Sofa", "sofaNum": 1, "sofaID": "_InitialView", "sofaString": "La caigu"}
    kind = {"%NAME": "kind", "%RANGE": "uima.cas.String"}
    types = {"custom.Mark": {"%NAME": "custom.Mark", "%SUPER_TYPE": "uima.tcas.Annotation", "kind": kind}}
    members = [one["%ID"] for one in structures]
    cas = {
        "%TYPES": types,
        "%FEATURE_STRUCTURES": [sofa, *structures],
        "%VIEWS": {"_InitialView": {"%SOFA": 1, "%MEMBERS": members}},
    }
    [record], warned = read(guessed(tmp_path, {"carta.json": json.dumps(cas)}))
    assert isinstance(record, Record)
    assert [span.label for span in record.texts["ca"].labels[0].spans] == ["x"]
    assert warned == ["1 annotation in the layer Stem, which is not imported"]


def test_words_that_were_hard_to_hear_are_words(tmp_path: Path) -> None:
    tei = (
        '<TEI xmlns="http://www.tei-c.org/ns/1.0" xmlns:vici="http://www.tei-c.org/ns/VICI">'
        '<text xml:id="kb7-fragment10"><body><u><s n="1"><unclear/><unclear>'
        '<w lemma="well" type="ITJ">Well </w></unclear><vocal desc="laugh"/>'
        '<w lemma="go" type="VVB"><seg function="mrw" type="met">go</seg></w></s></u></body></text></TEI>'
    )
    [record], warned = read(guessed(tmp_path, {"VUAMC.xml": tei}))
    assert isinstance(record, Record)
    assert record.texts["en"].tokens == ("Well", "go") and warned == []


@pytest.mark.parametrize("name", ["a.tsv", "a.conll"])
@pytest.mark.parametrize(("one", "last"), [("S", "E"), ("U", "L")])
def test_tags_that_say_where_a_label_ends(tmp_path: Path, name: str, one: str, last: str) -> None:
    gap = "\t" if name == "a.tsv" else " _ "
    tags = ["O", f"{one}-PER", "B-LOC", "I-LOC", f"{last}-LOC", f"{one}-LOC"]
    rows = "".join(f"w{number}{gap}{tag}\n" for number, tag in enumerate(tags))
    guess = guessed(tmp_path, {name: f"{rows}\n"})
    [record], said = read(guess)
    assert guess.format in ("tagged", "conll2003") and isinstance(record, Record)
    found = [(span.label, span.tokens) for span in record.texts["ca"].labels[0].spans if isinstance(span, Span)]
    assert found == [("PER", (1,)), ("LOC", (2, 3, 4)), ("LOC", (5,))]
    assert said == [f"{one}-PER: BIOES or BILOU tags, read as BIO"]


def test_a_category_of_a_row_is_that_of_all_its_sentences(tmp_path: Path) -> None:
    """As in a table of pandas: the number of the row, the texts, and what they are."""
    table = ",text_es,text_ca,label\n0,Hace frío.,Fa fred.,literal\n1,Llueve.,,\n"
    (first, second), said = read(guessed(tmp_path, {"full.csv": table}))
    assert isinstance(first, Record) and isinstance(second, Record)
    assert {language: text.values for language, text in first.texts.items()} == {
        "es": {"": ("literal",)},
        "ca": {"": ("literal",)},
    }
    assert second.texts["es"].values == {} and said == []


LABELLED = {"from_name": "label", "to_name": "text", "type": "labels"}
CHOICE = {"from_name": "sent", "to_name": "text", "type": "choices", "value": {"choices": ["irònic"]}}


@pytest.mark.parametrize(
    ("others", "answers"),
    [
        # Nobody labelled words: nothing is said of them. Where somebody did, an annotation without labels is an answer.
        ([], []),
        ([{**LABELLED, "value": {"start": 0, "end": 2, "text": "La", "labels": ["X"]}}], [("person", "1", 0)]),
    ],
)
def test_choices_of_label_studio_alone_say_nothing_of_words(
    tmp_path: Path, others: list[dict[str, Any]], answers: list[tuple[str, str, int]]
) -> None:
    tasks = [
        {"id": 1, "data": {"text": TEXT}, "annotations": [{"completed_by": 1, "result": [CHOICE]}]},
        {"id": 2, "data": {"text": TEXT}, "annotations": [{"completed_by": 1, "result": [CHOICE, *others]}]},
    ]
    (first, _second), _said = read(guessed(tmp_path, {"export.json": json.dumps(tasks)}))
    assert isinstance(first, Record)
    text = first.texts["ca"]
    assert text.values == {"sent": ("irònic",)}
    assert [(source.says, source.name, len(source.spans)) for source in text.labels] == answers


def test_choices_of_json_min_alone_say_nothing_of_words(tmp_path: Path) -> None:
    row = {"text": TEXT, "id": 1, "sent": "irònic", "annotator": 1, "annotation_id": 1, "lead_time": 1.5}
    [record], said = read(guessed(tmp_path, {"export.json": json.dumps([row])}))
    assert isinstance(record, Record)
    assert record.texts["ca"].values == {"sent": ("irònic",)}
    assert record.texts["ca"].labels == () and said == []


def test_formulas_without_their_results_are_named(tmp_path: Path) -> None:
    """Excel stores what a formula comes to; openpyxl, pandas and the like store the formula alone."""
    book = openpyxl.Workbook()
    sheet = book.worksheets[0]
    sheet.append(["id", "text_es", "text_ca"])
    for number in range(2, 1500):
        sheet.append([number, "=CONCATENATE(A2,B1)" if number in (3, 1400) else f"Llueve {number}.", "Plou."])
    book.save(tmp_path / "made.xlsx")
    guess = recognise([SourceFile("made.xlsx", tmp_path / "made.xlsx", encoding="")], languages=["ca", "es"])[0]
    records, said = read(guess)
    assert [record.id for record in records if isinstance(record, Record) and "es" not in record.texts] == ["3", "1400"]
    [warning] = said
    assert warning.startswith("2 cells have a formula without its result, the first one B3, and")


@pytest.mark.parametrize(
    ("name", "content", "slug", "warned"),
    [
        ("a.tsv", "Token\tLabel\nCau\tB-M\n.\tO\n\n", "tagged", ["the names of the columns, which are left out"]),
        (
            "a.conll",
            "token pos ner_tag\nCau V B-M\n. P O\n\n",
            "conll2003",
            [
                "the names of the columns, which are left out",
                "more than two columns, of which the first and the last were read",
            ],
        ),
        # With a space at the end of each line, as some taggers write them.
        ("a.conll", "Cau - B-M \n. - O \n\n", "conll2003", []),
    ],
)
def test_columns_with_names_and_lines_with_spaces_at_their_ends(
    tmp_path: Path, name: str, content: str, slug: str, warned: list[str]
) -> None:
    guess = guessed(tmp_path, {name: content})
    [record], said = read(guess)
    assert guess.format == slug and isinstance(record, Record)
    assert record.texts["ca"].tokens == ("Cau", ".")
    assert record.texts["ca"].labels[0].spans == (Span((0,), "M"),) and said == warned


TAGGED = "Time\tO\nflies\tB-M\n\n"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.tsv", f"# id = 1\n{TAGGED}# id = 2\n{TAGGED}"),
        ("a.conll", f"# id 1 domain=news\n{TAGGED}\n{TAGGED}".replace("\t", " ")),
        ("a.tsv", f"# Sentence one\n# by Ana\n{TAGGED}".replace("\t", "\tX\t")),
    ],
)
def test_lines_about_a_sentence_are_no_tokens(tmp_path: Path, name: str, content: str) -> None:
    records, warned = read(guesses(tmp_path, {name: content}, "en")[0])
    assert {record.texts["en"].tokens for record in records} == {("Time", "flies")}
    assert any("begin with #" in one or "begins with #" in one for one in warned)


@pytest.mark.parametrize("content", ["#\tO\nflies\tB-M\n\n", "# O\nflies B-M\n\n"])
def test_a_hash_with_its_tag_is_a_token(tmp_path: Path, content: str) -> None:
    [record], _warned = read(guesses(tmp_path, {"a.tsv": content}, "en")[0])
    assert record.texts["en"].tokens == ("#", "flies")


def test_what_stands_between_a_token_and_its_tag_is_said(tmp_path: Path) -> None:
    what = "more than two columns, of which the first and the last were read"
    assert what in read(guesses(tmp_path, {"a.conll": "Time NN B-NP O\nflies VBZ B-VP B-M\n\n"}, "en")[0])[1]
    assert what not in read(guesses(tmp_path, {"a.conll": "Time - - O\nflies - - B-M\n\n"}, "en")[0])[1]


def test_what_is_not_read_of_conllu_is_counted_by_its_name(tmp_path: Path) -> None:
    rows = (
        "1\tTime\ttime\tNOUN\tNN\tNumber=Sing|Case=Nom\t_\t_\t_\tGloss=tiempo",
        "2\tflies\tfly\tVERB\t_\t_\t_\t_\t_\tSpaceAfter=No|Metaphor=B-M",
    )
    _records, warned = read(guesses(tmp_path, {"a.conllu": "\n".join([*rows, "", ""])}, "en")[0])
    assert warned == [
        "1 parts of speech in XPOS in the file, which are left out",
        "2 features in FEATS in the file, which are left out",
        "1 values of “Gloss” in MISC in the file, which are left out",
        "1 values of “Metaphor” in MISC in the file, which are left out",
    ]


@pytest.mark.parametrize(
    ("names", "groups"),
    [
        (("a/x.tsv", "b/x.tsv"), {"a/x", "b/x"}),
        (("news/1/x.tsv", "news/2/x.tsv"), {"news/1/x", "news/2/x"}),
        (("x.tsv", "y.tsv"), {"x", "y"}),
    ],
)
def test_files_of_one_name_in_several_folders_are_several_documents(
    tmp_path: Path, names: tuple[str, str], groups: set[str]
) -> None:
    records, _warned = read(guesses(tmp_path, dict.fromkeys(names, TAGGED), "en")[0])
    assert {record.group for record in records} == groups


def test_in_folders_of_languages_they_are_one_document(tmp_path: Path) -> None:
    files = dict.fromkeys(("a/es/x.tsv", "a/en/x.tsv", "b/es/x.tsv", "b/en/x.tsv"), TAGGED)
    records, _warned = read(guesses(tmp_path, files, "es", "en")[0])
    assert [(record.group, sorted(record.texts)) for record in records] == [
        ("a/x", ["en", "es"]),
        ("b/x", ["en", "es"]),
    ]
