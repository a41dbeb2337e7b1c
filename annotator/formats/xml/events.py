"""XML from strangers, one tag at a time: no entities, nothing from outside, no endless depth, the line of everything.

The standard library's expat does it; `defusedxml` would refuse the same with less to say about where.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import IO, Any, BinaryIO
from xml.parsers import expat

from annotator.domain.messages import Sentence, message
from annotator.domain.messages import gettext_noop as _
from annotator.formats.common.errors import FormatError, quote
from annotator.formats.common.lines import open_bytes
from annotator.formats.common.protocol import SourceFile

XML = "http://www.w3.org/XML/1998/namespace"
# No annotation tool nests deeper than a dozen.
DEEPEST = 256
# Nor has an element of theirs more than some dozens of attributes.
MAX_ATTRIBUTES = 1000
# Text between two tags, and a tag with its attributes, are held in memory. A tag may have a whole text in an attribute.
LONGEST = 256_000_000
MAX_TAG_LENGTH = 16_000_000
_CHUNK = 1 << 16
# expat looks at a tag that is not at its end again with all that comes: of a long one it gets more at once.
_MAX_AT_ONCE = 1 << 20
# An attribute with its value, or as much of that as is there; or the end of the tag.
_ATTRIBUTE = re.compile(rb">|=[ \t\r\n]*(?:\"[^\"]*(?:\"|\Z)|'[^']*(?:'|\Z))")


@dataclass(frozen=True, slots=True)
class Start:
    """A tag that opens an element. `space` is the namespace; attributes with one are named "{namespace}name"."""

    line: int
    name: str
    space: str
    attributes: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class End:
    """A tag that closes an element."""

    line: int
    name: str


@dataclass(frozen=True, slots=True)
class Characters:
    """Text between two tags."""

    line: int
    text: str


Event = Start | End | Characters


def xml_events(file: SourceFile, stream: BinaryIO | None = None) -> Iterator[Event]:
    """The tags and texts of a file, or of an open stream of it. Raises FormatError for what is not safe XML."""
    if stream is not None:
        yield from _Reader(file.name).read(stream)
        return
    with open_bytes(file.path, file.name) as own:
        yield from _Reader(file.name).read(own)


def check_tags(stream: IO[bytes], name: str) -> None:
    """Raise FormatError where another reader of this XML would have to gather endless tags, or entities of its own.

    What is not well-formed is left to that reader.
    """
    reader = _Reader(name)
    parser = reader.parser
    parser.StartElementHandler = parser.EndElementHandler = parser.CharacterDataHandler = None
    for piece in reader.pieces_of(stream):
        try:
            parser.Parse(piece, not piece)
        except expat.ExpatError:
            return
        reader.given = reader.size


def root_of(file: SourceFile) -> Start | None:
    """The element that an XML file begins with; None when it is not XML."""
    try:
        return next((event for event in xml_events(file) if isinstance(event, Start)), None)
    except FormatError:
        return None


class _Reader:
    """Gathers what expat calls out between two chunks."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.events: deque[Event] = deque()
        self.depth = 0
        self.pieces: list[str] = []
        self.held = 0
        self.text_line = 0
        self.declared = 0
        # Bytes that were read, and up to where something was given for them.
        self.size = 0
        self.given = 0
        parser = expat.ParserCreate(namespace_separator=" ")
        parser.buffer_text = True
        parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
        parser.StartElementHandler = self.start
        parser.EndElementHandler = self.end
        parser.CharacterDataHandler = self.characters
        parser.EntityDeclHandler = self.entity
        parser.SkippedEntityHandler = self.skipped
        parser.ExternalEntityRefHandler = self.external
        parser.AttlistDeclHandler = self.attribute
        self.parser = parser

    def read(self, stream: BinaryIO) -> Iterator[Event]:
        for data in self.pieces_of(stream):
            try:
                self.parser.Parse(data, not data)
            except expat.ExpatError as error:
                yield from self.events
                raise self.broken(error, self.size, data) from None
            if self.events:
                self.given = self.size
            yield from self.events
            self.events.clear()

    def pieces_of(self, stream: IO[bytes]) -> Iterator[bytes]:
        """What is to be parsed before the next piece is asked for; the last one is empty."""
        # What was read of a tag that is not at its end.
        begun = b""
        while True:
            data = stream.read(max(_CHUNK, min(len(begun), _MAX_AT_ONCE)))
            self.size += len(data)
            begun += data
            if len(begun) > len(data):
                self.check_attributes(begun)
            yield data
            if not data:
                return
            left = self.size - max(self.parser.CurrentByteIndex, 0)
            begun = begun[-left:] if left else b""
            for most, length in ((MAX_TAG_LENGTH, len(begun)), (LONGEST, self.size - self.given)):
                if length > most:
                    raise self.refuse(
                        message(_("tags of at most %(longest)s bytes"), longest=f"{most:,}"),
                        message(_("one that is longer")),
                    )

    def check_attributes(self, tag: bytes) -> None:
        """Count them before expat has gathered what may be millions."""
        if tag[:1] == b"\0" or tag[1:2] == b"\0":
            tag = tag.decode("utf-16-be" if tag[:1] == b"\0" else "utf-16-le", "replace").encode("ascii", "replace")
        if tag[:1] != b"<" or tag[1:2] in b"!?/" or tag.count(b"=") <= MAX_ATTRIBUTES:
            return
        for number, match in enumerate(_ATTRIBUTE.finditer(tag), start=1):
            if match[0] == b">":
                return
            if number > MAX_ATTRIBUTES:
                raise self.too_many_attributes(message(_("more")))

    def too_many_attributes(self, got: Sentence) -> FormatError:
        return self.refuse(message(_("at most %(most)s attributes in a tag"), most=f"{MAX_ATTRIBUTES:,}"), got)

    def attribute(self, *_declared: Any) -> None:
        self.declared += 1
        if self.declared > MAX_ATTRIBUTES:
            raise self.refuse(
                message(_("at most %(most)s attributes declared"), most=f"{MAX_ATTRIBUTES:,}"), message(_("more"))
            )

    def broken(self, error: expat.ExpatError, size: int, data: bytes) -> FormatError:
        what: Sentence = expat.ErrorString(error.code) or message(_("something else"))
        if not size:
            return FormatError(self.name, 1, "XML", message(_("an empty file")))
        if error.code in (
            expat.errors.codes[expat.errors.XML_ERROR_NO_ELEMENTS],
            expat.errors.codes[expat.errors.XML_ERROR_UNCLOSED_TOKEN],
        ):
            what = message(_("the end of the file, which is incomplete (%(what)s)"), what=what)
        elif error.code == expat.errors.codes[expat.errors.XML_ERROR_INVALID_TOKEN]:
            place = self.parser.ErrorByteIndex - (size - len(data))
            what = _invalid(data[place : place + 2] if place >= 0 else b"", what)
        return FormatError(self.name, error.lineno, message(_("well-formed XML")), what)

    def refuse(self, expected: Sentence, got: Sentence) -> FormatError:
        return FormatError(self.name, self.parser.CurrentLineNumber, expected, got)

    def start(self, name: str, attributes: dict[str, str]) -> None:
        self.flush()
        self.depth += 1
        if self.depth > DEEPEST:
            raise self.refuse(
                message(_("elements at most %(deepest)s deep"), deepest=DEEPEST), message(_("deeper ones"))
            )
        if len(attributes) > MAX_ATTRIBUTES:
            raise self.too_many_attributes(f"{len(attributes):,}")
        space, _rest, local = name.rpartition(" ")
        plain = {_plain(key): value for key, value in attributes.items()}
        self.events.append(Start(self.parser.CurrentLineNumber, local, space, plain))

    def end(self, name: str) -> None:
        self.flush()
        self.depth -= 1
        self.events.append(End(self.parser.CurrentLineNumber, name.rpartition(" ")[2]))

    def characters(self, text: str) -> None:
        if not self.pieces:
            self.text_line = self.parser.CurrentLineNumber
        self.pieces.append(text)

    def flush(self) -> None:
        if self.pieces:
            self.events.append(Characters(self.text_line, "".join(self.pieces)))
            self.pieces.clear()

    def entity(self, name: str, *_rest: Any) -> None:
        raise self.refuse(
            message(_("no entity declarations")),
            message(
                _(
                    "the declaration of %(name)s, which is not safe to read: replace it with its value and delete "
                    "the declaration"
                ),
                name=quote(name, 60),
            ),
        )

    def skipped(self, name: str, is_parameter: bool) -> None:
        if not is_parameter:
            raise self.refuse(
                message(_("the characters themselves")),
                message(_("the entity &%(name)s; which is declared elsewhere"), name=name),
            )

    def external(self, context: str, base: str | None, system: str | None, public: str | None) -> int:
        raise self.refuse(
            message(_("all in one file")),
            message(_("a reference to %(value)s"), value=quote(system or public or context, 80)),
        )


def _invalid(data: bytes, what: Sentence) -> Sentence:
    """What stands where XML is not well-formed: the bytes from there on."""
    if not data:
        return what
    if data[0] >= 0x80:
        return message(_("byte 0x%(byte)s, which is not in the encoding that the file declares"), byte=f"{data[0]:02X}")
    if data[0] < 0x20:
        return message(_("the control character U+%(code)s"), code=f"{data[0]:04X}")
    return message(_("%(what)s; in a text, & and < are written &amp; and &lt;"), what=what)


def _plain(name: str) -> str:
    space, _rest, local = name.rpartition(" ")
    return f"{{{space}}}{local}" if space else local
