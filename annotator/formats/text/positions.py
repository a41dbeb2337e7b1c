"""How the positions of labels are counted in files that do not say it: in characters, or in UTF-16 units.

Tools in JavaScript and Java count an emoji, and some rare letters, as two. What tells is the text that a file has with
a label, or that a label begins and ends with a token only when it is counted one way. What one text tells holds for
the others of its file where both ways fit; where nothing tells, a warning says so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from annotator.domain.messages import by_number, message
from annotator.domain.messages import gettext_noop as _
from annotator.formats.common.errors import FormatWarning
from annotator.formats.common.protocol import Options
from annotator.formats.common.records import CharSpan, Read, Record, Text
from annotator.formats.text.characters import code_points, corrected, keeps_tokens, places_of, plain, split_places

# Values of `Options.positions`.
CHARACTERS, UNITS = "characters", "utf16"
# As many records are held back until one of their file tells.
MAX_HELD = 2000


def in_characters(reads: Iterable[Read], options: Options) -> Iterator[Read]:
    """What a reader gives, all positions of labels in code points. What was found out of a file is a FormatWarning."""
    files: dict[str, _File] = {}
    waiting: set[str] = set()
    held: list[Read] = []
    for read in reads:
        if isinstance(read, Record) and any(not text.sure_positions for text in read.texts.values()):
            file = files.setdefault(read.file, _File(options))
            file.learn(read)
            waiting = waiting | {read.file} if file.waits else waiting - {read.file}
        held.append(read)
        if not waiting or len(held) >= MAX_HELD:
            yield from _given(held, files)
            held.clear()
            waiting = set()
    yield from _given(held, files)
    for name, file in files.items():
        yield from file.warnings(name)


def _given(held: Sequence[Read], files: Mapping[str, _File]) -> Iterator[Read]:
    for read in held:
        file = files.get(read.file) if isinstance(read, Record) else None
        yield file.read(read) if file is not None and isinstance(read, Record) else read


@dataclass(slots=True)
class _File:
    """What the texts of a file tell. `waits`: a text fits both ways, and none has told yet."""

    options: Options
    told: str = ""
    waits: bool = False
    found: Counter[str] = field(default_factory=Counter)
    lines: dict[str, int] = field(default_factory=dict)

    def learn(self, record: Record) -> None:
        """See whether a record tells how its file counts."""
        if self.told or self.options.positions:
            return
        for language, text in record.texts.items():
            if _is_open(text):
                fits = _fits(text, language, self.options)
                if len(fits) == 1:
                    self.told, self.waits = fits[0], False
                    return
                self.waits = self.waits or len(fits) == 2

    def read(self, record: Record) -> Record:
        """The record with its positions in code points."""
        texts = {
            language: self.text(record, language, text)
            for language, text in record.texts.items()
            if not text.sure_positions
        }
        return replace(record, texts={**record.texts, **texts}) if texts else record

    def text(self, record: Record, language: str, text: Text) -> Text:
        if not _is_open(text):
            return replace(text, sure_positions=True)
        way = self.options.positions
        if not way:
            fits = _fits(text, language, self.options)
            way = fits[0] if len(fits) == 1 else self.told or CHARACTERS
            if len(fits) == 2 and not self.told:
                self.note("both", record.line)
        if way == UNITS and (units := _in_units(text)) is not None:
            if not self.options.positions:
                self.note(UNITS, record.line)
            return replace(units, sure_positions=True)
        return replace(text, sure_positions=True)

    def note(self, what: str, line: int) -> None:
        self.found[what] += 1
        self.lines.setdefault(what, line)

    def warnings(self, name: str) -> Iterator[FormatWarning]:
        if number := self.found[UNITS]:
            what = by_number(
                number,
                _("label positions in %(number)s text count an emoji as two (UTF-16 units) and are read that way"),
                _("label positions in %(number)s texts count an emoji as two (UTF-16 units) and are read that way"),
            )
            yield FormatWarning(name, self.lines[UNITS], message(what, number=number))
        if number := self.found["both"]:
            what = by_number(
                number,
                _(
                    "the labels of %(number)s text fit whether an emoji counts as one character or as two (UTF-16 "
                    "units); it is read as one. If they are on the wrong words, change “Emoji in label positions”"
                ),
                _(
                    "the labels of %(number)s texts fit whether an emoji counts as one character or as two (UTF-16 "
                    "units); it is read as one. If they are on the wrong words, change “Emoji in label positions”"
                ),
            )
            yield FormatWarning(name, self.lines["both"], message(what, number=number))


def _is_open(text: Text) -> bool:
    """Whether it makes a difference how the labels of a text are counted."""
    if text.sure_positions:
        return False
    string = plain(text)
    if string.isascii() or max(string) <= "\uffff":
        return False
    wide = next(place for place, character in enumerate(string) if character > "\uffff")
    return any(end > wide for _span, places in _places(text) for _begin, end in places)


def _places(text: Text) -> Iterator[tuple[CharSpan, Sequence[tuple[int, int]]]]:
    for source in text.labels:
        for span in source.spans:
            if isinstance(span, CharSpan):
                yield span, span.fragments


def _fits(text: Text, language: str, options: Options) -> list[str]:
    """The ways of counting in which all labels of a text are where labels are: on the words beside them, on tokens."""
    string = plain(text)
    if keeps_tokens(text, options):
        tokens = places_of(text)
    else:
        tokens = corrected(split_places(string, language, options.tokens), text.breaks)
    begins, ends = {begin for begin, _end in tokens}, {end for _begin, end in tokens}
    units = _in_units(text)
    ways = [(CHARACTERS, text), *([(UNITS, units)] if units is not None else [])]
    found = []
    inside = []
    for way, one in ways:
        labels = list(_places(one))
        places = [place for _span, fragments in labels for place in fragments]
        if any(not 0 <= begin < end <= len(string) for begin, end in places):
            continue
        inside.append(way)
        if all(_is_right(span, fragments, string, begins, ends) for span, fragments in labels):
            found.append(way)
    # Of labels that cut tokens however they are counted, those tell that lie within the text one way alone.
    return found or (inside if len(inside) == 1 else [])


def _is_right(
    span: CharSpan, fragments: Sequence[tuple[int, int]], string: str, begins: set[int], ends: set[int]
) -> bool:
    if span.beside and len(fragments) == 1:
        begin, end = fragments[0]
        return string[begin:end].split() == span.beside.split()
    for begin, end in fragments:
        words = string[begin:end]
        first, last = begin + len(words) - len(words.lstrip()), end - len(words) + len(words.rstrip())
        if first not in begins or last not in ends:
            return False
    return True


def _in_units(text: Text) -> Text | None:
    """The text with its positions as they are when they count UTF-16 units; None where they cannot do so."""
    string = plain(text)
    try:
        labels = tuple(
            replace(
                source,
                spans=tuple(
                    replace(
                        span,
                        fragments=tuple(
                            (place[0], place[1])
                            for place in (code_points(string, fragment) for fragment in span.fragments)
                        ),
                    )
                    if isinstance(span, CharSpan)
                    else span
                    for span in source.spans
                ),
            )
            for source in text.labels
        )
    except ValueError:
        return None
    return replace(text, labels=labels)
