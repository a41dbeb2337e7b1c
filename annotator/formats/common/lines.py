"""Bytes to lines, as all readers of this package do it.

Lines end at LF, and at nothing else: `str.splitlines` would also cut at U+2028 or U+0085, which are
characters of a token in published files. CR before LF, a byte order mark and a missing last LF are
read past and reported. A file whose lines end in CR alone is refused.
"""

from __future__ import annotations

import codecs
import io
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from annotator.domain.messages import gettext_noop as _
from annotator.domain.messages import message, message_of
from annotator.formats.common.errors import FormatError, FormatWarning, quote

if TYPE_CHECKING:
    from annotator.formats.common.protocol import SourceFile

# A line is held in memory, so a file that is one endless line is refused. 100,000 tokens are less than a tenth of it.
MAX_LINE = 16_000_000
_CHUNK = 1 << 16


@dataclass(frozen=True)
class Lines:
    """The lines of a file without their ends, and what was odd about it."""

    lines: tuple[str, ...]
    warnings: tuple[FormatWarning, ...]


class LineStream:
    """The lines of bytes with their numbers (from 1), one at a time; `warnings` grows while they are read.

    Iterating raises FormatError, with the line and byte, for bytes that are not in the encoding, for NUL
    characters, and for a line that is too long to be text. `ends`: lines keep their ends, CR LF as it stands, for
    formats in which a cell may hold several.
    """

    def __init__(self, stream: BinaryIO, name: str, encoding: str = "utf-8", *, ends: bool = False) -> None:
        self.name = name
        self._ends = ends
        self.warnings: list[FormatWarning] = []
        self._stream = stream
        try:
            self._encoding = codecs.lookup(encoding).name
        except LookupError:
            raise FormatError(name, 0, message(_("a known encoding")), quote(encoding)) from None

    def __iter__(self) -> Iterator[tuple[int, str]]:
        number = 0
        first_cr = 0
        # The beginning of a line, in pieces: put together again with each, a line of megabytes would take seconds.
        pieces: list[str] = []
        held = 0
        for text in self._decoded():
            lines = text.split("\n")
            pieces.append(lines[0])
            held += len(lines[0])
            if len(lines) > 1:
                lines[0] = "".join(pieces)
                pieces = [lines[-1]]
                held = len(lines[-1])
            del lines[-1]
            if held > MAX_LINE:
                raise FormatError(
                    self.name,
                    number + len(lines) + 1,
                    message(
                        _("lines of at most %(longest_line)s characters, each ending in a line feed"),
                        longest_line=f"{MAX_LINE:,}",
                    ),
                    message(
                        _("a longer one, with carriage returns only")
                        if any("\r" in piece for piece in pieces)
                        else _("a longer one")
                    ),
                )
            for line in lines:
                number += 1
                if line.endswith("\r"):
                    first_cr = first_cr or number
                if "\0" in line:
                    raise FormatError(
                        self.name,
                        number,
                        message(_("text")),
                        message(_("a NUL character in %(line)s"), line=quote(line)),
                    )
                yield number, line + "\n" if self._ends else line.removesuffix("\r")
        rest = "".join(pieces)
        if rest:
            number += 1
            if number == 1 and "\r" in rest[:-1]:
                got = _(
                    "lines that end only in CR, as Excel for Mac saves “CSV (Macintosh)”: save the file as “CSV UTF-8”"
                )
                raise FormatError(self.name, 1, message(_("lines that end in LF or CR LF")), message(got))
            self.warnings.append(
                FormatWarning(self.name, number, message(_("the last line does not end in a line feed")))
            )
            rest = rest.removesuffix("\r")
            if "\0" in rest:
                raise FormatError(
                    self.name, number, message(_("text")), message(_("a NUL character in %(rest)s"), rest=quote(rest))
                )
            yield number, rest
        if first_cr and not self._ends:
            self.warnings.append(FormatWarning(self.name, first_cr, message(_("lines end in CR LF, read as LF"))))

    def _decoded(self) -> Iterator[str]:
        """The text in pieces, without its byte order mark."""
        decoder = codecs.getincrementaldecoder(self._encoding)()
        number = 1
        tail: list[str] = []
        first = True
        while True:
            data = self._stream.read(_CHUNK)
            try:
                text = decoder.decode(data, final=not data)
            except UnicodeError as error:
                raise self._undecodable(error, number, "".join(tail)) from error
            if first and text:
                first = False
                if text[0] == "\ufeff":
                    text = text[1:]
                    self.warnings.append(
                        FormatWarning(self.name, 1, message(_("begins with a byte order mark, which was skipped")))
                    )
            yield text
            if not data:
                return
            number += text.count("\n")
            cut = text.rfind("\n")
            if cut >= 0:
                tail.clear()
            tail.append(text[cut + 1 :])

    def _undecodable(self, error: UnicodeError, number: int, tail: str) -> FormatError:
        """Where the bytes stop being text; `tail` is what was decoded of line `number` before."""
        shown = "UTF-8" if self._encoding == "utf-8" else self._encoding
        if not isinstance(error, UnicodeDecodeError):
            return FormatError(self.name, number, shown, message_of(error))
        before = tail + error.object[: error.start].decode(self._encoding, errors="replace")
        begin = before.rfind("\n") + 1
        # Without the mark that some codecs put before every text.
        place = len(codecs.getincrementalencoder(self._encoding)().encode(before[begin:]))
        if self._encoding in ("utf-16", "utf-32") and before[begin:]:
            place -= 2 if self._encoding == "utf-16" else 4
        got = message(
            _("byte 0x%(object)s at position %(place)s of the line"),
            object=f"{error.object[error.start]:02X}",
            place=place + 1,
        )
        if error.end == len(error.object) and any(word in error.reason for word in ("end of data", "trunc", "incompl")):
            got = message(_("%(got)s, where the file ends inside a character"), got=got)
        return FormatError(self.name, number + before.count("\n"), shown, got)


def undecodable(file: SourceFile, error: UnicodeDecodeError, line: int) -> FormatError:
    """The error of bytes that are not in a file's encoding, in a line (from 1) of which `error` has what was read."""
    before = error.object[: error.start]
    got = message(
        _("byte 0x%(object)s at position %(place)s of the line"),
        object=f"{error.object[error.start]:02X}",
        place=error.start - before.rfind(b"\n"),
    )
    return file.error(line, "UTF-8" if file.encoding == "utf-8" else file.encoding, got)


@contextmanager
def open_lines(file: SourceFile, *, ends: bool = False) -> Iterator[LineStream]:
    """The lines of a file that is open meanwhile. Raises FormatError."""
    with open_bytes(file.path, file.name) as stream:
        yield LineStream(stream, file.name, file.encoding, ends=ends)


def read_lines(file: SourceFile) -> Iterator[tuple[int, str] | FormatWarning]:
    """The lines of a file with their numbers, without their ends; then what was odd about it. Raises FormatError."""
    with open_lines(file) as lines:
        yield from lines
        yield from lines.warnings


def open_bytes(path: Path, name: str) -> BinaryIO:
    """A file opened for reading. Raises FormatError, with `name` for the path, when it cannot be."""
    try:
        return path.open("rb")
    except FileNotFoundError as error:
        raise FormatError(name, 0, message(_("this file")), message(_("no such file"))) from error
    except OSError as error:
        raise FormatError(
            name, 0, message(_("a file that can be read")), error.strerror or message_of(error)
        ) from error


def read_bytes(path: Path, name: str) -> bytes:
    """The content of a file. Raises FormatError, with `name` for the path, when it cannot be read."""
    with open_bytes(path, name) as stream:
        return stream.read()


def split_lines(data: bytes, name: str) -> Lines:
    """Decode UTF-8 and split at LF. Raises FormatError with the line and byte that is not UTF-8."""
    stream = LineStream(io.BytesIO(data), name)
    lines = tuple(line for _, line in stream)
    return Lines(lines, tuple(stream.warnings))
