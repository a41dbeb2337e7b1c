"""UIMA CAS as INCEpTION exports it: XMI with its type system, zipped or not, and JSON."""

from __future__ import annotations

import codecs
import io
import re
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from annotator.domain.messages import gettext_noop as _
from annotator.domain.messages import message, message_of
from annotator.formats.cas.cas_json import read_json_cas, write_json_cas
from annotator.formats.cas.cas_language import placed_by_text
from annotator.formats.cas.cas_model import Cas, Reading, Types, to_cas
from annotator.formats.cas.cas_xmi import read_types, read_xmi, write_types, write_xmi
from annotator.formats.common.errors import FormatError, quote
from annotator.formats.common.features import Feature
from annotator.formats.common.lines import open_bytes
from annotator.formats.common.protocol import Guess, Options, SourceFile
from annotator.formats.common.records import PairRecord, Read, Record
from annotator.formats.common.voices import Voice
from annotator.formats.webanno import documents
from annotator.formats.xml.events import root_of

# What the members of a zip file may be together when unpacked, and how much smaller packed.
_LARGEST = 512_000_000
_PACKED = 200
_JSON = ("", ".json")
_LOOKED_AT = 5
_HEAD = 1 << 16
_ROOT = re.compile(r"<(?:[\w.-]+:)?([A-Za-z_][\w.-]*)")
# What stands before the first element.
_BESIDE_ROOT = re.compile(r"<!--.*?-->|<\?.*?\?>|<![^>]*>", re.DOTALL)
_KEEPS = frozenset(
    {
        Feature.TEXT,
        Feature.TOKENS,
        Feature.IDS,
        Feature.DOCUMENTS,
        Feature.LABELS,
        Feature.DISCONTINUOUS,
        Feature.OVERLAPS,
        Feature.ATTRIBUTES,
        Feature.WHOLE_TEXT,
        Feature.WORDS,
    }
)


@dataclass(frozen=True, slots=True)
class _Part:
    """A file, or a member of a zip file; `open` gives its bytes."""

    file: SourceFile
    open: Callable[[], BinaryIO]
    # The name of the file that it came in.
    holder: str

    @property
    def suffix(self) -> str:
        return PurePosixPath(self.file.name).suffix.lower()

    @property
    def folder(self) -> str:
        return str(PurePosixPath(self.file.name).parent)


class CasXmi:
    """The format of UIMA's XMI."""

    slug = "cas-xmi"
    writes = True
    keeps = _KEEPS

    def recognise(self, files: Sequence[SourceFile], *, languages: Sequence[str]) -> Guess | None:
        """XMI files, with or without type systems beside them, or zip files of such."""
        names = set()
        for file in files:
            if documents.is_project(file):
                continue
            if file.path.suffix.lower() == ".zip" or _is_zip(file):
                try:
                    members = [part.suffix for part in _parts([file])]
                except FormatError:
                    return None
                names.add("XMI" if ".xmi" in members else "")
            else:
                root = root_of(file)
                names.add(root.name if root else "")
        if "XMI" not in names or names - {"XMI", "typeSystemDescription"}:
            return None
        document = next((part for part in _parts(files) if not _is_types(part)), None)
        known, notes = placed_by_text(files, document.open if document else None, languages)
        return Guess(self.slug, 1.0, known, Options(), notes)

    def read(self, files: Sequence[SourceFile], options: Options) -> Iterator[Read]:
        """A record a sentence; a document that several people labelled is read once, with everybody's labels."""
        parts = list(_parts(files))
        systems = {part.folder: read_types(part.file, part.open()) for part in parts if _is_types(part)}
        annotated = [part for part in parts if not _is_types(part) and part.suffix in ("", ".xmi", ".xml")]
        if not annotated:
            raise FormatError(files[0].name if files else "", 0, message(_("an XMI file")), message(_("none")))

        def cas_of(part: _Part) -> Cas:
            # One type system beside many documents is everybody's.
            types = systems.get(part.folder) or (next(iter(systems.values())) if len(systems) == 1 else Types())
            with part.open() as stream:
                return read_xmi(part.file, stream, types)

        yield from _read(files, annotated, cas_of)

    def write(self, records: Iterable[Record | PairRecord], folder: Path) -> list[Path]:
        """A zip file a document and language, with its XMI and type system, as INCEpTION exports them."""
        paths: list[Path] = []
        for document in documents.by_document(records):
            cas, name = to_cas(document), document.file_name
            paths.append(folder / f"{name}.zip")
            with zipfile.ZipFile(paths[-1], "w", zipfile.ZIP_DEFLATED) as out:
                # A date of its own would make each writing another file.
                out.writestr(zipfile.ZipInfo(f"{name}.xmi"), write_xmi(cas), zipfile.ZIP_DEFLATED)
                out.writestr(zipfile.ZipInfo("TypeSystem.xml"), write_types(cas.types), zipfile.ZIP_DEFLATED)
        return paths


class CasJson:
    """The format of UIMA's JSON."""

    slug = "cas-json"
    writes = True
    keeps = _KEEPS

    def recognise(self, files: Sequence[SourceFile], *, languages: Sequence[str]) -> Guess | None:
        """JSON files with types and feature structures, or zip files of such."""
        try:
            parts = [part for part in _parts(files) if part.suffix in _JSON]
            if not parts or not all(_is_json_cas(part) for part in parts[:_LOOKED_AT]):
                return None
            # A zip file without one is something else.
            holders = {part.holder for part in parts}
            if any(file.name not in holders and not documents.is_project(file) for file in files):
                return None
        except FormatError:
            return None
        known, notes = placed_by_text(files, parts[0].open, languages)
        return Guess(self.slug, 1.0, known, Options(), notes) if files else None

    def read(self, files: Sequence[SourceFile], options: Options) -> Iterator[Read]:
        """A record a sentence, as from XMI."""

        def cas_of(part: _Part) -> Cas:
            with part.open() as stream:
                return read_json_cas(part.file, stream)

        annotated = [part for part in _parts(files) if part.suffix in _JSON]
        if not annotated:
            raise FormatError(files[0].name if files else "", 0, message(_("a JSON file")), message(_("none")))
        yield from _read(files, annotated, cas_of)

    def write(self, records: Iterable[Record | PairRecord], folder: Path) -> list[Path]:
        """A file a document and language."""
        paths: list[Path] = []
        for document in documents.by_document(records):
            paths.append(folder / f"{document.file_name}.json")
            paths[-1].write_text(write_json_cas(to_cas(document)), encoding="utf-8", newline="\n")
        return paths


def _read(files: Sequence[SourceFile], parts: Sequence[_Part], cas_of: Callable[[_Part], Cas]) -> Iterator[Read]:
    by_name = {part.file.name: part for part in parts}

    def reading(file: SourceFile, document: str, voice: Voice | None) -> Iterator[Read]:
        # One document at a time is held in memory, by each who labelled it.
        yield from Reading(cas_of(by_name[file.name]), file, voice, document).read()

    yield from documents.read_documents([part.file for part in parts], files, reading)


def _is_types(part: _Part) -> bool:
    """Whether a file is a type system, by what it begins with: it may be called otherwise than INCEpTION calls it."""
    if part.suffix not in ("", ".xml"):
        return False
    with part.open() as stream:
        head = stream.read(_HEAD)
    encoding = "utf-16" if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else "utf-8"
    root = _ROOT.search(_BESIDE_ROOT.sub("", head.decode(encoding, errors="replace")))
    return root is not None and root[1] == "typeSystemDescription"


def _is_json_cas(part: _Part) -> bool:
    with part.open() as stream:
        data = stream.read(4096)
    try:
        decoder = codecs.getincrementaldecoder(part.file.encoding or "utf-8")("replace")
        head = decoder.decode(data).lstrip("\ufeff \t\r\n")
    except UnicodeError:
        return False
    return head.startswith("{") and ('"%TYPES"' in head or '"%FEATURE_STRUCTURES"' in head)


def names_in_zip(file: SourceFile) -> list[str]:
    """The names of the files in a zip file that could be annotated ones. Raises FormatError for what is not safe."""
    return [part.file.name.removeprefix(f"{file.name}/") for part in _parts([file])]


def _is_zip(file: SourceFile) -> bool:
    with open_bytes(file.path, file.name) as stream:
        return stream.read(4) == b"PK\x03\x04"


def _parts(files: Sequence[SourceFile]) -> Iterator[_Part]:
    """The files, and those in zip files, also where these are in one. None is unpacked before it is opened."""
    for file in files:
        if documents.is_project(file):
            continue
        part = _Part(file, partial(open_bytes, file.path, file.name), file.name)
        if _is_zip(file):
            yield from _members(part, _LARGEST, nested=True)
        else:
            yield part


def _members(part: _Part, room: int, *, nested: bool) -> Iterator[_Part]:
    with part.open() as stream:
        try:
            members = [member for member in zipfile.ZipFile(stream).infolist() if not member.is_dir()]
        except (zipfile.BadZipFile, NotImplementedError) as error:
            raise part.file.error(0, _("a complete zip file"), message_of(error)) from None
    _check_sizes(part, members, room)
    size = sum(member.file_size for member in members)
    for member in members:
        name = PurePosixPath(member.filename)
        if name.suffix.lower() not in (".xmi", ".xml", ".json", ".zip") or name.name.startswith("._"):
            continue
        # The encoding that was recognised is the zip's.
        named = replace(part.file, name=f"{part.file.name}/{name}", encoding="utf-8")
        own = _Part(named, partial(_unpacked, part, member), part.holder)
        if name.suffix.lower() != ".zip":
            yield own
        elif nested:
            yield from _members(own, room - size, nested=False)
        else:
            # As bombs are built; an export has people's files in zip files, and these in the project's.
            raise part.file.error(
                0,
                _("annotated files in a zip file, or in zip files in it"),
                _("another zip file inside, %(name)s: unzip it and choose its contents"),
                name=quote(str(name), 80),
            )


def _check_sizes(part: _Part, members: Sequence[zipfile.ZipInfo], room: int) -> None:
    """Refuse a zip file that unpacks to more than there is room for, or than text would. Raises FormatError."""
    size = sum(member.file_size for member in members)
    if size > room:
        raise part.file.error(
            0,
            _("at most %(room)s bytes of text in a zip file"),
            _("%(size)s bytes: unzip it and choose its files in several parts"),
            room=f"{room:,}",
            size=f"{size:,}",
        )
    bomb = next((m for m in members if m.file_size > 1_000_000 and m.file_size > _PACKED * m.compress_size), None)
    if bomb is not None:
        got = _(
            "%(name)s of %(packed)s bytes, which unpacks to %(size)s, too much for text: check what it is, or choose "
            "the annotated files without it"
        )
        raise part.file.error(
            0,
            _("files in a zip file that unpack to at most %(most)s times their size"),
            message(got, name=quote(bomb.filename, 80), packed=f"{bomb.compress_size:,}", size=f"{bomb.file_size:,}"),
            most=_PACKED,
        )


def _unpacked(part: _Part, member: zipfile.ZipInfo) -> BinaryIO:
    """A member's bytes, of which there are as many as it says, or fewer. Raises FormatError."""
    try:
        with part.open() as stream, zipfile.ZipFile(stream) as archive:
            return io.BytesIO(archive.read(member))
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, ValueError, zlib.error) as error:
        raise FormatError(
            f"{part.file.name}/{member.filename}", 0, message(_("a file that can be unpacked")), message_of(error)
        ) from None
