"""Bad files: a message with file and line, at once or after what could be read, and no surprise."""

from __future__ import annotations

import json
import zipfile

import openpyxl
import pytest

from annotator.formats.common.errors import FormatError, FormatWarning
from annotator.formats.common.protocol import Options, SourceFile
from annotator.formats.common.records import Record
from annotator.formats.recognise import recognise
from annotator.formats.registry import formats
from annotator.formats.text.characters import tokenised

TEXTUAL = ["lines", "text", "csv", "tsv", "jsonl", "tagged", "conll2003", "conllu", "hub"]
# A good line or two in each format.
GOOD = {
    "lines": "El tiempo vuela.\n",
    "text": "El tiempo vuela.\n",
    "csv": "id,text\n1,El tiempo vuela.\n",
    "tsv": "id\ttext\n1\tEl tiempo vuela.\n",
    "jsonl": '{"id": "1", "text": "El tiempo vuela."}\n',
    "tagged": "El\tO\nvuela\tB-M\n\n",
    "conll2003": "El - - O\nvuela - - B-M\n\n",
    "conllu": "1\tEl\tel\tDET\t_\t_\t_\t_\t_\t_\n2\tvuela\tvolar\tVERB\t_\t_\t_\t_\t_\t_\n\n",
    "hub": '{"id": "1", "tokens": ["El", "vuela"], "tags": ["O", "B-M"]}\n',
}
HEADED = Options(header=True)


@pytest.fixture
def bring(tmp_path):
    """A file as somebody brings it."""

    def make(content, name="es.txt", **more):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return SourceFile(name, path, **{"language": "es", **more})

    return make


def read(slug, *files, options=HEADED):
    """What a format gives, up to and with the error that stops it."""
    found = []
    try:
        for one in tokenised(formats()[slug].read(files, options), options):
            found.append(one)
    except FormatError as error:
        found.append(error)
    return found


def errors(found):
    return [str(one) for one in found if isinstance(one, FormatError)]


def records(found):
    return [one for one in found if isinstance(one, Record)]


@pytest.mark.parametrize("slug", TEXTUAL)
class TestAnyText:
    def test_bytes_of_another_encoding_are_placed(self, slug, bring):
        content = GOOD[slug].encode() + GOOD[slug].replace("El", "Él").replace("1", "2").encode("cp1252")
        line = content[: content.index(b"\xc9")].count(b"\n") + 1
        (error,) = errors(read(slug, bring(content)))
        assert error.startswith(f"es.txt:{line}: expected UTF-8, got byte 0xC9 at position ")

    def test_a_file_that_ends_inside_a_character(self, slug, bring):
        content = GOOD[slug].encode() + "é".encode()[:1]
        assert any("inside a character" in error for error in errors(read(slug, bring(content))))

    def test_a_nul_is_no_text(self, slug, bring):
        (error,) = errors(read(slug, bring(GOOD[slug].replace("vuela", "vue\0la"))))
        assert "a NUL character" in error

    def test_an_unknown_encoding(self, slug, bring):
        assert errors(read(slug, bring(GOOD[slug], encoding="utf-9"))) == [
            "es.txt: expected a known encoding, got “utf-9”"
        ]

    def test_no_such_file(self, slug, bring, tmp_path):
        (error,) = errors(read(slug, SourceFile("gone.txt", tmp_path / "gone.txt", language="es")))
        assert error == "gone.txt: expected this file, got no such file"

    def test_an_empty_file_has_no_records(self, slug, bring):
        assert records(read(slug, bring(b""))) == []
        assert recognise([bring(b"")], languages=["es"]) == []

    @pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-8-sig"])
    def test_other_unicode_encodings_are_recognised_and_read(self, slug, bring, encoding):
        file = bring(GOOD[slug].encode(encoding), encoding="")
        guess = next(one for one in recognise([file], languages=["es"]) if one.format == slug)
        found = list(formats()[slug].read(guess.files, guess.options))
        assert errors(found) == []
        assert len(records(found)) == 1


class TestTables:
    def test_a_quotation_mark_that_nobody_closed(self, bring):
        content = 'id,text\n1,bien\n2,"mal\n' + "3,más\n" * 5000
        found = read("csv", bring(content))
        assert errors(found) == [
            "es.txt:3: expected a quotation mark that closes the cell, got none in the 1,000 lines after it"
        ]
        assert errors(read("csv", bring('id,text\n1,"mal\n'))) == [
            "es.txt:2: expected a quotation mark that closes the cell, got the end of the file"
        ]

    def test_text_after_a_closed_cell(self, bring):
        assert errors(read("csv", bring('id,text\n1,"mal" y peor\n'))) == [
            "es.txt:2: expected the end of the cell after its closing quotation mark, got more characters"
        ]

    @pytest.mark.parametrize("quote", ["", '"'])
    def test_two_million_columns(self, bring, quote):
        content = ",".join([f"{quote}a{quote}"] * 2_000_000) + "\n"
        assert errors(read("csv", bring(content))) == ["es.txt:1: expected at most 1,000 columns, got 2,000,000"]

    def test_a_row_of_another_length_is_named_and_the_others_are_read(self, bring):
        found = read("csv", bring("id,text\n1,uno\n2\n3,tres,y más\n4,cuatro\n"))
        assert [one.id for one in records(found)] == ["1", "4"]
        assert [error.split(": ")[0] for error in errors(found)] == ["es.txt:3", "es.txt:4"]

    def test_the_columns_of_a_further_file_are_found_by_name(self, bring):
        one, other = bring("id,text\n1,uno\n", "a.csv"), bring("text,id\ndos,2\n", "b.csv")
        options = Options(columns={0: "id", 1: "text:es"}, header=True)
        assert [(r.id, r.texts["es"].tokens) for r in records(read("csv", one, other, options=options))] == [
            ("1", ("uno",)),
            ("2", ("dos",)),
        ]
        assert errors(read("csv", one, bring("id,frase\n2,dos\n", "c.csv"), options=options)) == [
            "c.csv:1: expected the column “text”, as in the first file, got “id, frase”"
        ]

    def test_a_table_without_a_column_of_text(self, bring):
        assert errors(read("csv", bring("a,b\n1,2\n"), options=Options())) == [
            "es.txt:1: expected a column of texts, got none chosen"
        ]

    def test_tags_that_are_not_one_a_token(self, bring):
        (error,) = errors(read("csv", bring("text,labels\nuno dos,O B-M O\n")))
        assert error.startswith("es.txt:2: expected in column “labels”: a tag for each token, such as O B-METAPHOR O")
        assert error.endswith("or leave the column out, got “O B-M O”: 3 tags for 2 tokens")

    @pytest.mark.parametrize("cell", ["3-4", "1-2; 4-5", "3–4 METAPHOR", "0:2"])
    @pytest.mark.parametrize("header", ["id,frase,etiquetas", "id,text:es,labels:es"])
    def test_labels_noted_as_places(self, bring, cell, header):
        file = bring(f"{header}\n1,uno dos tres cuatro,\n2,uno dos tres cuatro,{cell}\n", "es.csv")
        guess = next(one for one in recognise([file], languages=["es"]) if one.format == "csv")
        (error,) = errors(read("csv", *guess.files, options=guess.options))
        name = header.rpartition(",")[2]
        assert error.startswith(f"es.csv:3: expected in column “{name}”: a tag for each token")
        assert error.endswith(f"got “{cell}”: positions, which can't be read here")

    def test_the_column_of_a_table_without_a_header_is_named_by_its_number(self, bring):
        options = Options(columns={0: "id", 1: "text:es", 2: "lemmas:es"})
        (error,) = errors(read("csv", bring("1,uno dos,uno\n"), options=options))
        assert error.startswith("es.txt:1: expected in column 3: a lemma for each token")
        assert error.endswith("got “uno”: 1 for 2 tokens")

    def test_a_header_in_the_middle_is_left_out(self, bring):
        found = read("csv", bring("id,text\n1,uno\nid,text\n2,dos\n"))
        assert [one.id for one in records(found)] == ["1", "2"]
        assert [str(one) for one in found if isinstance(one, FormatWarning)] == [
            "es.txt:3: the header again, which is left out"
        ]

    def test_a_column_that_comes_twice_is_said(self, bring):
        file = bring("id,text,text\n1,El tiempo es oro,El tiempo es plata\n", "es.csv")
        guess = next(one for one in recognise([file], languages=["es"]) if one.format == "csv")
        assert guess.options.header and guess.options.columns == {0: "id", 1: "text:es", 2: ""}
        assert "column 3 has the same meaning as an earlier one (“text”) and is left out" in map(str, guess.notes)

    def test_two_names_for_one_text_are_said(self, bring):
        file = bring("id,español,frase\n1,El tiempo es oro,El tiempo es plata\n", "es.csv")
        guess = next(one for one in recognise([file], languages=["es"]) if one.format == "csv")
        assert guess.options.columns == {0: "id", 1: "text:es", 2: ""}
        assert "column 3 has the same meaning as an earlier one (“frase”) and is left out" in map(str, guess.notes)

    def test_one_meaning_that_somebody_gives_two_columns_is_refused(self, bring):
        options = Options(columns={0: "id", 1: "text:es", 2: "text:es"}, header=True)
        (error,) = errors(read("csv", bring("id,frase,otra\n1,uno dos,tres\n"), options=options))
        assert error.startswith("es.txt:1: expected each meaning for one column only")
        assert error.endswith("got columns with the same meaning: 2 (“frase”), 3 (“otra”)")

    def test_a_column_that_a_further_file_has_twice_is_refused(self, bring):
        options = Options(columns={0: "id", 1: "text:es"}, header=True)
        files = bring("id,frase\n1,uno dos\n"), bring("id,frase,frase\n2,uno,dos\n", "b.csv")
        (error,) = errors(read("csv", *files, options=options))
        assert error == "b.csv:1: expected the column “frase” only once, got “id, frase, frase”"


class TestExcel:
    def test_what_is_no_workbook(self, bring):
        assert errors(read("xlsx", bring(b"PK\x03\x04broken", "a.xlsx")))[0].startswith("a.xlsx: expected an Excel")
        assert errors(read("xlsx", bring("id,text\n", "a.xlsx")))[0].startswith("a.xlsx: expected an Excel")

    def test_a_zip_bomb_is_not_unpacked(self, bring, tmp_path):
        with zipfile.ZipFile(tmp_path / "bomb.xlsx", "w", zipfile.ZIP_DEFLATED) as packed:
            packed.writestr("xl/sharedStrings.xml", b"0" * 50_000_000)
        file = SourceFile("bomb.xlsx", tmp_path / "bomb.xlsx", language="es")
        assert "parts that unpack to at most 200 times their size" in errors(read("xlsx", file))[0]

    def test_entities_are_not_expanded(self, bring, tmp_path):
        book = openpyxl.Workbook()
        book.active.append(["id", "text"])
        book.active.append(["1", "El tiempo"])
        book.save(tmp_path / "good.xlsx")
        laughs = '<!DOCTYPE x [<!ENTITY a "ja"><!ENTITY b "&a;&a;&a;&a;">]>'
        with (
            zipfile.ZipFile(tmp_path / "good.xlsx") as good,
            zipfile.ZipFile(tmp_path / "bad.xlsx", "w") as bad,
        ):
            for name in good.namelist():
                content = good.read(name).decode()
                if name.endswith(("sharedStrings.xml", "sheet1.xml")):
                    content = (laughs + content.split("?>")[-1]).replace("El tiempo", "&b;")
                bad.writestr(name, content)
        good_file = SourceFile("good.xlsx", tmp_path / "good.xlsx", language="es")
        assert len(records(read("xlsx", good_file))) == 1
        bad_file = SourceFile("bad.xlsx", tmp_path / "bad.xlsx", language="es")
        assert "declared entities, which are not safe to read" in errors(read("xlsx", bad_file))[0]


class TestJson:
    def test_a_broken_line_is_named_and_the_others_are_read(self, bring):
        found = read("jsonl", bring('{"id": "1", "text": "uno"}\n{"id": "2", "te\n[]\n{"id": "4", "text": "dos"}\n'))
        assert [one.id for one in records(found)] == ["1", "4"]
        assert [error.split(", got")[0] for error in errors(found)] == [
            "es.txt:2: expected a JSON object",
            "es.txt:3: expected a JSON object",
        ]

    @pytest.mark.parametrize(
        ("value", "got"),
        [
            ({"text": 3.5}, "not a text"),
            ({"text": "uno", "labels": [[0, 9, "M"]]}, "characters 0–9"),
            ({"text": "uno", "labels": [[0, 2, "M"]]}, "cuts the token “uno”"),
            ({"text": "uno", "labels": [{"start": "0", "end": 3, "label": "M"}]}, "no integer start and end"),
            ({"tokens": ["a", "b"], "tags": ["O"]}, "1 tags for 2 tokens"),
            ({"tokens": ["a"], "tags": [0]}, "numbers instead of names"),
            ({"tokens": ["a"], "text": "b"}, "do not match the text"),
            ({"text": "\ud800"}, "half a character"),
            ({"nothing": 1}, "no text among"),
        ],
    )
    def test_shapes_that_cannot_be(self, bring, value, got):
        (error,) = errors(read("jsonl", bring(json.dumps(value) + "\n")))
        assert error.startswith("es.txt:1: ")
        assert got in error

    @pytest.mark.parametrize("labels", [True, 3.5, {"a": 1}])
    def test_labels_that_are_no_list(self, bring, labels):
        (error,) = errors(read("jsonl", bring(json.dumps({"text": "uno", "labels": labels}) + "\n")))
        assert error.endswith("is not a list")

    def test_no_labels_at_all(self, bring):
        (record,) = records(read("jsonl", bring('{"text": "uno", "labels": null}\n')))
        assert record.texts["es"].labels == ()

    def test_keys_that_say_nothing_are_reported_once(self, bring):
        found = read("jsonl", bring('{"text": "uno", "relations": [1]}\n{"text": "dos", "relations": [2], "x": []}\n'))
        assert [str(one) for one in found if isinstance(one, FormatWarning)] == [
            "es.txt:1: “relations” is not read (2 times)"
        ]


class TestConllU:
    @pytest.mark.parametrize(
        ("line", "expected"),
        [
            ("1\tEl", "10 columns"),
            ("2\tEl" + "\t_" * 8, "the word 1"),
            ("x\tEl" + "\t_" * 8, "a word's number"),
            ("1\tEl" + "\t_" * 7 + "\tLabel=X", "Label=O"),
        ],
    )
    def test_lines_that_cannot_be(self, bring, line, expected):
        found = read("conllu", bring(f"{line}\n\n{GOOD['conllu']}"))
        assert len(records(found)) == 1
        (error,) = errors(found)
        assert error.startswith(f"es.txt:1: expected {expected}")

    def test_what_is_left_out_is_counted(self, bring):
        content = (
            "1\tEl\tel\tDET\t_\t_\t2\tdet\t_\t_\n1.1\tx\t_\t_\t_\t_\t_\t_\t_\t_\n2\ta\ta\tX\t_\t_\t0\troot\t_\t_\n\n"
        )
        found = read("conllu", bring(content))
        assert [str(one) for one in found if isinstance(one, FormatWarning)] == [
            "es.txt:4: 2 dependencies in the file, which are left out",
            "es.txt:4: 1 empty nodes in the file, which are left out",
        ]


class TestParallelFiles:
    def test_a_missing_line_is_an_error_in_the_shorter_file(self, bring):
        es, ca = bring("uno\ndos\ntres\n", "es.txt"), bring("u\ndos\n", "ca.txt", language="ca")
        assert errors(read("lines", es, ca)) == [
            "ca.txt:2: expected 3 sentences, as in es.txt, got the end of the file after 2"
        ]

    def test_ids_that_differ(self, bring):
        one = bring('{"id": "1", "tokens": ["a"], "tags": ["O"]}\n', "es.jsonl")
        other = bring('{"id": "2", "tokens": ["a"], "tags": ["O"]}\n', "ca.jsonl", language="ca")
        assert errors(read("hub", one, other)) == ["ca.jsonl:1: expected the sentence “1”, as at es.jsonl:1, got “2”"]

    def test_two_files_in_one_language(self, bring):
        one, other = bring("uno\n", "es.txt"), bring("dos\n", "x/es.txt".replace("/", "_"))
        assert len(records(read("lines", one, other))) == 2

    def test_a_file_in_no_language(self, bring):
        assert errors(read("lines", bring("uno\n", language=""))) == [
            "es.txt: expected a language for this file, got none"
        ]

    def test_a_blank_line_holds_its_place(self, bring):
        es, ca = bring("uno\n\ntres\n", "es.txt"), bring("u\ndos\ntres\n", "ca.txt", language="ca")
        found = read("lines", es, ca)
        assert [sorted(one.texts) for one in records(found)] == [["ca", "es"], ["ca"], ["ca", "es"]]
        assert [str(one) for one in found if isinstance(one, FormatWarning)] == [
            "es.txt:2: a blank line, which is not a sentence"
        ]


def test_spaces_that_are_no_list_are_refused(bring):
    options = Options(columns={0: "id", 1: "tokens:es", 2: "spaces:es"})
    (error,) = errors(read("tsv", bring("1\tel sol\ta b\n"), options=options))
    assert "it is not a list of texts" in error


def test_one_endless_line_is_refused(bring, monkeypatch):
    monkeypatch.setattr("annotator.formats.common.lines.MAX_LINE", 100_000)
    (error,) = errors(read("lines", bring("a\r" * 200_000)))
    assert error.startswith("es.txt:1: expected lines of at most 100,000 characters")
    assert error.endswith("with carriage returns only")


def test_all_bad_sentences_of_a_tagged_file_are_named(bring):
    found = read("tagged", bring("a\tO\n\nb\tX\nc\tY\n\nd\n\ne\tO\n\n"))
    assert [error.split(": ")[0] for error in errors(found)] == ["es.txt:3", "es.txt:6"]
    assert [one.texts["es"].tokens for one in records(found)] == [("a",), ("e",)]


@pytest.mark.parametrize(
    ("slug", "bad"),
    [
        ("csv", b"text\nuno\n\xff\xfe\xfa\n"),
        ("tsv", b"text\tid\nuno\t1\n\xff\xfe\xfa\t2\n"),
        ("jsonl", b'{"text": "uno"}\n\xff\xfe\xfa\n'),
        ("xlsx", b"no workbook"),
        ("tmx", b"<html></html>"),
        ("vuamc", b"<html></html>"),
        ("label-studio", b'[{"data": {"text": "uno"}}, '),
        ("lines", b"uno\n\xff\xfe\xfa\n"),
        ("text", b"uno\n\n\xff\xfe\xfa\n"),
        ("hub", b'{"id": "1", "tokens": ["uno"]}\n\xff\xfe\xfa\n'),
    ],
)
def test_what_stops_one_file_hides_nothing_of_the_others(bring, slug, bad):
    found = read(slug, bring(bad, f"one.{slug}"), bring(bad, f"two.{slug}"))
    stopped = [one for one in found if isinstance(one, FormatError)]
    assert [one.path for one in stopped] == [f"one.{slug}", f"two.{slug}"]
    assert all(one.ends_file for one in stopped), "or what is not read would be taken for missing"


def test_what_stops_one_of_two_parallel_files_hides_nothing_of_the_other_one(bring):
    files = bring(b"uno\n\xff\xfe\xfa\n", "a.es.txt"), bring(b"one\n\ntwo\0\n", "a.en.txt", language="en")
    found = read("lines", *files)
    assert [(one.path, one.line, one.ends_file) for one in found if isinstance(one, FormatError)] == [
        ("a.es.txt", 2, True),
        ("a.en.txt", 3, True),
    ]


def test_files_of_different_length_do_not_hide_the_next_ones(bring):
    names = ("a.es.txt", "a.en.txt", "b.es.txt", "b.en.txt")
    contents = (b"uno\ndos\n", b"one\n", b"tres\n", b"three\n")
    found = read("lines", *(bring(c, n, language=n[2:4]) for n, c in zip(names, contents, strict=True)))
    assert errors(found) == ["a.en.txt:1: expected 2 sentences, as in a.es.txt, got the end of the file after 1"]
    # What a shorter file has no line for comes, too, so that one can see where it is missing.
    assert [[text.tokens[0] for text in one.texts.values()] for one in records(found)] == [
        ["uno", "one"],
        ["dos"],
        ["tres", "three"],
    ]


def test_what_is_wrong_in_the_rest_of_a_longer_file_is_said(bring):
    files = bring("a\tO\n\nb\tO\n\nc\tX\n\n", "a.es.tsv"), bring("d\tO\n\n", "a.en.tsv", language="en")
    found = [one for one in read("tagged", *files) if isinstance(one, FormatError)]
    assert [(one.path, one.line, one.ends_file) for one in found] == [("a.es.tsv", 5, False), ("a.en.tsv", 1, False)]
