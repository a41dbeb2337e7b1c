"""Character offsets become tokens, and tokens character offsets: here and nowhere else.

Offsets count code points, as Python does. Tools in JavaScript or Java count UTF-16 units, in which an emoji is two:
`code_points` translates them.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from annotator.domain.labels.spans import Span, SpanError
from annotator.domain.messages import InvalidError, Sentence, by_number, message
from annotator.domain.messages import gettext_noop as _
from annotator.domain.text.languages import base_language
from annotator.domain.text.tokens import gaps, is_punctuation, offsets, text_of
from annotator.formats.common.corrections import JOIN, NONE, SPLIT, Corrections
from annotator.formats.common.errors import FormatError, FormatWarning, quote
from annotator.formats.common.protocol import Options
from annotator.formats.common.records import CharSpan, Read, Record, Text
from annotator.formats.text.sentence_splits import LabelError, in_sentences
from annotator.formats.text.words import UNSPACED, words

# Line breaks and tabs of a cell or of a JSON string separate tokens too; a no-break space does not.
_BETWEEN_SPACES = re.compile(r"[^ \t\r\n]+")
Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Tokenised:
    """A text with tokens, its labels on them, and what was changed about these on the way."""

    text: Text
    notes: tuple[Sentence, ...]


def plain(text: Text) -> str:
    """The text as one string, whether it has tokens or not."""
    return text_of(text.tokens, text.spaces) if text.tokens or text.spaces else text.text


def places_of(text: Text) -> list[Place]:
    """Where its tokens begin and end in `plain(text)`."""
    return offsets(text.tokens, text.spaces)


def at_spaces(string: str) -> list[Place]:
    """Where the tokens of a text begin and end that is split at spaces, tabs and line breaks."""
    return [match.span() for match in _BETWEEN_SPACES.finditer(string)]


def split_places(string: str, language: str, mode: str) -> list[Place]:
    """Where the tokens of a text begin and end that came without any; `mode` as in `Options.tokens`.

    Languages that write no spaces are only split at them when that is asked for.
    """
    if mode == "words" or (mode == "given" and base_language(language) in UNSPACED):
        return words(string, language)
    return at_spaces(string)


def corrected(places: Sequence[Place], breaks: Sequence[tuple[int, str]]) -> list[Place]:
    """Where tokens begin and end, once they are split and joined at `breaks`.

    What is so already stays as it is: a correction outlasts another way of splitting.
    """
    if not breaks:
        return list(places)
    joins = {place for place, what in breaks if what == JOIN}
    splits = sorted(place for place, what in breaks if what == SPLIT)
    found: list[Place] = []
    for begin, end in places:
        start = begin
        if start in joins and found and found[-1][1] == start:
            start = found.pop()[0]
        for place in splits[bisect_right(splits, begin) : bisect_left(splits, end)]:
            found.append((start, place))
            start = place
        found.append((start, end))
    return found


def keeps_tokens(text: Text, options: Options) -> bool:
    """Whether its tokens are the file's own, which nobody splits or joins here."""
    return bool(text.tokens) and options.tokens == "given"


def as_characters(span: Span | CharSpan, places: Sequence[Place]) -> CharSpan:
    """A label on tokens as one on characters: a fragment for each run of neighbouring tokens."""
    if isinstance(span, CharSpan):
        return span
    fragments = tuple((places[run[0]][0], places[run[-1]][1]) for run in span.fragments())
    return CharSpan(fragments, span.label, span.attributes, span.score)


def code_points(text: str, units: Iterable[int]) -> list[int]:
    """Places that count UTF-16 units as places that count code points, in the order of `units`.

    Raises InvalidError for a place inside a character, or beyond the text.
    """
    if text.isascii() or max(text) < "\U00010000":
        found = list(units)
        if any(unit < 0 or unit > len(text) for unit in found):
            raise InvalidError(_("the text has %(number)s characters, but a label lies beyond them"), number=len(text))
        return found
    place, at = {}, 0
    for index, character in enumerate(text):
        place[at] = index
        at += 2 if character >= "\U00010000" else 1
    place[at] = len(text)
    try:
        return [place[unit] for unit in units]
    except KeyError as error:
        raise InvalidError(
            _("position %(place)s of the text is inside a character or beyond its end"), place=error.args[0]
        ) from None


def tokenised(reads: Iterable[Read], options: Options, corrections: Corrections = NONE) -> Iterator[Read]:
    """What a reader gives, with the texts of its records split into sentences (where asked for) and tokens.

    After it, every text has tokens, and its labels are on tokens or on the whole text. A label that cuts a token is a
    FormatError, unless `options.widen`; what was widened or trimmed is a FormatWarning, both at the record's line.
    `corrections`: where sentences are split otherwise than they would be.
    """
    for read in in_sentences(reads, corrections) if options.sentences else reads:
        if isinstance(read, Record):
            yield from _with_tokens(read, options)
        else:
            yield read


def to_tokens(text: Text, *, language: str, options: Options) -> Tokenised:
    """The text with tokens and its labels on them. Raises LabelError for a label that does not fit.

    `options.tokens`: "given" keeps tokens where there are some and splits a text as `split_places` does; "spaces" and
    "words" split again. Where a token with a label comes apart, the punctuation at the label's ends falls out of it.
    """
    keeps = keeps_tokens(text, options)
    string = plain(text)
    if keeps:
        places, tokens, spaces = places_of(text), text.tokens, text.spaces
    else:
        places = corrected(split_places(string, language, options.tokens), text.breaks)
        tokens = tuple(string[begin:end] for begin, end in places)
        spaces = tuple(gaps(string, places))
    same = keeps or tokens == text.tokens
    notes: list[Sentence] = []
    before = [] if same else places_of(text)
    labels = []
    for source in text.labels:
        spans: list[Span | CharSpan] = []
        for span in source.spans:
            if isinstance(span, Span) and same:
                spans.append(span)
                continue
            on_characters = as_characters(span, before)
            if not on_characters.fragments:
                spans.append(_whole(on_characters))
                continue
            placed = _place(on_characters, string, places, options, notes)
            spans.append(_shed_punctuation(placed, tokens, notes) if isinstance(span, Span) else placed)
        labels.append(replace(source, spans=_each_once(spans, notes)))
    lemmas, parts = text.lemmas, text.parts_of_speech
    if not same and (lemmas or parts):
        lemmas, parts = (), ()
        notes.append(message(_("lemmas and parts of speech are left out, because the tokens were split again")))
    return Tokenised(
        replace(
            text,
            text="",
            tokens=tokens,
            spaces=spaces,
            lemmas=lemmas,
            parts_of_speech=parts,
            labels=tuple(labels),
            breaks=(),
        ),
        tuple(notes),
    )


def _each_once(spans: Sequence[Span | CharSpan], notes: list[Sentence]) -> tuple[Span | CharSpan, ...]:
    """The labels, each once: tools stack labels that differ in what is not read alone."""
    found: list[Span | CharSpan] = []
    there: dict[object, list[Span | CharSpan]] = {}
    for span in spans:
        place = span.tokens if isinstance(span, Span) else span.fragments
        alike = there.setdefault((place, span.label), [])
        if span not in alike:
            alike.append(span)
            found.append(span)
    if number := len(spans) - len(found):
        what = by_number(
            number,
            _("a label that appears twice with the same content is read once"),
            _("%(number)d labels that appear more than once with the same content are read once each"),
        )
        notes.append(message(what, number=number))
    return tuple(found)


def _with_tokens(record: Record, options: Options) -> Iterator[Read]:
    texts: dict[str, Text] = {}
    failed = False
    for language, text in record.texts.items():
        try:
            done = to_tokens(text, language=language, options=options)
        except LabelError as error:
            failed = True
            yield FormatError(record.file, record.line, error.expected, error.got)
            continue
        texts[language] = done.text
        for note in done.notes:
            yield FormatWarning(record.file, record.line, note)
    if not failed:
        yield replace(record, texts=texts)


def _place(span: CharSpan, string: str, places: Sequence[Place], options: Options, notes: list[Sentence]) -> Span:
    """The label on the tokens that its fragments cover."""
    begins, ends = [place[0] for place in places], [place[1] for place in places]
    tokens: set[int] = set()
    for begin, end in span.fragments:
        shown = message(_("%(label)s on characters %(begin)s–%(end)s"), label=span.label, begin=begin, end=end)
        if not 0 <= begin < end <= len(string):
            raise LabelError(
                message(_("labels on characters of the text, which has %(string)s"), string=len(string)), shown
            )
        first = bisect_right(ends, begin)
        last = bisect_left(begins, end) - 1
        if first > last:
            raise LabelError(message(_("labels on words")), message(_("%(shown)s, which is white space"), shown=shown))
        cut = next((i for i in (first, last) if begins[i] < begin or ends[i] > end), None)
        what = message(_("%(label)s on %(string)s"), label=span.label, string=quote(string[begin:end], 60))
        if cut is not None:
            token = quote(string[begins[cut] : ends[cut]], 60)
            if not options.widen:
                got = message(
                    _("%(what)s (characters %(begin)s–%(end)s), which cuts the token %(token)s"),
                    what=what,
                    begin=begin,
                    end=end,
                    token=token,
                )
                raise LabelError(message(_("labels on whole tokens")), got)
            notes.append(message(_("%(what)s was widened to the token %(token)s"), what=what, token=token))
        elif begin < begins[first] or end > ends[last]:
            notes.append(message(_("white space was trimmed from %(what)s"), what=what))
        tokens.update(range(first, last + 1))
    try:
        return Span(tuple(sorted(tokens)), span.label, span.attributes, span.score)
    except SpanError as error:
        raise LabelError(
            message(_("labels that a sentence can have")),
            message("%(label)s: %(error)s", label=quote(span.label), error=error.message),
        ) from error


def _whole(span: CharSpan) -> Span:
    """A label on the whole text is one without tokens."""
    return Span((), span.label, span.attributes, span.score)


def _shed_punctuation(span: Span, tokens: Sequence[str], notes: list[Sentence]) -> Span:
    """A label from before the tokens were split, without the punctuation that its ends got by it ("mes.")."""
    remaining = list(span.tokens)
    while len(remaining) > 1 and is_punctuation(tokens[remaining[-1]]):
        remaining.pop()
    while len(remaining) > 1 and is_punctuation(tokens[remaining[0]]):
        remaining.pop(0)
    if len(remaining) == len(span.tokens):
        return span
    notes.append(
        message(
            _("%(label)s on %(names)s lost its punctuation"),
            label=span.label,
            names=quote(" ".join(tokens[i] for i in span.tokens), 60),
        )
    )
    return replace(span, tokens=tuple(remaining))
