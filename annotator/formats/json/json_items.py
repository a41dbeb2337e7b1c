"""A JSON array, one item at a time: exports of annotation tools are one array of all their tasks."""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterator
from typing import Any

from annotator.domain.messages import Sentence, message, message_of
from annotator.domain.messages import gettext_noop as _
from annotator.domain.text.word_sets import word_set
from annotator.formats.common.errors import FormatError, quote
from annotator.formats.common.lines import open_bytes, undecodable
from annotator.formats.common.protocol import SourceFile
from annotator.formats.json.json_faults import json_fault

# Characters. An item is held in memory, and several formats look at the first one, one after the other.
MAX_ITEM_LENGTH = 4_000_000
# Objects, lists and values in them, each of which takes tens of times the bytes that it has in the file.
MAX_NESTED = 100_000
MAX_VALUES = 500_000
_CHUNK = 1 << 16
_WHITE = " \t\r\n"
# The keys under which an object that is a whole file has the array of its items, or an object with it.
_HOLDERS = word_set(
    "examples common_examples rasa_nlu_data nlu data documents docs tasks items records rows sentences "
    "annotations corpus dataset samples"
)
# An object with one of these is an item itself.
_OF_ITEMS = frozenset({"text", "tokens", "sentence", "content", "texts", "fields", "premise", "pair", "translation"})


class LongItemError(FormatError):
    """An item of more characters or values than anybody labels."""


def has_too_many(text: str, start: int = 0, end: int | None = None) -> bool:
    """Whether JSON has more objects, lists or values than anybody says of a text. Brackets in texts count too."""
    return (
        text.count("{", start, end) + text.count("[", start, end) > MAX_NESTED
        or text.count(",", start, end) + text.count(":", start, end) > MAX_VALUES
    )


def too_many(name: str, line: int) -> LongItemError:
    """What is said of such an item."""
    return LongItemError(
        name,
        line,
        message(_("items of at most %(nested)s objects and lists"), nested=f"{MAX_NESTED:,}"),
        message(_("one with more values")),
    )


def json_items(file: SourceFile, *, inside: bool = False) -> Iterator[tuple[int, Any]]:
    """The items of the array that the file is, each with the line (from 1) that it begins in.

    A file with one object is read as an array of it; `inside`: of the array that the object holds (`_HOLDERS`).
    Raises FormatError where it is not JSON; what was before that has been given by then.
    """
    with open_bytes(file.path, file.name) as stream:
        yield from _Items(file, stream).items(inside=inside)


def holds_items(file: SourceFile) -> bool:
    """Whether a file is one object around the array of its items, as LightTag and Rasa write them."""
    with open_bytes(file.path, file.name) as stream:
        try:
            # The reader says which encoding there is none of.
            return next(_Items(file, stream).items(inside=True), None) is not None
        except (FormatError, LookupError):
            return False


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

    def items(self, *, inside: bool = False) -> Iterator[tuple[int, Any]]:
        first = self.next()
        if first == "\ufeff":
            self.skip(1)
            first = self.next()
        if not first:
            raise self.file.error(1, "JSON", _("an empty file"))
        if inside:
            while self.next() == "{":
                yield from self.held()
        elif first != "[":
            yield self.line, self.item()
        else:
            yield from self.array()
        self.end()

    def array(self) -> Iterator[tuple[int, Any]]:
        """The items of the array that begins here."""
        self.skip(1)
        if self.next() == "]":
            self.skip(1)
            return
        while True:
            self.next()
            yield self.line, self.item()
            if self.mark("]", message(_("a comma or the end of the list"))) == "]":
                return

    def held(self) -> Iterator[tuple[int, Any]]:
        """The items of the array that the object that begins here holds; none where it is an item itself."""
        self.skip(1)
        while self.next() == '"':
            key = self.item()
            if key in _OF_ITEMS or self.next() != ":":
                return
            self.skip(1)
            first = self.next()
            if key in _HOLDERS and first == "[":
                is_it = False
                for number, (line, item) in enumerate(self.array()):
                    is_it = _is_item(item) if not number else is_it
                    if is_it:
                        yield line, item
            elif key in _HOLDERS and first == "{":
                yield from self.held()
            else:
                self.item()
            if self.mark("}", message(_("a comma or a closing bracket"))) == "}":
                return

    def mark(self, last: str, expected: Sentence) -> str:
        """The comma after an item, or the bracket after the last one."""
        mark = self.next()
        if mark not in (",", last):
            got = quote(mark) if mark else message(_("the end of the file, which is incomplete"))
            raise self.file.error(self.line, expected, got)
        self.skip(1)
        # The next key.
        self.next()
        return mark

    def item(self) -> Any:
        """The value that begins here."""
        decoder = json.JSONDecoder(parse_constant=self.constant)
        while True:
            # A number could continue in the next chunk, and so could anything that seems wrong at the very end.
            wrong: ValueError | None = None
            try:
                value, end = decoder.raw_decode(self.text, self.at)
            except RecursionError:
                raise self.file.error(self.line, "JSON", _("brackets nested too deeply")) from None
            except FormatError:
                raise
            except ValueError as error:
                wrong = error
            else:
                if self.ended or end < len(self.text):
                    if has_too_many(self.text, self.at, end):
                        raise too_many(self.file.name, self.line)
                    self.skip(end - self.at)
                    return value
            if self.ended:
                raise self.broken(wrong)
            if len(self.text) - self.at > MAX_ITEM_LENGTH:
                raise LongItemError(
                    self.file.name,
                    self.line,
                    message(_("items of at most %(longest_item)s characters"), longest_item=f"{MAX_ITEM_LENGTH:,}"),
                    message(_("a longer one")),
                )
            if has_too_many(self.text, self.at):
                raise too_many(self.file.name, self.line)
            # Twice as much each time, or an item of many chunks would be read as often.
            self.fill(max(_CHUNK, len(self.text) - self.at))

    def constant(self, name: str) -> Any:
        raise self.file.error(self.line, "JSON", _("%(name)s, which is not a JSON number"), name=name)

    def broken(self, error: ValueError | None) -> FormatError:
        line = self.line
        got: Sentence = message(_("something else"))
        if isinstance(error, json.JSONDecodeError):
            line += self.text.count("\n", self.at, error.pos)
            got = json_fault(error)
        return self.file.error(line, "JSON", got)

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
            raise self.file.error(self.line, _("the end of the file after the list"), quote(rest))

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
            raise self.file.error(self.line, self.file.encoding, message_of(error)) from None
        self.text = self.text[self.at :] + more
        self.at = 0


def _is_item(value: Any) -> bool:
    """Whether a value has a text, and is not a label with a part of one; spaCy's examples are a text and an object
    about it."""
    if isinstance(value, list):
        return len(value) == 2 and isinstance(value[0], str) and isinstance(value[1], dict)
    return isinstance(value, dict) and bool(_OF_ITEMS & value.keys()) and not {"start", "end"} <= value.keys()
