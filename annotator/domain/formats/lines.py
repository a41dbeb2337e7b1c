"""Bytes to lines, as all readers of this package do it.

Lines end at LF, and at nothing else: `str.splitlines` would also cut at U+2028 or U+0085, which are
characters of a token in published files. CR before LF, a byte order mark and a missing last LF are
read past and reported.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from annotator.domain.formats.errors import FormatError, FormatWarning, quote

_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True)
class Lines:
    """The lines of a file without their ends, and what was odd about it."""

    lines: tuple[str, ...]
    warnings: tuple[FormatWarning, ...]


def read_bytes(path: Path, name: str) -> bytes:
    """The content of a file. Raises FormatError, with `name` for the path, when it cannot be read."""
    try:
        return path.read_bytes()
    except FileNotFoundError as error:
        raise FormatError(name, 0, "this file", "no such file") from error
    except OSError as error:
        raise FormatError(name, 0, "a file that can be read", error.strerror or str(error)) from error


def split_lines(data: bytes, name: str) -> Lines:
    """Decode UTF-8 and split at LF. Raises FormatError with the line and byte that is not UTF-8."""
    warnings: list[FormatWarning] = []
    if data.startswith(_BOM):
        data = data[len(_BOM) :]
        warnings.append(FormatWarning(name, 1, "begins with a byte order mark, which was skipped"))
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line_start = data.rfind(b"\n", 0, error.start) + 1
        raise FormatError(
            name,
            data.count(b"\n", 0, error.start) + 1,
            "UTF-8",
            f"byte 0x{data[error.start]:02X} as byte {error.start - line_start + 1} of the line",
        ) from error
    if not text:
        return Lines((), tuple(warnings))
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    else:
        warnings.append(FormatWarning(name, len(lines), "the last line does not end in a line feed"))
    first = 0
    for number, line in enumerate(lines, start=1):
        if line.endswith("\r"):
            first = first or number
            lines[number - 1] = line[:-1]
        if "\0" in line:
            raise FormatError(name, number, "text", f"a NUL character in {quote(line)}")
    if first:
        warnings.append(FormatWarning(name, first, "lines end in CR LF, read as LF"))
    return Lines(tuple(lines), tuple(warnings))
