"""Good files of every format, and ways to spoil them."""

from __future__ import annotations

import io
import stat
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import openpyxl

from annotator.domain.labels.spans import Span
from annotator.formats.common.records import Labels, Record, Says, Text
from annotator.formats.registry import formats
from tests.formats.samples import SHAPES, WRITERS

Files = dict[str, bytes]
SENTENCES = ("El tiempo es oro .", "La ciudad despierta con el ruido .", "Ana guardó la caja añil .")


def corpus(sentences: Iterable[str] = SENTENCES, *, ids: Sequence[str] = ()) -> list[Record]:
    """Sentences in Spanish with a label on their second token."""
    found = []
    for number, sentence in enumerate(sentences):
        tokens = tuple(sentence.split(" "))
        text = Text(tokens=tokens, labels=(Labels(Says.GOLD, "", (Span((1,), "METAPHOR"),)),))
        found.append(Record("", 0, {"es": text}, id=ids[number] if ids else ""))
    return found


def written(slug: str, records: list[Record]) -> Files:
    """The files of a format, as its writer or its tool writes them, the one with sentences first; zips unpacked."""
    one = formats()[slug]
    shaped: Any = SHAPES.get(slug, lambda same: same)(records)
    with tempfile.TemporaryDirectory() as folder:
        paths = (one.write if one.writes else WRITERS[slug])(shaped, Path(folder))
        files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}
    found: Files = {}
    for name, content in files.items():
        found |= members(content) if name.endswith(".zip") else {name: content}
    return found


def members(content: bytes) -> Files:
    """What is in a zip."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def packed(files: Mapping[str, bytes] | Iterable[tuple[str | zipfile.ZipInfo, bytes]]) -> bytes:
    """A zip with these members in this order, whatever they are called; several may have one name."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items() if isinstance(files, Mapping) else files:
            archive.writestr(name, data, zipfile.ZIP_DEFLATED)
    return content.getvalue()


def link(name: str, target: str) -> tuple[zipfile.ZipInfo, bytes]:
    """A symbolic link, as a member of a zip."""
    info = zipfile.ZipInfo(name)
    info.create_system = 3  # Unix, whose files have modes
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    return info, target.encode()


def workbook(rows: Iterable[Iterable[object]]) -> bytes:
    """An Excel workbook of one sheet."""
    return sheets({"corpus": rows})


def sheets(tables: Mapping[str, Iterable[Iterable[object]]]) -> bytes:
    """An Excel workbook, by the titles of its sheets."""
    book = openpyxl.Workbook(write_only=True)
    for title, rows in tables.items():
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(list(row))
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


def table(slug: str, rows: Sequence[Sequence[str]]) -> Files:
    """Rows as CSV, TSV or a workbook; no cell needs quotation marks."""
    if slug == "xlsx":
        return {"tabla.xlsx": workbook(rows)}
    delimiter = {"csv": ",", "tsv": "\t"}[slug]
    return {f"tabla.{slug}": "".join(delimiter.join(row) + "\n" for row in rows).encode()}


def spoiled(files: Files, change: Callable[[bytes], bytes]) -> Files:
    """The file with the sentences changed; of a workbook, its sheet."""
    first = next(iter(files))
    if not first.endswith(".xlsx"):
        return {**files, first: change(files[first])}
    parts = members(files[first])
    sheet = "xl/worksheets/sheet1.xml"
    return {**files, first: packed({**parts, sheet: change(parts[sheet])})}
