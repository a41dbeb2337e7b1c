"""Files as the tools themselves wrote them, of our sentences.

They are of doccano 1.8.4, Label Studio 1.23.2, datasets 5.2.0, pandas 3.1.1, translate-toolkit 3.20.4 and dkpro-cassis
0.12.0, the last in the folders of an INCEpTION project.
"""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import openpyxl
import pytest

from annotator.formats.columns.python_lists import python_list
from annotator.formats.common.errors import FormatError, FormatWarning
from annotator.formats.common.protocol import SourceFile
from annotator.formats.common.records import Record, Text
from annotator.formats.corpus.regions import in_languages, project_language
from annotator.formats.json.json_items import MAX_ITEM_LENGTH
from annotator.formats.json.json_rows import MAX_KEYS
from annotator.formats.recognise import recognise
from annotator.formats.registry import formats

FILES = Path(__file__).parent / "files"


def _recognised(paths, languages=("ca", "es")):
    """The first guess for files, and what it reads."""
    files = [SourceFile(str(path.name), path, encoding="") for path in paths]
    guess = recognise(files, languages=languages)[0]
    return guess, list(formats()[guess.format].read(guess.files, guess.options))


def _records(found):
    assert not [read for read in found if isinstance(read, FormatError)]
    return [read for read in found if isinstance(read, Record)]


def _warnings(found):
    return [str(read) for read in found if isinstance(read, FormatWarning)]


class TestDoccano:
    def test_files_of_people_are_their_labels(self):
        folder = FILES / "doccano_people"
        guess, found = _recognised([folder / f"{name}.jsonl" for name in ("mireia", "ana", "jon")])
        assert guess.format == "doccano" and {file.language for file in guess.files} == {"ca"}
        records = _records(found)
        assert [record.id for record in records] == ["1", "2", "3", "4"]
        said = [(source.says.value, source.name, len(source.spans)) for source in records[0].texts["ca"].labels]
        assert said == [("person", "ana", 3), ("person", "jon", 1)]
        assert "mireia.jsonl:1: a file without labels, assumed to belong to a member who did not annotate" in _warnings(
            found
        )

    def test_files_that_share_nothing_are_no_peoples(self, tmp_path):
        for number, name in enumerate(("one", "two")):
            row = {"id": number, "text": "La Neus", "label": [[3, 7, "N"]], "Comments": []}
            (tmp_path / f"{name}.jsonl").write_text(json.dumps(row) + "\n")
        _guess, found = _recognised([tmp_path / "one.jsonl", tmp_path / "two.jsonl"])
        assert [one.texts["ca"].labels[0].says for one in _records(found)] == ["gold", "gold"]

    def test_categories_in_a_list(self):
        guess, found = _recognised([FILES / "doccano_list.json"])
        assert guess.format == "doccano"
        texts = [record.texts["ca"] for record in _records(found)]
        assert texts[0].values == {"": ("irònic", "seriós")}
        # Without a category it has no answer on its words either.
        assert texts[3].values == {} and texts[3].labels == ()

    def test_the_file_of_a_member_who_confirmed_nothing(self, tmp_path):
        (tmp_path / "mireia.jsonl").write_text("\n")
        guess, found = _recognised([FILES / "doccano_people" / "ana.jsonl", tmp_path / "mireia.jsonl"])
        assert guess.format == "doccano" and len(_records(found)) == 4


class TestLabelStudio:
    @pytest.mark.parametrize("name", ["label_studio_objects.json", "label_studio_objects_min.json"])
    def test_objects_are_called_otherwise_than_the_data(self, name):
        _guess, found = _recognised([FILES / name])
        (record,) = _records(found)
        places = {language: text.labels[0].spans[0].fragments for language, text in record.texts.items()}
        assert places == {"ca": ((9, 13),), "es": ((10, 15),)}

    def test_predictions_without_their_labels_are_counted(self):
        _guess, found = _recognised([FILES / "label_studio_sentence.json"])
        assert len(_records(found)) == 6
        assert any("3 predictions given only by their number" in one for one in _warnings(found))


@pytest.mark.parametrize("name", ["datasets.csv", "datasets.json"])
def test_tokens_and_tags_of_datasets(name):
    _guess, found = _recognised([FILES / name], ["ca"])
    first, second, _third = (record.texts["ca"] for record in _records(found))
    assert first.tokens == ("Cafe\u0301", "i", "👩🏽\u200d🚒", "vola", ".")
    assert second.tokens == ("שלום", '"món"', "\\t", "a,b")
    assert [(one.tokens, one.label) for one in first.labels[0].spans] == [((2, 3), "METAPHOR")]


def test_lists_of_pandas():
    _guess, found = _recognised([FILES / "pandas_lists.csv"], ["ca"])
    assert [record.texts["ca"].tokens for record in _records(found)] == [("El", "temps"), ("Prou", 'l\'"orgull"')]


@pytest.mark.parametrize("cell", ["['a', 'b] ", "[0 1]", "['a'] x", "['a' + 'b']", "[]"])
def test_what_is_no_list_of_texts(cell):
    assert python_list(cell) is None


def test_regions_are_the_languages_of_the_project():
    _guess, found = _recognised([FILES / "toolkit.tmx"])
    read = list(in_languages(found, ["ca", "es"]))
    assert [sorted(record.texts) for record in _records(read)] == [["ca", "es"], ["ca", "es"], ["ca"]]
    assert "toolkit.tmx:6: sentences in ca-ES, read as ca" in _warnings(read)


def test_of_two_regions_the_projects_own_language_counts():
    texts = {"es-MX": Text("El camión llega ."), "es": Text("El autobús llega .")}

    warning, read = in_languages([Record("f.tmx", 3, texts)], ["es", "ca"])

    assert read.texts == {"es": Text("El autobús llega .")}
    assert str(warning) == "f.tmx:3: a second sentence in the same language (es-MX), which is left out"


@pytest.mark.parametrize(
    ("tag", "languages", "language"),
    [
        ("es-MX", ["es", "ca"], "es"),
        ("pt", ["pt-BR"], "pt-BR"),
        ("es-MX", ["es-ES"], "es-MX"),
        ("pt", ["pt-BR", "pt-PT"], "pt"),
        ("zh-Hans", ["zh-Hant"], "zh-Hans"),
        ("fr", ["ca"], "fr"),
    ],
)
def test_tags_that_name_a_language_more_or_less_closely(tag, languages, language):
    assert project_language(tag, languages) == language


def test_an_inception_project_in_json(tmp_path):
    paths = []
    with zipfile.ZipFile(FILES / "inception_project.zip") as archive:
        for name in archive.namelist():
            archive.extract(name, tmp_path)
            paths.append(name)
    files = [SourceFile(f"p.zip/{name}", tmp_path / name, encoding="") for name in paths]
    # The document says that it is in Catalan.
    guess = recognise(files, languages=["es", "ca"])[0]
    assert guess.format == "cas-json" and {file.language for file in guess.files} == {"ca"}
    records = _records(list(formats()["cas-json"].read(guess.files, guess.options)))
    assert [(one.says, one.name) for one in records[0].texts["ca"].labels] == [
        ("person", "ana"),
        ("person", "jon"),
        ("gold", ""),
    ]
    frame = next(span for span in records[0].texts["ca"].labels[0].spans if span.label == "Ingestion")
    assert frame.attributes["dominis"] == "menjar, beguda"


UNFINISHED = "the labels of a document marked as unfinished, which are left out"


@pytest.mark.parametrize("folder", ["json", "tsv"])
@pytest.mark.parametrize(
    ("ana", "curation", "voices", "said"),
    [
        ("FINISHED", "CURATION_FINISHED", [("person", "ana"), ("gold", "")], []),
        ("IN_PROGRESS", "CURATION_FINISHED", [("gold", "")], [UNFINISHED]),
        ("NEW", "CURATION_FINISHED", [("gold", "")], [UNFINISHED]),
        ("IGNORE", "CURATION_FINISHED", [("gold", "")], [UNFINISHED.replace("unfinished", "ignored")]),
        ("FINISHED", "CURATION_IN_PROGRESS", [("person", "ana")], [UNFINISHED]),
        ("IN_PROGRESS", "ANNOTATION_IN_PROGRESS", [], [UNFINISHED, UNFINISHED]),
    ],
)
def test_what_inception_says_of_the_state_of_documents(tmp_path, folder, ana, curation, voices, said):
    project = {
        "source_documents": [{"name": "carta.txt", "state": curation}],
        "annotation_documents": [{"name": "carta.txt", "user": "ana", "state": ana}],
    }
    contents = {"exportedproject.json": json.dumps(project).encode()}
    if folder == "tsv":
        tsv = (
            b"#FORMAT=WebAnno TSV 3.3\n#T_SP=webanno.custom.Metafora|value\n\n\n#Text=Neva\n1-1\t0-4\tNeva\tdirecta\t\n"
        )
        contents |= {"annotation/carta.txt/ana.tsv": tsv, "curation/carta.txt/CURATION_USER.tsv": tsv}
    else:
        with zipfile.ZipFile(FILES / "inception_project.zip") as archive:
            contents |= {
                name: archive.read(name)
                for name in archive.namelist()
                if name.endswith(("/ana.zip", "CURATION_USER.zip"))
            }
    files = []
    for number, (name, content) in enumerate(contents.items()):
        path = tmp_path / f"{number}{Path(name).suffix}"
        path.write_bytes(content)
        files.append(SourceFile(f"p.zip/{name}", path, encoding=""))
    guess = recognise(files, languages=["ca"])[0]
    reads = list(formats()[guess.format].read(guess.files, guess.options))
    assert {tuple((one.says, one.name) for one in record.texts["ca"].labels) for record in _records(reads)} == {
        tuple(voices)
    }
    assert [what.partition(": ")[2] for what in _warnings(reads) if "marked as" in what] == said


def test_a_title_above_the_table_and_an_empty_first_sheet(tmp_path):
    book = openpyxl.Workbook()
    sheet = book.create_sheet("Frases")
    for row in (["Corpus de la Neus"], [], ["id", "text"], [1, "El temps vola."]):
        sheet.append(row)
    book.save(tmp_path / "c.xlsx")
    _guess, found = _recognised([tmp_path / "c.xlsx"], ["ca"])
    (record,) = _records(found)
    assert (record.id, record.line) == ("1", 4) and len(_warnings(found)) == 2


def test_excel_says_the_delimiter_in_the_first_line(tmp_path):
    (tmp_path / "c.csv").write_bytes('\ufeffsep=;\r\nid;text\r\n1;"Prou; ja"\r\n'.encode())
    _guess, found = _recognised([tmp_path / "c.csv"], ["ca"])
    assert [(one.id, one.texts["ca"].text) for one in _records(found)] == [("1", "Prou; ja")]


@pytest.mark.parametrize(
    "content", [b"<table><tr><td>a</td></tr></table>\n", b"__label__a Prou.\n", b"PAR1xx", b"\xac\xed\x00\x05ur\n"]
)
def test_what_is_no_text_is_not_taken_for_sentences(content, tmp_path):
    (tmp_path / "a.txt").write_bytes(content)
    assert recognise([SourceFile("a.txt", tmp_path / "a.txt", encoding="")], languages=["ca"]) == []


@pytest.mark.parametrize(
    ("name", "content", "slug"),
    [
        ("a.conllu", "1\tx" + "\t_" * 8 + "\n2\ty\t_\n\n", "conllu"),
        ("a.conll", "-DOCSTART- -X- O\nLa -X- _ B-Símil ñ\n\n", "conll2003"),
    ],
)
def test_damaged_columns_are_errors_and_not_another_format(name, content, slug, tmp_path):
    (tmp_path / name).write_text(content, "utf-8")
    guess, found = _recognised([tmp_path / name], ["ca"])
    assert guess.format == slug
    assert [read.line for read in found if isinstance(read, FormatError)] == [2]


@pytest.mark.slow
def test_an_item_too_long_to_be_looked_at_is_refused_by_its_line(tmp_path):
    path = tmp_path / "rows.json"
    path.write_text("[\n" + json.dumps({f"k{number}": 1 for number in range(400_000)}) + "\n]", encoding="utf-8")
    assert path.stat().st_size > MAX_ITEM_LENGTH
    guesses = recognise([SourceFile(path.name, path, encoding="")], languages=["es"])
    # One of the formats takes it, so that somebody hears what is wrong.
    assert [guess.format for guess in guesses] == ["jsonl"]
    [error] = formats()["jsonl"].read(guesses[0].files, guesses[0].options)
    assert isinstance(error, FormatError)
    assert str(error).startswith("rows.json:2: expected items of at most 4,000,000 characters")


@pytest.mark.parametrize("begin", ["[", ""])
def test_objects_of_more_keys_than_a_sentence_has(begin, tmp_path):
    row = {f"k{number}": 1 for number in range(MAX_KEYS)} | {"text": "a"}
    (tmp_path / "a.jsonl").write_text(begin + json.dumps(row) + ("]" if begin else "\n"))
    _guess, found = _recognised([tmp_path / "a.jsonl"], ["ca"])
    assert "at most 1,000 keys, got 1,001" in str(found[0])
