"""What somebody brings is taken for what it is."""

from __future__ import annotations

import csv
import json

import openpyxl
import pytest

from annotator.domain.labels.spans import Span
from annotator.formats.common.names import file_language, file_role, language_of
from annotator.formats.common.protocol import Options, SourceFile
from annotator.formats.common.records import PairRecord, Record
from annotator.formats.recognise import recognise
from annotator.formats.registry import formats
from annotator.formats.text.characters import tokenised
from tests.formats.samples import sentences, text

ES = "El tiempo vuela sin que nadie lo vea.\n¿Quién sabe lo que pasó en la casa?\nNo lo sé, y tú tampoco.\n"
CA = "El temps vola sense que ningú ho vegi.\nQui sap què va passar a casa?\nNo ho sé, i tu tampoc.\n"
PROSE = (
    "El señor Ruiz llegó tarde a la reunión y se sentó junto a la\nventana. Nadie le preguntó nada. La lluvia caía\n"
    "sobre los tejados de la ciudad, y el tiempo\nvolaba.\n\nAl día siguiente volvió. No dijo por qué.\n"
)


@pytest.fixture
def bring(tmp_path):
    def make(**contents):
        files = []
        for name, content in contents.items():
            path = tmp_path / name.replace("/", "_")
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
            files.append(SourceFile(name, path, encoding=""))
        return files

    return lambda contents: make(**contents)


def best(files, languages=("ca", "es")):
    return recognise(files, languages=languages)[0]


def records(guess):
    found = list(tokenised(formats()[guess.format].read(guess.files, guess.options), guess.options))
    assert [one for one in found if isinstance(one, Exception)] == []
    return [one for one in found if isinstance(one, Record | PairRecord)]


@pytest.mark.parametrize(
    "names",
    [
        ("corpus.ca.txt", "corpus.es.txt"),
        ("ca/a.txt", "es/a.txt"),
        ("corpus.ca", "corpus.es"),
        ("mi_catala.txt", "mi_castellano.txt"),
        ("a.txt", "b.txt"),
    ],
)
def test_two_text_files_are_parallel_sentences(bring, names):
    guess = best(bring({names[0]: CA, names[1]: ES}))
    assert guess.format == "lines"
    assert [file.language for file in guess.files] == ["ca", "es"]
    first = records(guess)[0]
    assert first.texts["ca"].tokens[1] == "temps"
    assert first.texts["es"].tokens[1] == "tiempo"


def test_running_text_is_split_and_its_files_are_documents(bring):
    guess = best(bring({"carta.txt": PROSE, "diario.txt": PROSE}), ["es"])
    assert (guess.format, guess.options.sentences, guess.options.tokens) == ("text", True, "words")
    found = records(guess)
    assert [one.group for one in found] == ["carta"] * 5 + ["diario"] * 5
    assert found[0].texts["es"].tokens[-3:] == ("la", "ventana", ".")


@pytest.mark.parametrize(
    ("content", "columns"),
    [
        ("id,text_ca,text_es\n1,El temps vola,El tiempo vuela\n", {0: "id", 1: "text:ca", 2: "text:es"}),
        ("Català;Español\nEl temps vola;El tiempo vuela\n", {0: "text:ca", 1: "text:es"}),
        ('código|oración (es)|etiquetas\n1|El tiempo|[[3,9,"M"]]\n', {0: "id", 1: "text:es", 2: "labels:es"}),
        ("id\ttext\tlabel\n1\tEl tiempo vuela y pasa\tpositive\n", {0: "id", 1: "text:es", 2: "value:es"}),
        ("frase,bio\nY el tiempo,O O B-M\n", {0: "text:es", 1: "labels:es"}),
        (
            "pairID,premise_es,hypothesis_es,label\n1,El tiempo vuela,Pasa rápido,entailment\n",
            {0: "pair_id", 1: "premise:es", 2: "hypothesis:es", 3: "inference"},
        ),
        ("a1\tEl tiempo que vuela y no lo es\na2\tNo lo sé\n", {0: "id", 1: "text:es"}),
        (
            "El tiempo que vuela y pasa con la casa\tEl temps que vola i passa amb la casa\n",
            {0: "text:es", 1: "text:ca"},
        ),
    ],
)
def test_columns_are_guessed(bring, content, columns):
    guess = best(bring({"f.csv": content}))
    assert guess.format in ("csv", "tsv")
    assert {index: meaning for index, meaning in guess.options.columns.items() if meaning} == columns
    assert len(records(guess)) >= 1


HEADLESS = "El mar es menja la costa.\tEl mar se come la costa.\nLa nit cau a poc a poc.\tLa noche cae poco a poco.\n"


@pytest.mark.parametrize(
    "heading",
    ["Redacció\tVersió", "Obra de partida\tObra d'arribada", "A\tB", "Mot d'origen (1):\tMot d'origen (2):"],
)
def test_a_heading_in_words_that_we_do_not_know_is_no_sentence(bring, heading):
    guess = best(bring({"f.tsv": f"{heading}\n{HEADLESS}"}))
    assert guess.options.header
    assert guess.options.columns == {0: "text:ca", 1: "text:es"}
    assert len(records(guess)) == 2
    assert "read as column names" in str(guess.doubts["header"])
    assert heading.split("\t")[0] in str(guess.doubts["header"])


@pytest.mark.parametrize(
    ("rows", "header", "doubt"),
    [
        ("Codi,Obra\n1,Vola\n2,Cau\n", True, "as column names, not as a sentence"),
        # Nothing below it, or nothing else: it is read as a sentence, and that is said.
        ("Redacció,Versió\n", False, "as a sentence, not as column names"),
        ("Vola,Vuela\nCau,Cae\nNeva,Nieva\n", False, "as a sentence, not as column names"),
        ("1,Vola\n2,Cau\n3,Neva\n", False, ""),
        (HEADLESS.replace("\t", ","), False, ""),
    ],
)
def test_a_first_row_is_a_heading_where_it_plainly_is_one(bring, rows, header, doubt):
    guess = best(bring({"f.csv": rows}))
    assert guess.options.header is header
    assert doubt in str(guess.doubts["header"]) if doubt else not guess.doubts


@pytest.mark.parametrize(
    ("heading", "more", "said"),
    [
        ("Text\tTraducció", "", "a column is left out"),
        ("Traducció\tText", "", "a column is left out"),
        ("Text\tTraducció\tNota", "\tdubte", "columns are left out"),
        ("id\tText\tTraducció", None, "a column is left out"),
    ],
)
def test_of_a_heading_that_we_know_in_part_the_rest_is_named(bring, heading, more, said):
    rows = HEADLESS.splitlines()
    rows = [f"{number}\t{row}" if more is None else f"{row}{more}" for number, row in enumerate(rows)]
    guess = best(bring({"f.tsv": "\n".join([heading, *rows]) + "\n"}))
    assert guess.options.header
    assert len(records(guess)) == 2
    assert list(guess.doubts) == ["columns"]
    assert said in str(guess.doubts["columns"])
    assert f"“Traducció” ({heading.split(chr(9)).index('Traducció') + 1})" in str(guess.doubts["columns"])


def test_a_column_without_anything_in_it_is_not_named(bring):
    assert not best(bring({"f.tsv": "Text\tNota\nEl temps vola .\t\nLa nit cau .\t\n"})).doubts


def test_a_heading_that_we_know_is_no_doubt(bring):
    assert not best(bring({"f.csv": "id,text_ca\n1,El temps vola\n"})).doubts


def test_commas_in_sentences_make_no_table(bring):
    for prose in ("Sí, claro.\nNo, gracias, ya no.\nBueno.\nPues, tal vez.\n", "Sí, claro.\nPues, tal vez.\n"):
        assert best(bring({"a.txt": prose}), ["es"]).format in ("lines", "text")


def test_quotation_marks_in_tab_separated_text_are_characters(bring):
    guess = best(bring({"a.tsv": 'id\ttext\n1\t"Hola, dijo\n2\tEl "mes" y\n'}), ["es"])
    assert [one.texts["es"].tokens[0] for one in records(guess)] == ['"Hola,', "El"]


def test_cells_with_line_breaks_stay_cells(bring):
    guess = best(bring({"a.csv": 'id,text\n1,"uno\ndos ""tres"""\n2,x y z\n'}), ["es"])
    assert [one.texts["es"].tokens for one in records(guess)] == [("uno", "dos", '"tres"'), ("x", "y", "z")]


@pytest.mark.parametrize(
    ("name", "content", "slug"),
    [
        ("a.tsv", "El\tO\ntiempo\tB-M\nvuela\tI-M\n\n", "tagged"),
        ("a.txt", "-DOCSTART- -X- -X- O\n\nEl DT I-NP O\nRuiz NNP I-NP B-PER\n\n", "conll2003"),
        ("a.jsonl", '{"id": "1", "tokens": ["a"], "tags": ["O"]}\n', "hub"),
        ("a.jsonl", '{"id": 1, "text": "El tiempo", "label": [[3, 9, "M"]]}\n', "doccano"),
        ("a.jsonl", '{"id": 1, "text": "El tiempo", "label": ["O", "B-M"]}\n', "jsonl"),
        ("a.json", '{"translation": {"ca": "El temps", "es": "El tiempo"}}\n', "jsonl"),
        ("a.jsonl", '{"premise": "El tiempo vuela", "hypothesis": "Pasa", "label": "entailment"}\n', "jsonl"),
        ("a.conllu", "# sent_id = 1\n1\tEl\tel\tDET\t_\t_\t0\troot\t_\t_\n\n", "conllu"),
    ],
)
def test_other_formats_are_recognised(bring, name, content, slug):
    guess = best(bring({name: content}), ["es"])
    assert guess.format == slug
    assert records(guess)


def test_what_lies_beside_a_corpus_is_left_out_and_said(bring):
    files = bring({"es.csv": "id,text\n1,El tiempo\n", "LICENSE.md": "Do what you like.\n", ".DS_Store": "x", "b": ""})
    guess = next(one for one in recognise(files, languages=["es"]) if one.format == "csv")
    assert [file.name for file in guess.files] == ["es.csv"]
    assert tuple(map(str, guess.notes[-2:])) == ("LICENSE.md left out", "b is empty")


def test_nothing_is_made_of_a_picture(bring):
    assert (
        recognise(bring({"a.png": b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + bytes(range(256))}), languages=["es"]) == []
    )


def test_rows_of_one_sentence_in_two_languages_are_one_record(bring):
    guess = best(bring({"a.csv": "id,lang,text\n1,ca,El temps\n1,es,El tiempo\n2,ca,No\n"}))
    assert [sorted(one.texts) for one in records(guess)] == [["ca", "es"], ["ca"]]


def test_a_premise_comes_once(bring):
    content = "premise,hypothesis,label\nEl tiempo vuela,Pasa,entailment\nEl tiempo vuela,No pasa,contradiction\n"
    found = records(best(bring({"a.csv": content}), ["es"]))
    assert [(one.role, one.id) for one in found if isinstance(one, Record)] == [
        ("prem", "p2"),
        ("hyp", "2"),
        ("hyp", "3"),
    ]
    assert [(one.premise, one.inference) for one in found if isinstance(one, PairRecord)] == [
        ("p2", "entailment"),
        ("p2", "contradiction"),
    ]


@pytest.mark.parametrize(
    ("name", "language"),
    [
        ("x.ca.txt", "ca"),
        ("ca/corpus.txt", "ca"),
        ("corpus.zip/es-MX/a.txt", "es-MX"),
        ("corpus.pt_BR.txt", "pt-BR"),
        ("Catalán.txt", "ca"),
        ("texto no largo.txt", ""),
        ("data/corpus.txt", ""),
        ("prem_es.tsv", "es"),
    ],
)
def test_names_say_languages(name, language):
    assert file_language(name) == language


def test_a_projects_own_languages_come_first():
    assert language_of("text_es", ["es-MX", "ca"]) == "es-MX"
    assert (file_role("hipotesis.es.txt"), file_role("x_prem.tsv"), file_role("premio.txt")) == ("hyp", "prem", "")


LABELLED = sentences(
    text("El mes , “ vuela ” .", Span((1, 4), "M")), text('"😀" e\u0301l שלום', Span((0,), "M")), id="a"
)


class TestOtherReaders:
    """What we write, the libraries of the formats read."""

    def test_csv(self, tmp_path):
        formats()["csv"].write(LABELLED, tmp_path)
        with (tmp_path / "corpus.csv").open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        assert [row["text:es"] for row in rows] == ["El mes , “ vuela ” .", '"😀" e\u0301l שלום']
        assert json.loads(rows[0]["labels:es"]) == [{"label": "M", "at": [[3, 6], [11, 16]]}]

    def test_excel(self, tmp_path):
        formats()["xlsx"].write(sentences("=1+1 vuela", id="7"), tmp_path)
        (sheet,) = openpyxl.load_workbook(tmp_path / "corpus.xlsx").worksheets
        assert [[cell.value for cell in row] for row in sheet.iter_rows()] == [["id", "text:es"], ["7", "=1+1 vuela"]]
        assert sheet["B2"].data_type == "s"


MULTIWORD = """\
# text = Voy del mar.
1 Voy ir VERB _ _ 0 root _ _
2-3 del _ _ _ _ _ _ _ _
2 de de ADP _ _ _ _ _ _
3 el el DET _ _ _ _ _ _
4 mar mar NOUN _ _ _ _ _ SpaceAfter=No
5 . . PUNCT _ _ _ _ _ _

"""


def test_multiword_tokens_are_one_token(tmp_path):
    path = tmp_path / "es.conllu"
    lines = [line if line.startswith("#") else line.replace(" ", "\t") for line in MULTIWORD.split("\n")]
    path.write_text("\n".join(lines), "utf-8")
    record, _ = formats()["conllu"].read([SourceFile("es.conllu", path, language="es")], Options())
    one = record.texts["es"]
    assert one.tokens == ("Voy", "del", "mar", ".")
    assert one.spaces == ("", " ", " ", "", "")
    assert one.lemmas == ("ir", "de el", "mar", ".")
    assert one.parts_of_speech == ("VERB", "ADP+DET", "NOUN", "PUNCT")
