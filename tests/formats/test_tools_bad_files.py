"""Files that are not what they seem: other tools' formats say what is wrong, where, and read nothing else into it."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

import pytest

from annotator.formats.common.errors import FormatError
from annotator.formats.common.protocol import Options, SourceFile
from annotator.formats.common.records import Record
from annotator.formats.recognise import recognise
from annotator.formats.registry import formats
from annotator.formats.unknown import why_unknown
from annotator.formats.xml.events import DEEPEST

FILES = Path(__file__).parent / "files"
GOOD = {
    "doccano": "doccano.jsonl",
    "label-studio": "label_studio.json",
    "webanno": "webanno.tsv",
    "cas-xmi": "inception.xmi",
    "cas-json": "inception.json",
    "vuamc": "vuamc.xml",
    "tmx": "memory.tmx",
}
ALL = pytest.mark.parametrize("slug", GOOD)
XML = pytest.mark.parametrize("slug", ["cas-xmi", "vuamc", "tmx"])


def _errors(slug, path):
    """The errors of a file, those that were raised and those that were given."""
    found = []
    try:
        for read in formats()[slug].read([SourceFile(path.name, path, language="ca")], Options()):
            found += [read] if isinstance(read, FormatError) else []
    except FormatError as error:
        found.append(error)
    return found


def _put(tmp_path, slug, data):
    path = tmp_path / GOOD[slug]
    path.write_bytes(data)
    return path


@ALL
@pytest.mark.parametrize(
    "data", [b"", b"\n", b"Nom s'enfuig.\n", b"[]", b"{}", b"\xff\xfe\x00", b"PK\x03\x04xx", b"null\n"]
)
def test_a_file_of_something_else_is_refused_and_not_recognised(slug, data, tmp_path):
    path = _put(tmp_path, slug, data)
    errors = _errors(slug, path)
    assert errors and all(error.path.startswith(path.name) for error in errors)
    assert formats()[slug].recognise([SourceFile(path.name, path)], languages=["ca"]) is None


@pytest.mark.parametrize(
    ("slug", "old", "new", "line", "expected"),
    [
        ("doccano", "[[11,18", "[[11,180", 2, "a label within the 26 characters of the text"),
        ("doccano", "[[11,18", "[[18,11", 2, "a label within"),
        ("doccano", "[[11,18", '[["11",18', 2, "a label like"),
        ("doccano", '"text":"Ezer ez"', '"text":" "', 4, "a text"),
        ("doccano", '"text":"Ezer ez"', '"text":"Ezer \\ud83d ez"', 4, "half a character"),
        ("doccano", '"text":"Ezer ez"', '"txt":"Ezer ez"', 4, "a text under “text”"),
        ("webanno", "#FORMAT=WebAnno TSV 3.3", "#FORMAT=WebAnno TSV 2.0", 1, "#FORMAT=WebAnno TSV 3.0 to 3.3"),
        ("webanno", "1-3\t8-10\tva\tVERB", "1-3\t8-10\tva", 14, "15 columns with values"),
        ("webanno", "1-3\t8-10", "1-3\t8:10", 14, "a token like"),
        ("webanno", "2-1\t36-38", "2-1\t36-380", 23, "at their places in the text"),
        ("webanno", "1-6\t23-25", "1-6\t23-24", 10, "at their places in the text"),
        ("cas-xmi", 'begin="23" end="25" value="flag"', 'begin="24" end="25" value="flag"', 53, "inside the text"),
        (
            "cas-xmi",
            'begin="47" end="54" domain',
            'begin="54" end="47" domain',
            51,
            "annotations whose end comes after",
        ),
        ("cas-xmi", 'begin="47" end="54" domain', 'begin="x" end="47" domain', 51, "a numeric start and end"),
        ("tmx", 'xml:lang="eu"', "", 13, "a <tuv> with its language in xml:lang"),
        ("tmx", 'xml:lang="eu"', 'xml:lang="ca"', 13, "one <tuv> per language"),
        ("tmx", "&lt;da&gt;", "&nbsp;", 13, "the characters themselves"),
    ],
)
def test_errors_have_their_line(slug, old, new, line, expected, tmp_path):
    good = (FILES / GOOD[slug]).read_text("utf-8")
    assert old in good
    errors = _errors(slug, _put(tmp_path, slug, good.replace(old, new).encode()))
    assert len(errors) == 1
    assert expected in str(errors[0])
    assert errors[0].line == line


@XML
@pytest.mark.parametrize(
    "declared",
    [
        '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>',
        '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>',
        '<!DOCTYPE x [<!ENTITY % a SYSTEM "http://example.eu/x.dtd"> %a;]>',
    ],
)
def test_entities_are_refused(slug, declared, tmp_path):
    good = (FILES / GOOD[slug]).read_text("utf-8").replace('<!DOCTYPE tmx SYSTEM "tmx14.dtd">\n', "")
    head, _, rest = good.partition("?>")
    path = _put(tmp_path, slug, f"{head}?>{declared}{rest}".encode())
    errors = _errors(slug, path)
    assert len(errors) == 1 and "no entity declarations" in str(errors[0]) and errors[0].line == 1


@XML
def test_endless_depth_is_refused(slug, tmp_path):
    head = {"cas-xmi": '<xmi:XMI xmlns:xmi="http://www.omg.org/XMI">', "vuamc": "<TEI>", "tmx": "<tmx>"}[slug]
    path = _put(tmp_path, slug, (head + "<a>" * 100_000).encode())
    errors = _errors(slug, path)
    assert len(errors) == 1 and ("deep" in str(errors[0]) or "levels" in str(errors[0]))
    assert DEEPEST < 1000


def test_a_type_system_is_read_as_safely(tmp_path):
    system = tmp_path / "TypeSystem.xml"
    system.write_text('<!DOCTYPE x [<!ENTITY a "b">]><typeSystemDescription/>', "utf-8")
    files = [SourceFile("a.xmi", FILES / "inception.xmi"), SourceFile("TypeSystem.xml", system)]
    with pytest.raises(FormatError, match=r"TypeSystem\.xml:1: expected no entity declarations"):
        list(formats()["cas-xmi"].read(files, Options()))


@pytest.mark.parametrize("slug", ["doccano", "label-studio", "cas-json"])
def test_brackets_without_end_are_refused(slug, tmp_path):
    assert _errors(slug, _put(tmp_path, slug, b"[" * 200_000))
    assert _errors(slug, _put(tmp_path, slug, b'{"a":' * 200_000))


def _zipped(path, **members):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as out:
        for name, data in members.items():
            out.writestr(name.replace("_", "."), data)
    return path


BOMB = r"“carta\.xmi” of [\d,]+ bytes, which unpacks to 50,000,000, .* choose the annotated files without it"


def test_a_zip_bomb_is_refused_before_it_is_unpacked(tmp_path):
    path = _zipped(tmp_path / "bomb.zip", carta_xmi=b" " * 50_000_000)
    with pytest.raises(FormatError, match=BOMB):
        list(formats()["cas-xmi"].read([SourceFile("bomb.zip", path)], Options()))


@pytest.mark.slow
def test_why_a_zip_in_a_zip_is_not_read(tmp_path):
    bomb = _zipped(tmp_path / "bomb.zip", carta_xmi=b" " * 50_000_000).read_bytes()
    once = _zipped(tmp_path / "once.zip", a_zip=bomb)
    assert recognise([SourceFile("p/once.zip", once, encoding="")], languages=["ca"]) == []
    error = why_unknown(SourceFile("p/once.zip", once))
    assert error.path == "p/once.zip/a.zip" and re.search(BOMB, str(error))
    twice = _zipped(tmp_path / "twice.zip", b_zip=once.read_bytes())
    error = why_unknown(SourceFile("twice.zip", twice))
    assert str(error) == (
        "twice.zip/b.zip: expected annotated files in a zip file, or in zip files in it, "
        "got another zip file inside, “a.zip”: unzip it and choose its contents"
    )
    large = _zipped(tmp_path / "large.zip", **{f"n{k}_xmi": bytes(900_000) for k in range(600)})
    assert "540,000,000 bytes: unzip it" in str(why_unknown(SourceFile("large.zip", large)))
    other = _zipped(tmp_path / "other.zip", notes_txt=b"x")
    assert "got a zip file with other contents: unzip it" in str(why_unknown(SourceFile("other.zip", other)))


@XML
def test_why_xml_with_entities_is_not_recognised(slug, tmp_path):
    good = (FILES / GOOD[slug]).read_text("utf-8").replace('<!DOCTYPE tmx SYSTEM "tmx14.dtd">\n', "")
    head, _, rest = good.partition("?>")
    declared = '<!DOCTYPE x [\n<!ENTITY a SYSTEM "file:///etc/passwd">]>'
    path = _put(tmp_path, slug, f"{head}?>{declared}{rest}".encode())
    file = SourceFile(path.name, path, encoding="")
    assert recognise([file], languages=["ca"]) == []
    error = why_unknown(file)
    assert error.line == 2 and "declaration of “a”, which is not safe to read: replace it with its value" in str(error)


def test_why_other_xml_is_not_recognised(tmp_path):
    path = tmp_path / "a.xml"
    path.write_text("<?xml version='1.0'?>\n<html><p>x</p></html>", "utf-8")
    assert "which begins with <html>" in str(why_unknown(SourceFile("a.xml", path)))
    path.write_text("<?xml version='1.0'?>\n<a b></a>", "utf-8")
    assert "a.xml:2: expected well-formed XML" in str(why_unknown(SourceFile("a.xml", path)))


def test_names_in_a_zip_lead_nowhere(tmp_path):
    path = tmp_path / "x.zip"
    with zipfile.ZipFile(path, "w") as out:
        out.write(FILES / "inception.xmi", "../../outside.xmi")
    before = sorted(tmp_path.parent.rglob("*"))
    found = list(formats()["cas-xmi"].read([SourceFile("x.zip", path)], Options()))
    assert any(isinstance(read, Record) for read in found)
    assert sorted(tmp_path.parent.rglob("*")) == before
