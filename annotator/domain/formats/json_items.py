"""A JSON array, one item at a time: exports of annotation tools are one array of all their tasks."""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterator
from typing import Any

from annotator.domain.formats.base import SourceFile
from annotator.domain.formats.errors import FormatError, quote
from annotator.domain.formats.json_faults import json_fault
from annotator.domain.formats.lines import open_bytes, undecodable
from annotator.domain.said import Sentence, said_by, say
from annotator.domain.said import gettext_noop as _

# Characters. An item is held in memory, and several formats look at the first one, one after the other.
LONGEST_ITEM = 4_000_000
_CHUNK = 1 << 16
_WHITE = " \t\r\n"


class LongItemError(FormatError):
    """An item of more characters than anybody labels."""


def json_items(file: SourceFile) -> Iterator[tuple[int, Any]]:
    """The items of the array that the file is, each with the line (from 1) that it begins in.

    A file with one object is read as an array of it. Raises FormatError where it is not JSON; what was before that
    has been given by then.
    """
    with open_bytes(file.path, file.name) as stream:
        yield from _Items(file, stream).items()


class _Items:
    """What was read of the file and not yet given."""

    def __init__(self, file: SourceFile, stream: Any) -> None:
        self.file = file
        self.stream = stream
        self.decode = codecs.getincrementaldecoder(file.encoding)().decode
        self.text = ""
        self.at = 0
        self.line = 1
        self.ended = False

    def items(self) -> Iterator[tuple[int, Any]]:
        first = self.next()
        if first == "\ufeff":
            self.skip(1)
            first = self.next()
        if not first:
            raise FormatError(self.file.name, 1, "JSON", say(_("an empty file")))
        if first != "[":
            yield self.line, self.item()
            self.end()
            return
        self.skip(1)
        if self.next() == "]":
            self.skip(1)
            self.end()
            return
        while True:
            self.next()
            yield self.line, self.item()
            mark = self.next()
            if mark not in (",", "]"):
                got = quote(mark) if mark else say(_("the end of the file: it was cut off"))
                raise FormatError(self.file.name, self.line, say(_("a comma or the end of the list")), got)
            self.skip(1)
            if mark == "]":
                self.end()
                return

    def item(self) -> Any:
        """The value that begins here."""
        decoder = json.JSONDecoder(parse_constant=self.constant)
        while True:
            # A number could go on in the next chunk, and so could anything that seems wrong at the very end.
            wrong: ValueError | None = None
            try:
                value, end = decoder.raw_decode(self.text, self.at)
            except RecursionError:
                raise FormatError(
                    self.file.name, self.line, "JSON", say(_("brackets within brackets without end"))
                ) from None
            except FormatError:
                raise
            except ValueError as error:
                wrong = error
            else:
                if self.ended or end < len(self.text):
                    self.skip(end - self.at)
                    return value
            if self.ended:
                raise self.broken(wrong)
            if len(self.text) - self.at > LONGEST_ITEM:
                raise LongItemError(
                    self.file.name,
                    self.line,
                    say(_("items of at most %(longest_item)s characters"), longest_item=f"{LONGEST_ITEM:,}"),
                    say(_("a longer one")),
                )
            # Twice as much each time, or an item of many chunks would be read as often.
            self.fill(max(_CHUNK, len(self.text) - self.at))

    def constant(self, name: str) -> Any:
        raise FormatError(self.file.name, self.line, "JSON", say(_("%(name)s, which is no number of JSON"), name=name))

    def broken(self, error: ValueError | None) -> FormatError:
        line = self.line
        got: Sentence = say(_("something else"))
        if isinstance(error, json.JSONDecodeError):
            line += self.text.count("\n", self.at, error.pos)
            got = json_fault(error)
        return FormatError(self.file.name, line, "JSON", got)

    def next(self) -> str:
        """The next character that is not white space; "" at the end."""
        while True:
            while self.at < len(self.text):
                character = self.text[self.at]
                if character not in _WHITE:
                    return character
                self.skip(1)
            if self.ended:
                return ""
            self.fill(_CHUNK)

    def end(self) -> None:
        rest = self.next()
        if rest:
            raise FormatError(self.file.name, self.line, say(_("the end of the file after the list")), quote(rest))

    def skip(self, count: int) -> None:
        self.line += self.text.count("\n", self.at, self.at + count)
        self.at += count

    def fill(self, size: int) -> None:
        data = self.stream.read(size)
        self.ended = not data
        try:
            more = self.decode(data, self.ended)
        except UnicodeDecodeError as error:
            line = self.line + self.text.count("\n", self.at) + error.object.count(b"\n", 0, error.start)
            raise undecodable(self.file, error, line) from None
        except UnicodeError as error:
            raise FormatError(self.file.name, self.line, self.file.encoding, said_by(error)) from None
        self.text = self.text[self.at :] + more
        self.at = 0
