import codecs
import hashlib

import pytest

from annotator.formats.common.encodings import examine
from annotator.formats.common.lines import read_lines
from annotator.formats.common.protocol import SourceFile

ES = "El niño comió añejo jamón.\n¿Qué pasó mañana?\n"


@pytest.mark.parametrize(
    ("language", "text", "encoding", "expected"),
    [
        ("es", ES, "utf-8", "utf-8"),
        ("es", ES, "utf-8-sig", "utf-8"),
        ("es", ES, "utf-16", "utf-16"),
        ("es", ES, "utf-16-le", "utf-16-le"),
        ("es", ES, "utf-16-be", "utf-16-be"),
        ("es", ES, "utf-32", "utf-32"),
        ("es", ES, "latin-1", "cp1252"),
        ("es", ES, "cp1252", "cp1252"),
        ("es", ES, "mac_roman", "mac_roman"),
        ("es", ES, "cp850", "cp850"),
        ("ru", "Это просто текст.\nЕщё один.\n", "cp1251", "cp1251"),
        ("pl", "Zażółć gęślą jaźń\n", "cp1250", "cp1250"),
        ("ja", "今日は寒いですね。\nこんにちは世界\n", "cp932", "cp932"),
        ("ja", "今日は寒いですね。\nこんにちは世界\n", "euc_jp", "euc_jp"),
        ("zh", "我不知道你在说什么。\n", "gb18030", "gb18030"),
        ("th", "สวัสดีครับ\n", "cp874", "cp874"),
    ],
)
def test_encodings_are_recognised_and_read(tmp_path, language, text, encoding, expected):
    path = tmp_path / "f.txt"
    path.write_bytes(text.encode(encoding))
    found = examine(path, "f.txt", languages=[language])
    assert found.encoding == expected
    lines = [read[1] for read in read_lines(SourceFile("f.txt", path, found.encoding)) if isinstance(read, tuple)]
    assert lines == text.split("\n")[:-1]


def test_what_was_done_to_the_bytes_is_said(tmp_path):
    path = tmp_path / "f.txt"
    content = codecs.BOM_UTF8 + b"uno\r\ndos\r\n"
    path.write_bytes(content)
    found = examine(path, "f.txt")
    assert (found.bom, found.crlf, found.sure, found.size) == (True, True, True, len(content))
    assert found.sha256 == hashlib.sha256(content).hexdigest()


def test_one_letter_far_down_decides(tmp_path):
    path = tmp_path / "f.txt"
    path.write_bytes(b"todo bien\n" * 200_000 + "mañana\n".encode("cp1252"))
    assert examine(path, "f.txt", languages=["es"]).encoding == "cp1252"


def test_lines_that_are_not_plain_decide_however_many_are(tmp_path):
    path = tmp_path / "f.txt"
    path.write_bytes(b"todo bien\n" * 10_000 + ES.encode("mac_roman"))
    assert examine(path, "f.txt", languages=["es"]).encoding == "mac_roman"


def test_a_wrong_byte_among_many_right_ones_makes_no_other_encoding_of_them(tmp_path):
    path = tmp_path / "corpus.txt"
    path.write_bytes("El niño llegó a la estación .\n¿Qué pasó aquí ?\n".encode() + "Canción .\n".encode("latin-1"))
    assert examine(path, "corpus.txt", languages=["es"]).encoding == "utf-8"
    with pytest.raises(Exception, match=r"corpus\.txt:3: .*byte 0xF3"):
        list(read_lines(SourceFile("corpus.txt", path, encoding="utf-8")))


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ("Café.\tOk.\n".encode() + b"Caf\xe9.\tOk.\n", 2),
        (b"Caf\xe9.\n" + "¿Qué?\nSí.\n".encode(), 1),
    ],
)
def test_one_wrong_byte_in_a_short_file_is_refused_with_its_line(tmp_path, content, line):
    path = tmp_path / "pairs.tsv"
    path.write_bytes(content)
    found = examine(path, "pairs.tsv", languages=["en"])
    assert found.encoding == "utf-8"
    with pytest.raises(Exception, match=rf"pairs\.tsv:{line}: expected UTF-8, got byte 0xE9"):
        list(read_lines(SourceFile("pairs.tsv", path, found.encoding)))


def test_a_line_that_is_utf8_by_chance_makes_no_utf8_of_many_others(tmp_path):
    path = tmp_path / "f.txt"
    # As Windows writes them, É and » are a character of UTF-8.
    path.write_bytes("CAFÉ»\nEl niño comió añejo jamón.\n¿Qué pasó?\n".encode("cp1252"))
    assert examine(path, "f.txt", languages=["es"]).encoding == "cp1252"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-16-le", "cp1252"])
def test_wrong_bytes_are_placed(tmp_path, encoding):
    path = tmp_path / "f.txt"
    wrong = {"utf-8": b"\xff", "cp1252": b"\x81"}.get(encoding, b"\x00\xdc")
    text = "linea\n" * 30_000 + "ab"
    path.write_bytes(text.encode(encoding) + wrong + "c\n".encode(encoding.replace("utf-16", "utf-16-le")[:9]))
    with pytest.raises(Exception, match=r"f.txt:30001: expected .*, got byte 0x.. at position [35] of the line"):
        list(read_lines(SourceFile("f.txt", path, encoding)))


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_lines_end_at_lf_and_crlf_only_also_between_pieces(tmp_path, end):
    path = tmp_path / "f.txt"
    lines = ["x" * 65_535, "y" * 65_536, "a\u2028b\u0085c\rd", ""]
    path.write_bytes(end.join([*lines, "z"]).encode())
    found = list(read_lines(SourceFile("f.txt", path)))
    assert [read[1] for read in found if isinstance(read, tuple)] == [*lines, "z"]
