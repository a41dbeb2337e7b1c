"""XML from strangers: whole, in pieces of any size, and what is refused before it is held in memory."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from random import Random
from xml.etree import ElementTree
from xml.sax.saxutils import escape, quoteattr

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.formats.common.errors import FormatError
from annotator.formats.common.protocol import Options, SourceFile
from annotator.formats.tables.xlsx import Xlsx
from annotator.formats.xml import events as module
from annotator.formats.xml.events import MAX_ATTRIBUTES, MAX_TAG_LENGTH, Characters, End, Start, xml_events

FILE = SourceFile("a.xml", Path("a.xml"))
# Of what is read beyond what is refused: two of the largest pieces.
BEYOND = 2 << 20


class Endless(io.RawIOBase):
    """A beginning, and then the same again and again."""

    def __init__(self, begins: bytes, goes_on: bytes) -> None:
        self.begins, self.goes_on = begins, goes_on
        self.given = 0

    def read(self, size: int = -1) -> bytes:
        whole = self.goes_on * (size // len(self.goes_on) + 2)
        begin, self.given = self.given, self.given + size
        if begin < len(self.begins):
            return (self.begins[begin:] + whole)[:size]
        at = (begin - len(self.begins)) % len(self.goes_on)
        return whole[at : at + size]


def refused(stream: io.RawIOBase) -> FormatError:
    with pytest.raises(FormatError) as caught:
        for _event in xml_events(FILE, stream):
            pass
    return caught.value


@pytest.mark.parametrize(
    ("begins", "goes_on"),
    [
        (b"<a>\n<b c='", b"x"),
        (b"<a>\n<b c='", b"\n"),
        (b"<a>\n<", b"x"),
        (b"<a>\n<b", b" "),
        (b"<a>\n<b></b", b" "),
        (b"<a>\n<!--", b"x"),
        (b"<a>\n<?b ", b"x"),
        (b"\n<!DOCTYPE a SYSTEM '", b"x"),
        (b"<a>\n<b c='", ' d="é" '.encode()),
    ],
)
def test_a_tag_that_does_not_end_is_refused_where_it_is_too_long(begins: bytes, goes_on: bytes) -> None:
    stream = Endless(begins, goes_on)

    error = refused(stream)

    assert stream.given < MAX_TAG_LENGTH + BEYOND
    assert (error.path, error.line) == ("a.xml", 2)
    assert "16,000,000 bytes" in str(error)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
@pytest.mark.parametrize("goes_on", [" b='c'", " xmlns:b = 'c'", '\nb=">"'])
def test_attributes_without_end_are_refused_at_once(goes_on: str, encoding: str) -> None:
    begins = "<a>\n<b".encode(encoding)
    # Its mark stands at the beginning only.
    stream = Endless(begins, goes_on.encode("utf-16-le" if encoding == "utf-16" else encoding))

    error = refused(stream)

    assert stream.given < BEYOND
    assert error.line == 2
    assert f"at most {MAX_ATTRIBUTES:,} attributes" in str(error)


def test_attributes_that_are_declared_without_end_are_refused() -> None:
    names = b"".join(b" a%d CDATA 'x'" % number for number in range(2 * MAX_ATTRIBUTES))

    assert "declared" in str(refused(io.BytesIO(b"<!DOCTYPE a [<!ATTLIST a" + names + b">]><a/>")))


def test_a_long_text_may_be_in_an_attribute() -> None:
    text = "a='b' &lt;c d='e'> " * 200_000
    start, _end = xml_events(FILE, io.BytesIO(f'<a sofa="{text}"/>'.encode()))

    assert isinstance(start, Start)
    assert start.attributes["sofa"] == text.replace("&lt;", "<")


names = st.sampled_from(["a", "b", "c-d"])
texts = st.text(st.sampled_from("x='\"<>&/!? \n-é語🙂"), max_size=40)
elements = st.recursive(
    st.builds(lambda name, text: (name, {}, [text]), names, texts),
    lambda inner: st.tuples(names, st.dictionaries(names, texts, max_size=3), st.lists(texts | inner, max_size=4)),
    max_leaves=8,
)


def spelled(element: object) -> str:
    if isinstance(element, str):
        return escape(element) + "<!-- a='b' > -->"
    assert isinstance(element, tuple)
    name, attributes, inner = element
    said = "".join(f" {key}={quoteattr(value)}" for key, value in attributes.items())
    return f"<{name}{said}>{''.join(map(spelled, inner))}</{name}>"


@given(elements, st.integers(1, 40), st.sampled_from(["utf-8", "utf-16"]))
def test_pieces_of_any_size_give_the_same(element: object, chunk: int, encoding: str) -> None:
    data = spelled(element).encode(encoding)
    before = module._CHUNK, module.MAX_ATTRIBUTES
    # So low that each tag comes near it.
    module._CHUNK, module.MAX_ATTRIBUTES = chunk, 3
    try:
        found = list(xml_events(FILE, io.BytesIO(data)))
    finally:
        module._CHUNK, module.MAX_ATTRIBUTES = before

    root = ElementTree.fromstring(data)  # noqa: S314 -- our own
    expected = [(one.tag, one.attrib) for one in root.iter()]
    starts = [one for one in found if isinstance(one, Start)]
    assert [(one.name, dict(one.attributes)) for one in starts] == expected
    assert len([one for one in found if isinstance(one, End)]) == len(expected)
    assert "".join(one.text for one in found if isinstance(one, Characters)) == "".join(root.itertext())


def test_a_part_of_a_workbook_is_looked_at_before_it_is_read(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    for row in (["id", "text:es"], ["1", "El tren llega ."]):
        book.active.append(row)
    whole, bad = tmp_path / "a.xlsx", tmp_path / "b.xlsx"
    book.save(whole)
    # Compressed as it is, it is no bomb.
    random = Random(1)
    attributes = " ".join(f"a{number}='{random.getrandbits(60)}'" for number in range(60_000))
    with zipfile.ZipFile(whole) as given, zipfile.ZipFile(bad, "w", zipfile.ZIP_DEFLATED) as made:
        for name in given.namelist():
            made.writestr(name, given.read(name).replace(b"<sheetData>", f"<sheetData {attributes}>".encode()))

    [error] = Xlsx().read([SourceFile("b.xlsx", bad, language="es")], Options(header=True))
    assert isinstance(error, FormatError)
    assert str(error).startswith("b.xlsx/xl/worksheets/sheet1.xml:1: expected at most 1,000 attributes")
