"""Which layouts published splits are read in: a file for each part, or a table that names parts."""

from __future__ import annotations

import io

import pytest

from annotator.formats.common.errors import FormatError
from annotator.formats.splits.published import Layout, PartRow, corpus_in, part_file, part_in, part_order, part_rows

TAGGED = "El\tO\ntiempo\tB-METAPHOR\n\nAna\tO\nlee\tO\n\n"


def rows_of(name: str, text: str | bytes, languages: tuple[str, ...] = ("es", "en")) -> list[PartRow]:
    data = text.encode() if isinstance(text, str) else text
    file = part_file(name, data, languages)
    return [row for row in part_rows(file, io.BytesIO(data)) if isinstance(row, PartRow)]


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("detection/splits/es/meta4xnli_train.tsv", "train"),
        ("meta4xnli_dev.tsv", "dev"),
        ("test.txt", "test"),
        ("corpus.validation.jsonl", "validation"),
        ("es-train.conll.txt", "train"),
        ("train/es.conll", "train"),
        ("fold-3/es.tsv", "fold-3"),
        ("corpus_fold2.tsv", "fold2"),
        ("Train.tsv", "Train"),
        ("corpus.tsv", ""),
        ("contest.tsv", ""),
    ],
)
def test_the_part_is_in_the_name(name: str, part: str) -> None:
    assert part_in(name) == part


def test_parts_come_in_their_usual_order() -> None:
    assert part_order(["test", "dev", "train", "dev"]) == ["train", "dev", "test"]
    assert part_order(["fold-10", "fold-2", "fold-1"]) == ["fold-1", "fold-2", "fold-10"]


@pytest.mark.parametrize(
    ("name", "corpus"),
    [("x/meta4xnli_train.tsv", "meta4xnli"), ("train.tsv", ""), ("a-b_dev.tsv", "a-b"), ("corpus.tsv", "")],
)
def test_the_corpus_is_what_is_left_of_the_name(name: str, corpus: str) -> None:
    assert corpus_in(name) == corpus


class TestLayouts:
    def test_tokens_with_tags(self) -> None:
        rows = rows_of("es/meta4xnli_train.tsv", TAGGED)
        assert rows == [
            PartRow(1, "train", tokens=("El", "tiempo")),
            PartRow(4, "train", tokens=("Ana", "lee")),
        ]
        assert part_file("es/meta4xnli_train.tsv", TAGGED.encode(), ("es", "en")).language == "es"
        assert part_file("meta4xnli_train.es.tsv", TAGGED.encode(), ("es", "en")).language == "es"
        assert part_file("meta4xnli_train.tsv", TAGGED.encode(), ("es", "en")).language == ""

    def test_columns_separated_by_spaces(self) -> None:
        assert [row.tokens for row in rows_of("train.conll", TAGGED.replace("\t", " -X- _ "))] == [
            ("El", "tiempo"),
            ("Ana", "lee"),
        ]

    @pytest.mark.parametrize("text", ["Id\tO\nest\tO\n\nAna\tO\n\n", "Set\tO\nitem\tO\n\n", "id\tB-X\n\n"])
    def test_a_first_word_that_looks_like_a_header_is_a_word(self, text: str) -> None:
        assert part_file("train.tsv", text.encode(), ("es",)).layout == Layout.TOKENS

    def test_crlf_and_a_byte_order_mark(self) -> None:
        data = b"\xef\xbb\xbf" + TAGGED.replace("\n", "\r\n").encode()
        assert [row.tokens for row in rows_of("train.tsv", data)] == [("El", "tiempo"), ("Ana", "lee")]

    def test_a_table_with_a_column_of_parts(self) -> None:
        text = "id,source,Split\n1_a,x,train\n2_a,x,test\n\n3_a,x,\n"
        assert rows_of("corpus.csv", text) == [
            PartRow(2, "train", id="1_a"),
            PartRow(3, "test", id="2_a"),
            PartRow(5, "", id="3_a"),
        ]

    def test_cells_of_csv_may_be_quoted(self) -> None:
        assert [row.id for row in rows_of("x.csv", 'id,text,fold\n"a,1","He said ""no""",1\n')] == ["a,1"]

    def test_a_file_of_pairs_a_part(self) -> None:
        text = (
            "language\tgold_label\tsentence1\tsentence2\tpromptID\tpairID\tgenre\tsource_dataset\n"
            'es\tneutral\t"Uno\tDos\t7\t7_a\tx\txnli_dev\n'
            "en\tneutral\tOne\tTwo\t7\t7_a\tx\txnli_dev\n"
        )
        assert rows_of("meta4xnli_test.tsv", text) == [
            PartRow(2, "test", id="7_a", dataset="xnli_dev"),
            PartRow(3, "test", id="7_a", dataset="xnli_dev"),
        ]

    def test_json_lines(self) -> None:
        assert rows_of("dev.jsonl", '{"pairID": 12, "x": 1}\n{"tokens": ["a", "b"]}\n') == [
            PartRow(1, "dev", id="12"),
            PartRow(2, "dev", tokens=("a", "b")),
        ]
        assert [row.part for row in rows_of("all.jsonl", '{"id": "1", "split": "train"}\n')] == ["train"]

    def test_a_value_a_line(self) -> None:
        assert rows_of("train.txt", "7_a\nUn día .\n") == [
            PartRow(1, "train", id="7_a", tokens=("7_a",)),
            PartRow(2, "train", id="Un día .", tokens=("Un", "día", ".")),
        ]


class TestRefused:
    def test_a_file_that_names_no_part(self) -> None:
        with pytest.raises(FormatError, match="train, dev or test"):
            part_file("corpus.tsv", TAGGED.encode(), ("es",))

    def test_a_row_that_is_too_short(self) -> None:
        with pytest.raises(FormatError, match=r"x\.tsv:3: expected 2 columns"):
            rows_of("x.tsv", "id\tsplit\n1\ttrain\n2\n")

    def test_an_object_that_says_nothing(self) -> None:
        with pytest.raises(FormatError, match="an id or with tokens"):
            rows_of("train.jsonl", '{"id": "1"}\n{"text": 3}\n')

    def test_what_is_no_text(self) -> None:
        with pytest.raises(FormatError, match="UTF-8"):
            rows_of("train.txt", b"\xff\xfe\x00x\n")

    def test_an_empty_file_has_no_rows(self) -> None:
        assert rows_of("train.txt", "") == []
