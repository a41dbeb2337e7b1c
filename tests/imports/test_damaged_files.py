"""Archives and workbooks that are damaged or locked: called by name and by what is wrong, and nothing is kept."""

from __future__ import annotations

import gzip
import io
import zipfile
from pathlib import Path

import openpyxl
import pytest

from annotator.core.files.storage import site_files
from annotator.core.files.uploads import UploadError
from annotator.imports.drafts.drafts import Upload, add_files, preview_draft, start_draft
from annotator.models import Project
from tests.drafts import SPANISH, draft_of
from tests.zips import zipped

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("uploads")]

TEXT = "".join(f"La oración número {number} habla de trenes .\n" for number in range(300))


def packed(*, locked: bool = False) -> bytes:
    content = zipped({"corpus/es.txt": TEXT.encode()})
    if not locked:
        return content
    # The bit that says so, in the member's own header and in the list at the end.
    changed = bytearray(content)
    changed[6] |= 1
    changed[content.index(b"PK\x01\x02") + 8] |= 1
    return bytes(changed)


def flipped(content: bytes, place: int) -> bytes:
    changed = bytearray(content)
    changed[place] ^= 0xFF
    return bytes(changed)


def workbook() -> bytes:
    book = openpyxl.Workbook()
    book.active.append(["id", "text"])
    for number, line in enumerate(TEXT.splitlines()):
        book.active.append([number, line])
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


def in_sheet(content: bytes) -> int:
    """A place inside of the packed sheet."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        member = archive.getinfo("xl/worksheets/sheet1.xml")
    return member.header_offset + member.compress_size // 2


BOOK = workbook()
# Without the time, which would be in the names of the tests: every process has to find the same ones.
GZIP = gzip.compress(TEXT.encode(), mtime=0)
CASES = [
    ("corpus.zip", packed()[:-40], "corpus.zip is incomplete"),
    ("corpus.zip", packed()[:200], "corpus.zip is incomplete"),
    ("corpus.zip", b"PK\x03\x04 broken", "corpus.zip is incomplete"),
    ("corpus.zip", flipped(packed(), 80), "corpus.zip is damaged: the checksum of corpus/es.txt is wrong"),
    ("corpus.zip", packed(locked=True), "corpus.zip is protected by a password"),
    ("es.txt.gz", GZIP[:-20], "es.txt.gz is incomplete"),
    ("es.txt.gz", GZIP[:5], "es.txt.gz is incomplete"),
    ("es.txt.gz", flipped(GZIP, -6), "es.txt.gz is damaged"),
    ("frases.xlsx", BOOK[:-500], "frases.xlsx is incomplete: the end of the workbook"),
    ("frases.xlsx", flipped(BOOK, in_sheet(BOOK)), "frases.xlsx is damaged"),
    ("frases.xlsx", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(512), "Save it as .xlsx without a password"),
]


@pytest.mark.parametrize(("name", "content", "expected"), CASES)
def test_it_is_called_what_it_is_and_nothing_is_kept(
    project: Project, uploads: Path, name: str, content: bytes, expected: str
) -> None:
    draft = start_draft(project=project, by=None)

    with pytest.raises(UploadError) as refusal:
        add_files(draft=draft, uploads=[Upload("first.txt", [SPANISH.encode()]), Upload(name, [content])], by=None)

    assert expected in str(refusal.value)
    assert [path for path in uploads.rglob("*") if path.is_file()] == []
    draft.refresh_from_db()
    assert draft.files == []


def test_what_is_whole_comes_in(project: Project) -> None:
    draft = draft_of(project, {"frases.xlsx": BOOK}, files={"1": {"language": "es"}})

    preview = preview_draft(draft=draft)

    assert (preview["format"], preview["counts"]["records"]) == ("xlsx", 300)
    # A workbook has no lines.
    assert preview["files"][0]["lines"] is None


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("paper.es.txt", b"%PDF-1.5\n\x00\xff", "paper.es.txt is a PDF file"),
        ("tesis.es.docx", zipped({"[Content_Types].xml": b"<Types/>", "word/document.xml": b"<w/>"}), "is a Word file"),
        ("old.doc", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "old.doc is a Word file"),
        ("nothing.es.txt", b"", "nothing.es.txt is empty"),
    ],
)
def test_documents_that_are_not_read_are_called_by_what_they_are(
    project: Project, name: str, content: bytes, said: str
) -> None:
    draft = start_draft(project=project, by=None)

    with pytest.raises(UploadError, match=said):
        add_files(draft=draft, uploads=[Upload("es.txt", [SPANISH.encode()]), Upload(name, [content])], by=None)

    assert not draft.files
    assert not list(site_files().files(draft.folder))
