"""Which encoding a file is in, and what its bytes were: said before anything is read from them."""

from __future__ import annotations

import codecs
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import charset_normalizer

from annotator.domain.text.languages import base_language
from annotator.formats.common.lines import open_bytes

_CHUNK = 1 << 20
_SAMPLE = 1 << 16
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# One-byte encodings read any bytes, so a guess from the bytes alone is a coin toss between twenty of them: the
# languages decide which ones are compared. The first is taken where nothing tells them apart.
_WESTERN = ("cp1252", "mac_roman", "cp850")
_CENTRAL = ("cp1250", "iso8859_2", "mac_latin2", "cp852")
_CYRILLIC = ("cp1251", "koi8_r", "iso8859_5", "mac_cyrillic", "cp866")
_BY_LANGUAGE: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(["cs", "hr", "hu", "pl", "ro", "sk", "sl", "sq", "bs"], _CENTRAL),
    **dict.fromkeys(["be", "bg", "mk", "ru", "sr", "uk"], _CYRILLIC),
    **dict.fromkeys(["lt", "lv", "et"], ("cp1257", "iso8859_13")),
    "el": ("cp1253", "iso8859_7"),
    "tr": ("cp1254",),
    "he": ("cp1255",),
    "ar": ("cp1256", "iso8859_6"),
    "fa": ("cp1256",),
    "vi": ("cp1258",),
    "th": ("cp874",),
    "ja": ("cp932", "euc_jp", "iso2022_jp"),
    "zh": ("gb18030", "big5"),
    "ko": ("cp949",),
}


@dataclass(frozen=True, slots=True)
class Bytes:
    """What the bytes of a file are: for the preview, and for the record of the import.

    `encoding` is a name of Python's codecs. `sure` is False where another encoding would have read the bytes, too.
    `crlf`: some line ends in CR LF. `sha256` is of the original, untouched.
    """

    encoding: str
    sure: bool
    bom: bool
    crlf: bool
    size: int
    sha256: str


def examine(path: Path, name: str, *, languages: Sequence[str] = ()) -> Bytes:
    """Read the whole file once, in constant memory, and say what encoding it is in.

    `languages`: what the text may be in; they decide between encodings that the bytes alone do not tell apart.
    Raises FormatError for a file that cannot be read.
    """
    digest = hashlib.sha256()
    utf8 = codecs.getincrementaldecoder("utf-8")()
    valid, crlf, size, sample = True, False, 0, bytearray()
    head = b""
    with open_bytes(path, name) as stream:
        while data := stream.read(_CHUNK):
            digest.update(data)
            head = head or data[:_SAMPLE]
            size += len(data)
            crlf = crlf or b"\r\n" in data or b"\r\0\n" in data
            # A character that is cut off at the end is still UTF-8: the reader says where.
            if valid:
                try:
                    utf8.decode(data)
                except UnicodeDecodeError:
                    valid = False
            if len(sample) < _SAMPLE and not data.isascii():
                sample += b"\n".join(line for line in data.split(b"\n") if not line.isascii())[:_SAMPLE]
    bom = next(((mark, encoding) for mark, encoding in _BOMS if head.startswith(mark)), None)
    if bom is not None:
        encoding, sure = bom[1], True
    elif wide := _without_mark(head):
        encoding, sure = wide, True
    elif valid or _is_damaged_utf8(bytes(sample)):
        # Where some bytes are wrong, the reader says in which line: as another encoding, every accent would be wrong.
        encoding, sure = "utf-8", True
    else:
        encoding, sure = _guess(bytes(sample), languages), False
    return Bytes(encoding, sure, bom is not None, crlf, size, digest.hexdigest())


def _without_mark(head: bytes) -> str:
    """UTF-16 without a byte order mark: every other byte of the Latin characters, spaces and line ends is 0."""
    if len(head) < 4 or b"\0" not in head:
        return ""
    even, odd = head[::2].count(0), head[1::2].count(0)
    quarter = len(head) // 8
    if odd > quarter and odd > 4 * even:
        return "utf-16-le"
    if even > quarter and even > 4 * odd:
        return "utf-16-be"
    return ""


def _is_damaged_utf8(sample: bytes) -> bool:
    """Whether lines that are not ASCII are UTF-8 but for a few wrong bytes, which no other encoding comes to by chance:
    at least as many of them are whole as are not, or three in four of their characters are."""
    lines = [line for line in sample.split(b"\n") if not line.isascii()]
    if 2 * sum(map(_is_utf8, lines)) >= len(lines):
        return True
    text = sample.decode("utf-8", "surrogateescape")
    wrong = sum("\udc80" <= character <= "\udcff" for character in text)
    right = sum(not character.isascii() for character in text) - wrong
    return right >= 3 * max(wrong, 1)


def _is_utf8(line: bytes) -> bool:
    try:
        line.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _guess(sample: bytes, languages: Sequence[str]) -> str:
    # Dictionaries keep the order, and each encoding once.
    candidates = dict.fromkeys(
        encoding for language in languages for encoding in _BY_LANGUAGE.get(base_language(language), _WESTERN)
    )
    isolated = list(candidates) or None
    if isolated is not None and len(isolated) == 1:
        return isolated[0]
    best = charset_normalizer.from_bytes(sample, cp_isolation=isolated, enable_fallback=False).best()
    if best is None:
        return isolated[0] if isolated else "cp1252"
    # What charset-normalizer takes for Latin-1 is, on the web and on Windows, its superset.
    return "cp1252" if best.encoding in ("latin_1", "iso8859_1") else best.encoding
