"""Reading WebAnno TSV 3: a document line by line, sentence by sentence.

Positions are UTF-16 units of the whole document. Labels on a part of a token ("1-1.1") keep their characters.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from annotator.domain.formats import layers
from annotator.domain.formats.base import SourceFile
from annotator.domain.formats.characters import code_points
from annotator.domain.formats.errors import FormatError, FormatWarning, quote
from annotator.domain.formats.lines import read_lines
from annotator.domain.formats.offsets import text_problem
from annotator.domain.formats.records import CharSpan, Read, Record, Text
from annotator.domain.formats.voices import Voice
from annotator.domain.said import Sentence, said_by, say
from annotator.domain.said import gettext_noop as _
from annotator.domain.spans import Span
from annotator.domain.tokens import white_space

FORMAT = re.compile(r"#FORMAT=WebAnno TSV (3\.[0-3])\s*")
_UNIT = re.compile(r"(\d{1,9})-(\d{1,9})((?:\.\d{1,9})?)")
_PLACE = re.compile(r"(\d{1,10})-(\d{1,10})")
_STACK = re.compile(r"(?<!\\)(?:\\\\)*\|")
_SLOTS = re.compile(r"(?<!\\)(?:\\\\)*;")
_VALUE = re.compile(r"((?:[^\\]|\\(?:.|\Z))*?)(?:\[(\d{1,9})\])?", re.DOTALL)
_ESCAPED = re.compile(r"\\(->|.)", re.DOTALL)
_LETTERS = {"t": "\t", "n": "\n", "r": "\r", "f": "\f", "b": "\b"}
_IN_TEXT = re.compile(r"\\([tnrfb\\\x00-\x1f])")


@dataclass(frozen=True, slots=True)
class _Layer:
    """A layer of the header: what it is called, its features, the first of its columns."""

    name: str
    kind: str
    features: tuple[str, ...]
    first: int

    @property
    def width(self) -> int:
        return max(len(self.features), 1)


@dataclass(slots=True)
class _Row:
    """A token, or a part of one, with its columns; `begin` and `end` in UTF-16 units of the document."""

    line: int
    token: int
    part: bool
    begin: int
    end: int
    form: str
    cells: list[str]


@dataclass
class _Sentence:
    """The lines of a sentence."""

    line: int = 0
    id: str = ""
    texts: list[str] = field(default_factory=list)
    rows: list[_Row] = field(default_factory=list)

    @cached_property
    def tokens(self) -> list[_Row]:
        return [row for row in self.rows if not row.part]


@dataclass(slots=True)
class _Mark:
    """An annotation in a sentence: its features and its units."""

    layer: _Layer
    features: dict[str, str]
    rows: list[_Row]


class Reading:
    """One file, read from sentence to sentence."""

    def __init__(self, file: SourceFile, document: str, voice: Voice | None) -> None:
        self.file = file
        self.document = document
        self.voice = voice
        self.layers: list[_Layer] = []
        self.columns = 0
        self.old = False
        self.counts: Counter[Sentence] = Counter()
        self.before: set[tuple[str, str]] = set()

    def read(self) -> Iterator[Read]:
        sentence = _Sentence()
        header = True
        number = found = 0
        for read in read_lines(self.file):
            if isinstance(read, FormatWarning):
                yield read
                continue
            number, line = read
            if number == 1:
                self.version(line)
            elif header and line.startswith("#T_"):
                self.declare(line, number)
            elif not line:
                if sentence.rows:
                    found += 1
                    yield from self.finish(sentence)
                    sentence = _Sentence()
            else:
                header = False
                if sentence.rows and line.startswith(("#Text=", "#Sentence.id=")):
                    found += 1
                    yield from self.finish(sentence)
                    sentence = _Sentence()
                self.take(sentence, line, number)
        if sentence.rows:
            found += 1
            yield from self.finish(sentence)
        elif sentence.texts:
            raise FormatError(
                self.file.name,
                number,
                say(_("the tokens of the sentence")),
                say(_("the end of the file: it was cut off")),
            )
        if not found:
            raise FormatError(
                self.file.name,
                max(number, 1),
                say(_("sentences")),
                (say(_("none")) if number else say(_("an empty file"))),
            )
        for what, count in self.counts.items():
            yield FormatWarning(self.file.name, number, say(_("%(number)s %(what)s"), number=count, what=what))

    def error(self, line: int, expected: Sentence, got: Sentence) -> FormatError:
        return FormatError(self.file.name, line, expected, got)

    def version(self, line: str) -> None:
        match = FORMAT.fullmatch(line)
        if match is None:
            raise self.error(1, say(_("#FORMAT=WebAnno TSV 3.0 to 3.3")), quote(line, 80))
        self.old = match[1] in ("3.0", "3.1")

    def declare(self, line: str, number: int) -> None:
        kind, _equals, rest = line.partition("=")
        names = [part for part in rest.split("|") if part]
        if kind not in ("#T_SP", "#T_CH", "#T_RL") or not names:
            raise self.error(
                number, say(_("a layer with its features after #T_SP=, #T_CH= or #T_RL=")), quote(line, 80)
            )
        layer = _Layer(names[0], kind, tuple(names[1:]), self.columns)
        self.columns += layer.width
        self.layers.append(layer)

    def take(self, sentence: _Sentence, line: str, number: int) -> None:
        """A line of a sentence."""
        sentence.line = sentence.line or number
        if line.startswith("#Text="):
            sentence.texts.append(line[6:])
        elif line.startswith("#Sentence.id="):
            sentence.id = line[13:]
        elif not line.startswith("#"):
            cells = line.split("\t")
            unit, place = _UNIT.fullmatch(cells[0]), _PLACE.fullmatch(cells[1] if len(cells) > 1 else "")
            if unit is None or place is None:
                raise self.error(number, say(_("a token like “1-1<tab>0-4<tab>word”")), quote(line, 80))
            values = cells[3:]
            if len(values) == self.columns + 1 and not values[-1]:
                values.pop()
            if len(cells) < 3 or len(values) != self.columns or not all(values):
                got = str(3 + len(values)) if all(values) else say(_("an empty one"))
                raise self.error(
                    number,
                    say(_("%(value)s columns with something in them, as the header says"), value=3 + self.columns),
                    got,
                )
            if not sentence.texts:
                raise self.error(number, say(_("the sentence in a line #Text= before its tokens")), quote(line, 80))
            begin, end = int(place[1]), int(place[2])
            sentence.rows.append(_Row(number, int(unit[2]), bool(unit[3]), begin, end, cells[2], values))

    def finish(self, sentence: _Sentence) -> Iterator[Read]:
        """The record of a sentence, or what is wrong with it."""
        try:
            yield self.record(sentence)
        except FormatError as error:
            yield error

    def record(self, sentence: _Sentence) -> Record:
        rows = sentence.tokens
        if not rows:
            raise self.error(sentence.line, say(_("tokens")), say(_("parts of tokens alone")))
        text = self.text(sentence)
        units = [place - rows[0].begin for row in sentence.rows for place in (row.begin, row.end)]
        try:
            points = code_points(text, units)
        except ValueError as error:
            raise self.error(sentence.line, say(_("tokens inside of the sentence's text")), said_by(error)) from None
        places = {id(row): (points[2 * n], points[2 * n + 1]) for n, row in enumerate(sentence.rows)}
        tokens = tuple(text[slice(*places[id(row)])] for row in rows)
        spaces = self.spaces(sentence, text, tokens)
        marks = self.marks(sentence)
        spans = [span for mark in marks if (span := self.span(mark, sentence, places)) is not None]
        whole = Text(
            tokens=tokens,
            spaces=spaces,
            lemmas=self.words(marks, layers.LEMMA, rows),
            parts_of_speech=self.words(marks, layers.POS, rows),
            labels=layers.voiced(self.voice, _on_tokens(layers.joined(spans), [places[id(row)] for row in rows])),
        )
        return Record(
            self.file.name,
            sentence.line,
            {self.file.language: whole},
            id=sentence.id,
            role=self.file.role,
            group=self.document,
        )

    def text(self, sentence: _Sentence) -> str:
        """The sentence's text. Some writers escape in it what others do not: what fits the tokens is right."""
        given = "\n".join(sentence.texts)
        readings = [given, given]
        if "\\" in given:
            readings = [_IN_TEXT.sub(lambda match: _LETTERS.get(match[1], match[1]), given), _unescaped(given)]
            if self.old:
                readings.reverse()
        first = sentence.tokens[0].begin
        for text in dict.fromkeys(readings):
            try:
                points = code_points(text, [at - first for row in sentence.tokens for at in (row.begin, row.end)])
            except ValueError:
                continue
            if all(
                text[points[2 * n] : points[2 * n + 1]] in (row.form, _unescaped(row.form))
                for n, row in enumerate(sentence.tokens)
            ):
                if problem := text_problem(text):
                    raise self.error(sentence.line, say(_("a text")), problem)
                return text
        forms = " ".join(row.form for row in sentence.tokens)
        raise self.error(
            sentence.line,
            say(_("the tokens %(forms)s at their places in the text"), forms=quote(forms, 80)),
            quote(given, 80),
        )

    def spaces(self, sentence: _Sentence, text: str, tokens: Sequence[str]) -> tuple[str, ...]:
        if not all(tokens):
            raise self.error(sentence.line, say(_("tokens with characters")), say(_("an empty one")))
        try:
            return tuple(white_space(text, tokens))
        except ValueError as error:
            raise self.error(sentence.line, say(_("every word of the sentence in a token")), said_by(error)) from None

    def marks(self, sentence: _Sentence) -> list[_Mark]:
        """The annotations of the sentence's span layers, and the number of what is not imported."""
        found: list[_Mark] = []
        named: dict[tuple[str, str], _Mark] = {}
        for layer in self.layers:
            for row in sentence.rows:
                cells = row.cells[layer.first : layer.first + layer.width]
                if cells[0] == "_" and all(cell == "_" for cell in cells):
                    continue
                if layer.kind != "#T_SP":
                    self.counts[say(_("relations between labels, which are not imported"))] += len(
                        _STACK.split(cells[-1])
                    )
                    continue
                self.stack(layer, row, cells, found, named)
        crossing = named.keys() & self.before
        if crossing:
            what = say(_("labels that go over the end of a sentence, each read as one label a sentence"))
            self.counts[what] += len(crossing)
        self.before = set(named)
        return found

    def stack(
        self, layer: _Layer, row: _Row, cells: Sequence[str], found: list[_Mark], named: dict[tuple[str, str], _Mark]
    ) -> None:
        """The annotations of one layer that begin or go on at a token."""
        slots = _slot_columns(layer)
        columns = [_split(_STACK, cell) for cell in cells]
        # A layer may have nothing but slots.
        own_columns = [column for number, column in enumerate(columns) if number not in slots] or columns
        depth = max(map(len, own_columns))
        for level in range(depth):
            features: dict[str, str] = {}
            own = ""
            for number, column in enumerate(columns):
                if number in slots:
                    continue
                match = _VALUE.fullmatch(column[level] if level < len(column) else "_")
                value, own = (match[1], match[2] or own) if match else ("_", own)
                if value not in ("_", "*") and number < len(layer.features):
                    features[layer.features[number]] = _unescaped(value)
            mark = named.get((layer.name, own)) if own else None
            if mark is not None:
                mark.rows.append(row)
                continue
            mark = _Mark(layer, features, [row])
            found.append(mark)
            if own:
                named[layer.name, own] = mark
        for number in sorted(slots)[::2]:
            targets = sum(cell not in ("_", "*") for cell in _split(_SLOTS, cells[number + 1]))
            if targets:
                self.counts[say(_("links from one label to others, which are not imported"))] += targets

    def span(self, mark: _Mark, sentence: _Sentence, places: dict[int, tuple[int, int]]) -> CharSpan | None:
        layer = mark.layer
        if not layers.is_labels(layer.name):
            if layer.name not in (layers.LEMMA, layers.POS):
                self.counts[
                    say(_("annotations of the layer %(what)s, which are not imported"), what=layers.short(layer.name))
                ] += 1
            return None
        begin = min(places[id(row)][0] for row in mark.rows)
        end = max(places[id(row)][1] for row in mark.rows)
        if begin == end:
            self.counts[say(_("labels on no character, which are not imported"))] += 1
            return None
        others = [one for one in self.layers if one.kind == "#T_SP" and layers.is_labels(one.name)]
        several = len([one for one in others if one.name != layers.WHOLE]) > 1
        names = [name for number, name in enumerate(layer.features) if number not in _slot_columns(layer)]
        label, attributes = layers.label_of(
            layer.name, mark.features, names, several=several and layer.name != layers.WHOLE
        )
        return CharSpan(() if layer.name == layers.WHOLE else ((begin, end),), label, attributes)

    def words(self, marks: Sequence[_Mark], name: str, rows: Sequence[_Row]) -> tuple[str, ...]:
        """The lemmas or parts of speech, one a token; none where the file has none."""
        values = {
            id(mark.rows[0]): mark.features.get("value") or mark.features.get("PosValue") or ""
            for mark in marks
            if mark.layer.name == name
        }
        return tuple(values.get(id(row), "") for row in rows) if any(values.values()) else ()


def _slot_columns(layer: _Layer) -> set[int]:
    """The columns of roles and those of what fills them, which follow."""
    roles = [number for number, name in enumerate(layer.features) if name.startswith("ROLE_")]
    return {column for number in roles for column in (number, number + 1) if column < len(layer.features)}


def _split(mark: re.Pattern[str], cell: str) -> list[str]:
    """A cell at its separators, where these are not escaped."""
    parts: list[str] = []
    begin = 0
    for match in mark.finditer(cell):
        parts.append(cell[begin : match.end() - 1])
        begin = match.end()
    return [*parts, cell[begin:]]


def _unescaped(text: str) -> str:
    return _ESCAPED.sub(lambda match: _LETTERS.get(match[1], match[1]), text)


def _on_tokens(spans: Iterable[CharSpan], places: Sequence[tuple[int, int]]) -> Iterator[Span | CharSpan]:
    """Labels on tokens where they cover whole ones; the others stay on characters, for whoever widens them."""
    begins = {begin: number for number, (begin, _) in enumerate(places)}
    ends = {end: number for number, (_, end) in enumerate(places)}
    for span in spans:
        if span.fragments and all(begin in begins and end in ends for begin, end in span.fragments):
            tokens = {n for begin, end in span.fragments for n in range(begins[begin], ends[end] + 1)}
            yield Span(tuple(sorted(tokens)), span.label, span.attributes)
        else:
            yield span
