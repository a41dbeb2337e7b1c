"""Reading WebAnno TSV 3: a document line by line, sentence by sentence.

Positions are UTF-16 units of the whole document. Labels on a part of a token ("1-1.1") keep their characters.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from annotator.domain.labels.spans import Span
from annotator.domain.messages import Sentence, message, message_of
from annotator.domain.messages import gettext_noop as _
from annotator.domain.text.tokens import white_space
from annotator.formats.common.counted import counted
from annotator.formats.common.errors import FormatError, quote
from annotator.formats.common.lines import open_lines
from annotator.formats.common.protocol import SourceFile
from annotator.formats.common.records import CharSpan, Read, Record, Text
from annotator.formats.common.voices import Voice
from annotator.formats.text.characters import code_points
from annotator.formats.text.offsets import text_problem
from annotator.formats.webanno import layers
from annotator.formats.webanno.cells import CHAIN, RELATION, SPAN, Layer, unescaped, unescaped_text
from annotator.formats.webanno.marks import Marks, Row, words

FORMAT = re.compile(r"#FORMAT=WebAnno TSV (3(?:\.[0-3])?)\s*")
# Version 2 names its layers in its first line.
EARLIER = re.compile(r" # [\w.]+ \| .*")
_UNIT = re.compile(r"(\d{1,9})-(\d{1,9})((?:\.\d{1,9})?)")
_PLACE = re.compile(r"(\d{1,10})-(\d{1,10})")


@dataclass
class _Sentence:
    """The lines of a sentence."""

    line: int = 0
    id: str = ""
    texts: list[str] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)

    @cached_property
    def tokens(self) -> list[Row]:
        return [row for row in self.rows if not row.part]


class Reading:
    """One file, read from sentence to sentence."""

    def __init__(self, file: SourceFile, document: str, voice: Voice | None) -> None:
        self.file = file
        self.document = document
        self.voice = voice
        self.layers: list[Layer] = []
        self.columns = 0
        self.old = False
        self.counts: Counter[Sentence] = Counter()
        self.marks = Marks(self.layers, self.counts)

    def read(self) -> Iterator[Read]:
        sentence = _Sentence()
        header = True
        number = found = 0
        with open_lines(self.file) as lines:
            for number, line in lines:
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
            yield from lines.warnings
        if sentence.rows:
            found += 1
            yield from self.finish(sentence)
        elif any(text.strip() for text in sentence.texts):
            raise self.file.error(
                number, _("the tokens of the sentence"), _("the end of the file, which is incomplete")
            )
        if not found:
            raise self.file.error(
                max(number, 1), _("sentences"), message(_("none")) if number else message(_("an empty file"))
            )
        yield from counted(self.counts, self.file.name, number)

    def error(self, line: int, expected: Sentence, got: Sentence) -> FormatError:
        return self.file.error(line, expected, got)

    def version(self, line: str) -> None:
        match = FORMAT.fullmatch(line)
        if match is None:
            got: Sentence = quote(line, 80)
            if EARLIER.fullmatch(line):
                got = message(_("%(line)s, of an earlier version: export it as WebAnno TSV 3"), line=got)
            raise self.error(1, message(_("#FORMAT=WebAnno TSV 3.0 to 3.3")), got)
        self.old = match[1] in ("3", "3.0", "3.1")

    def declare(self, line: str, number: int) -> None:
        kind, _equals, rest = line.partition("=")
        names = [part for part in rest.split("|") if part]
        if kind not in (SPAN, CHAIN, RELATION) or not names:
            raise self.error(
                number, message(_("a layer with its features after #T_SP=, #T_CH= or #T_RL=")), quote(line, 80)
            )
        layer = Layer(names[0], kind, tuple(names[1:]), self.columns)
        self.columns += layer.width
        self.layers.append(layer)

    def take(self, sentence: _Sentence, line: str, number: int) -> None:
        """A line of a sentence."""
        sentence.line = sentence.line or number
        if line.startswith("#Text="):
            sentence.texts.append(line[6:])
        elif line.startswith("#Sentence.id="):
            sentence.id = unescaped_text(line[13:])
        elif not line.startswith("#"):
            cells = line.split("\t")
            unit, place = _UNIT.fullmatch(cells[0]), _PLACE.fullmatch(cells[1] if len(cells) > 1 else "")
            if unit is None or place is None:
                raise self.error(number, message(_("a token like “1-1<tab>0-4<tab>word”")), quote(line, 80))
            values = cells[3:]
            if len(values) == self.columns + 1 and not values[-1]:
                values.pop()
            if len(cells) < 3 or len(values) != self.columns or not all(values):
                got = str(3 + len(values)) if all(values) else message(_("an empty one"))
                raise self.error(
                    number,
                    message(_("%(value)s columns with values, as the header says"), value=3 + self.columns),
                    got,
                )
            if not sentence.texts:
                raise self.error(number, message(_("the sentence in a line #Text= before its tokens")), quote(line, 80))
            begin, end = int(place[1]), int(place[2])
            sentence.rows.append(Row(number, int(unit[2]), bool(unit[3]), begin, end, cells[2], values))

    def finish(self, sentence: _Sentence) -> Iterator[Read]:
        """The record of a sentence, or what is wrong with it."""
        try:
            yield self.record(sentence)
        except FormatError as error:
            yield error

    @cached_property
    def answers(self) -> bool:
        """Whether the file has a layer of labels: without one it says of no word that it has none."""
        return any(layer.kind == SPAN and layers.is_labels(layer.name) for layer in self.layers)

    def record(self, sentence: _Sentence) -> Record:
        rows = sentence.tokens
        if not rows:
            raise self.error(sentence.line, message(_("tokens")), message(_("only parts of tokens")))
        text = self.text(sentence)
        units = [place - rows[0].begin for row in sentence.rows for place in (row.begin, row.end)]
        try:
            points = code_points(text, units)
        except ValueError as error:
            raise self.error(
                sentence.line, message(_("tokens inside the text of the sentence")), message_of(error)
            ) from None
        places = {id(row): (points[2 * n], points[2 * n + 1]) for n, row in enumerate(sentence.rows)}
        tokens = tuple(text[slice(*places[id(row)])] for row in rows)
        spaces = self.spaces(sentence, text, tokens)
        marks = self.marks.of(sentence.rows)
        spans = [span for mark in marks if (span := self.marks.span(mark, places)) is not None]
        if self.voice is not None and not self.answers:
            self.counts[message(layers.NO_LAYER)] += 1
        whole = Text(
            tokens=tokens,
            spaces=spaces,
            lemmas=words(marks, layers.LEMMA, rows),
            parts_of_speech=words(marks, layers.POS, rows),
            labels=layers.voiced(
                self.voice if self.answers else None,
                _on_tokens(layers.joined(spans), [places[id(row)] for row in rows]),
            ),
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
            readings = [unescaped_text(given), unescaped(given)]
            if self.old:
                readings.reverse()
        first = sentence.tokens[0].begin
        # White space before the first token is in no count.
        for text in dict.fromkeys([*readings, *(reading.lstrip() for reading in readings)]):
            try:
                points = code_points(text, [at - first for row in sentence.rows for at in (row.begin, row.end)])
            except ValueError:
                continue
            if all(
                text[points[2 * n] : points[2 * n + 1]] in (row.form, unescaped(row.form))
                for n, row in enumerate(sentence.rows)
            ):
                if problem := text_problem(text):
                    raise self.error(sentence.line, message(_("a text")), problem)
                return text
        forms = " ".join(row.form for row in sentence.rows)
        raise self.error(
            sentence.line,
            message(_("the tokens %(forms)s at their places in the text"), forms=quote(forms, 80)),
            quote(given, 80),
        )

    def spaces(self, sentence: _Sentence, text: str, tokens: Sequence[str]) -> tuple[str, ...]:
        if not all(tokens):
            raise self.error(sentence.line, message(_("tokens with characters")), message(_("an empty one")))
        try:
            return tuple(white_space(text, tokens))
        except ValueError as error:
            raise self.error(
                sentence.line, message(_("every word of the sentence in a token")), message_of(error)
            ) from None


def _on_tokens(spans: Iterable[CharSpan], places: Sequence[tuple[int, int]]) -> Iterator[Span | CharSpan]:
    """Labels on tokens where they cover whole ones; the others stay on characters, for a caller that widens them."""
    begins = {begin: number for number, (begin, _) in enumerate(places)}
    ends = {end: number for number, (_, end) in enumerate(places)}
    for span in spans:
        if span.fragments and all(begin in begins and end in ends for begin, end in span.fragments):
            tokens = {n for begin, end in span.fragments for n in range(begins[begin], ends[end] + 1)}
            yield Span(tuple(sorted(tokens)), span.label, span.attributes)
        else:
            yield span
