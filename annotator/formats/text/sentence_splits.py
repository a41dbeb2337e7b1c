"""Running text in sentences: where the library splits it, and where a person said otherwise.

A correction names its place by the paragraph's text, that of the one before, and a place in it: so it holds however
often the file is read, and wherever in it the two stand. A paragraph joined at its end continues in the next one.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from annotator.domain.labels.spans import Span
from annotator.domain.messages import Sentence, by_number, message
from annotator.domain.messages import gettext_noop as _
from annotator.formats.common.corrections import JOIN, NONE, SPLIT, Corrections, text_key
from annotator.formats.common.errors import FormatError, FormatWarning, quote
from annotator.formats.common.records import CharSpan, Labels, Read, Record, Text
from annotator.formats.text.words import sentences

Place = tuple[int, int]
Breaks = tuple[tuple[int, str], ...]


class LabelError(ValueError):
    """A label that does not fit the text; the text is what was expected and what was found."""

    def __init__(self, expected: Sentence, got: Sentence) -> None:
        super().__init__(expected, got)
        self.expected = expected
        self.got = got


@dataclass(frozen=True, slots=True)
class Piece:
    """A sentence of running text. `begin`: its place in the whole text (`Paragraphs.located`); `is_corrected`: a person
    said that it begins or continues there; `join`: paragraph and place at which the next one would be joined to it;
    `breaks`: what is corrected of its tokens, as in `Text`."""

    text: str
    begin: int
    is_corrected: bool
    join: tuple[str, int]
    breaks: Breaks


def paragraph_key(text: str, before: str = "") -> str:
    """Stands for a paragraph in corrections, with the one before it in the file: "Yes." may stand there often."""
    return text_key(f"{before}\n{text}")


def can_be_split(record: Record) -> bool:
    """Whether a record is running text. Tokens come in sentences, and a category is of the whole text."""
    return len(record.texts) == 1 and not any(text.tokens or text.values for text in record.texts.values())


def in_sentences(reads: Iterable[Read], corrections: Corrections = NONE) -> Iterator[Read]:
    """The records of running text, sentence by sentence, each in the group of its text; ids are counted on from its.

    Corrections that fit no text are a FormatWarning, once all is read.
    """
    used: set[str] = set()
    for read in joined(reads, corrections):
        if not isinstance(read, Paragraphs):
            yield read
            continue
        used.update(key for key in read.keys if key in corrections.places)
        yield from read.records(corrections)
    if lost := corrections.unused(used):
        yield FormatWarning(
            "",
            0,
            message(
                by_number(
                    lost,
                    _("a sentence correction is left out, because its text is no longer in the files"),
                    _("%(lost)s sentence corrections are left out, because their text is no longer in the files"),
                ),
                lost=lost,
            ),
        )


@dataclass(frozen=True)
class Paragraphs:
    """A record of running text, with those that a correction joins to it."""

    parts: tuple[Record, ...]
    keys: tuple[str, ...]

    @property
    def language(self) -> str:
        return next(iter(self.parts[0].texts))

    def borders(self, corrections: Corrections) -> tuple[str, list[Place]]:
        """The whole text, and where its sentences begin and end."""
        string = ""
        begins: list[int] = []
        for part, key in zip(self.parts, self.keys, strict=True):
            ((language, text),) = part.texts.items()
            shift = len(string) + 1 if string else 0
            string = f"{string} {text.text}" if string else text.text
            own = _begins(text.text, language, corrections.places.get(key, {}))
            # What a paragraph begins with was joined to the one before.
            begins += [begin + shift for begin in (own[1:] if shift else own)]
        places = []
        for number, begin in enumerate(begins):
            end = begins[number + 1] if number + 1 < len(begins) else len(string)
            places.append((begin, begin + len(string[begin:end].rstrip())))
        return string, places

    def located(self, offset: int) -> tuple[str, int]:
        """How corrections name a place of the whole text: its paragraph, and the place in it."""
        for number, part in enumerate(self.parts):
            text = part.texts[self.language].text
            if number and offset <= len(text) - len(text.lstrip()):
                before = self.parts[number - 1].texts[self.language].text
                return self.keys[number - 1], len(before)
            if offset <= len(text):
                return self.keys[number], offset
            offset -= len(text) + 1
        raise ValueError(f"The text has no place {offset}.")

    def records(self, corrections: Corrections) -> Iterator[Record | FormatError]:
        """Its sentences."""
        string, borders = self.borders(corrections)
        record, language = self.parts[0], self.language
        text = replace(record.texts[language], text=string, breaks=self._breaks())
        if len(borders) < 2 and not text.labels:
            begin = len(string) - len(string.lstrip())
            there = _inside(text.breaks, begin, len(string))
            yield replace(record, texts={language: replace(text, text=string.strip(), breaks=there)})
            return
        yield from _divided(record, language, text, borders)

    def pieces(self, corrections: Corrections) -> list[Piece]:
        """Its sentences, as they are corrected."""
        string, borders = self.borders(corrections)
        after = [begin for begin, _end in borders[1:]]
        joins = [*map(self.located, after), (self.keys[-1], len(self.parts[-1].texts[self.language].text))]
        breaks = self._breaks()
        return [
            Piece(
                string[begin:end],
                begin,
                self._is_corrected(begin, end, corrections),
                join,
                _inside(breaks, begin, end),
            )
            for (begin, end), join in zip(borders, joins, strict=True)
        ]

    def part_at(self, offset: int) -> tuple[str, int]:
        """The text of the paragraph that has this place of the whole text in it, and the place in that paragraph."""
        for part in self.parts:
            text = part.texts[self.language].text
            if offset <= len(text):
                return text, offset
            offset -= len(text) + 1
        raise ValueError(f"The text has no place {offset}.")

    def _breaks(self) -> Breaks:
        found: list[tuple[int, str]] = []
        shift = 0
        for part in self.parts:
            text = part.texts[self.language]
            found += [(shift + place, what) for place, what in text.breaks]
            shift += len(text.text) + 1
        return tuple(found)

    def _is_corrected(self, begin: int, end: int, corrections: Corrections) -> bool:
        """Whether a sentence begins where a person said so, or continues where one did."""
        if not any(key in corrections.places for key in self.keys):
            return False
        shift = 0
        for part, key in zip(self.parts, self.keys, strict=True):
            for place, what in corrections.places.get(key, {}).items():
                at = shift + place
                if (what == SPLIT and at == begin) or (what == JOIN and begin < at < end):
                    return True
            shift += len(part.texts[self.language].text) + 1
        return False


def joined(reads: Iterable[Read], corrections: Corrections) -> Iterator[Read | Paragraphs]:
    """The records of running text with those that are joined to them; what else is read goes through."""
    parts: list[Record] = []
    keys: list[str] = []
    before = ("", "")
    for read in reads:
        is_text = isinstance(read, Record) and can_be_split(read)
        if parts and not (is_text and isinstance(read, Record) and _goes_on(parts[-1], keys[-1], read, corrections)):
            if isinstance(read, FormatWarning):
                yield read
                continue
            yield Paragraphs(tuple(parts), tuple(keys))
            parts, keys = [], []
        if isinstance(read, Record) and len(read.texts) != 1:
            yield FormatError(
                read.file,
                read.line,
                message(_("text in one language to split into sentences")),
                message(_("%(texts)s languages"), texts=len(read.texts)),
            )
        elif isinstance(read, Record) and is_text:
            ((_language, text),) = read.texts.items()
            parts.append(read)
            keys.append(paragraph_key(text.text, before[1] if before[0] == read.file else ""))
            before = (read.file, text.text)
        else:
            yield read
    if parts:
        yield Paragraphs(tuple(parts), tuple(keys))


def _goes_on(before: Record, key: str, after: Record, corrections: Corrections) -> bool:
    """Whether a paragraph is joined to the one before."""
    ((language, text),) = before.texts.items()
    if corrections.places.get(key, {}).get(len(text.text)) != JOIN:
        return False
    plain = not any(one.labels for record in (before, after) for one in record.texts.values())
    return plain and after.file == before.file and language in after.texts and not before.id and not after.id


def _begins(text: str, language: str, corrections: Mapping[int, str]) -> list[int]:
    """Where the sentences of a paragraph begin."""
    found = {begin for begin, _end in sentences(text, language)}
    for place, what in corrections.items():
        # Inside the text, at a word.
        if what == SPLIT and 0 < place < len(text) and not text[place].isspace():
            found.add(place)
        elif what == JOIN and len(found) > 1 and place != min(found):
            found.discard(place)
    return sorted(found)


def _inside(breaks: Breaks, begin: int, end: int) -> Breaks:
    """Those inside a sentence, counted from its beginning; where it begins and ends, tokens do in any case."""
    return tuple((place - begin, what) for place, what in breaks if begin < place < end)


def _divided(record: Record, language: str, text: Text, borders: Sequence[Place]) -> Iterator[Record | FormatError]:
    """A record for each sentence, with the labels that lie in it."""
    pieces: list[list[list[Span | CharSpan]]] = [[[] for _ in text.labels] for _ in borders]
    begins = [begin for begin, _ in borders]
    for number, source in enumerate(text.labels):
        for span in source.spans:
            error = _put(span, number, begins, borders, pieces, text.text)
            if error is not None:
                yield FormatError(record.file, record.line, error.expected, error.got)
    for index, (begin, end) in enumerate(borders):
        labels = tuple(
            Labels(source.says, source.name, tuple(spans))
            for source, spans in zip(text.labels, pieces[index], strict=True)
        )
        yield replace(
            record,
            id=f"{record.id}.{index + 1}" if record.id else "",
            group=record.group or record.id,
            texts={
                language: replace(
                    text, text=text.text[begin:end], labels=labels, breaks=_inside(text.breaks, begin, end)
                )
            },
        )


def _put(
    span: Span | CharSpan,
    number: int,
    begins: Sequence[int],
    borders: Sequence[Place],
    pieces: Sequence[Sequence[list[Span | CharSpan]]],
    string: str,
) -> LabelError | None:
    """Give a label to the sentence that it lies in; an error where there is none."""
    if not isinstance(span, CharSpan) or not span.fragments:
        return LabelError(
            message(_("labels on words of a sentence")), message(_("%(label)s on the whole text"), label=span.label)
        )
    index = max(bisect_right(begins, span.fragments[0][0]) - 1, 0)
    # White space before the next sentence is nobody's, so that a label may begin there.
    if index + 1 < len(begins) and not string[span.fragments[0][0] : begins[index + 1]].strip():
        index += 1
    if not borders:
        return LabelError(message(_("labels on words")), message(_("%(label)s on white space"), label=span.label))
    begin, end = borders[index]
    fragments = []
    for fragment in span.fragments:
        piece = string[slice(*fragment)]
        left = fragment[0] + len(piece) - len(piece.lstrip())
        right = fragment[1] - len(piece) + len(piece.rstrip())
        if left < begin or right > end:
            return LabelError(
                message(_("labels inside a sentence")),
                message(
                    _("%(label)s on %(string)s, which goes from one sentence into another"),
                    label=span.label,
                    string=quote(string[left:right], 60),
                ),
            )
        fragments.append((left - begin, right - begin))
    pieces[index][number].append(replace(span, fragments=tuple(fragments)))
    return None
