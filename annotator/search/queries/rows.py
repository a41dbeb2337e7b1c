"""Rows of the list of sentences, and lines of the view in context."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from annotator.domain.text.tokens import text_of
from annotator.models import Suggestion, Unit
from annotator.search.queries.filters import LABELLED, LEFT, UNLABELLED, Filters, Reader
from annotator.search.queries.find import seen_by, texts
from annotator.search.queries.listing import Found, candidates, own_units
from annotator.search.queries.proposals import open_proposals
from annotator.search.queries.seen import Seen, seen_on
from annotator.search.queries.standing import Standing, standings
from annotator.search.queries.words import Hits, Word, hits_in
from annotator.work.blind.queries.blind import shown_uids

# Sentences whose words are sorted by their neighbours.
MAX_IN_CONTEXT = 500
# Words shown on each side of one.
_AROUND = 12
# A hit after so many words of a text would be cut off; it is shown from so many words before it on.
_UNCUT, _LED_BY = 8, 4
# Neighbours that lines are sorted by.
_SORTED_BY = 3


@dataclass(frozen=True, slots=True)
class Piece:
    """Some of a text: whether it is what was searched for, and the label that it has."""

    text: str
    hit: bool = False
    label: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """A text of the list. `words`: the tokens that were hit; `seen`: the labels that are shown, None without any.

    `suggestion`: what a person suggested there, where the reader may see it.
    """

    unit: Unit
    uid: str
    pieces: Sequence[Piece]
    words: Sequence[int]
    others: Sequence[Unit]
    seen: Seen | None
    standing: Standing | None
    suggestion: Suggestion | None = None

    @property
    def value(self) -> str:
        """What the row's checkbox sends."""
        return value_of(self.unit, self.words, self.standing)

    @property
    def begins_within(self) -> bool:
        """Whether the text is shown from the words before the first hit on, which would be cut off otherwise."""
        return bool(self.words) and self.words[0] > _UNCUT

    @property
    def labels(self) -> list[str]:
        """The labels that are shown, each once."""
        return list(dict.fromkeys(span["label"] for span in self.seen.spans)) if self.seen else []

    @property
    def spans(self) -> list[tuple[str, str]]:
        """Each label with its words."""
        spans = self.seen.spans if self.seen else []
        return [(span["label"], " ".join(self.unit.tokens[at] for at in span["tokens"])) for span in spans]


@dataclass(frozen=True, slots=True)
class Line:
    """A word in its context. `labels`: those that it has, of what the reader may see."""

    unit: Unit
    at: int
    before: str
    word: str
    after: str
    labels: Sequence[str]
    uid: str = ""
    standing: Standing | None = None

    @property
    def value(self) -> str:
        return value_of(self.unit, [self.at], self.standing)

    def neighbours(self, sort: str) -> tuple[str, ...]:
        """What the line is sorted by: the words before it, or after it, the nearest first."""
        tokens = self.unit.tokens
        some = (
            tokens[max(self.at - _SORTED_BY, 0) : self.at][::-1] if sort == LEFT else tokens[self.at + 1 :][:_SORTED_BY]
        )
        return tuple(one.lower() for one in some)


def value_of(unit: Unit, words: Sequence[int], standing: Standing | None) -> str:
    """A row as a form sends it: `unit:words:seen`."""
    return f"{unit.pk}:{','.join(map(str, words))}:{standing.seen if standing else ''}"


def rows_of(reader: Reader, page: Found) -> list[Row]:
    """The rows of a page. A bounded number of statements."""
    rows = Unit.objects.filter(pk__in=page.units).select_related("segment")
    found = {unit.pk: unit for unit in seen_by(reader.user, reader.project, rows)}
    units = [found[pk] for pk in page.units if pk in found]
    contents = seen_on(reader, list(found), page.blind)
    stands = standings(reader.access, list(found)) if reader.layer is not None else {}
    uids = shown_uids(reader.user, reader.project, units, decides=reader.is_told_names)
    others = _parallel(reader, units)
    proposals = _proposals(reader, list(found), page.blind)
    made = []
    for unit in units:
        words = hits_in(unit, page.hits.wanted.get(unit.language, ()))
        seen = next(iter(contents.get(unit.pk, ())), None)
        made.append(
            Row(
                unit=unit,
                uid=uids[unit.pk],
                pieces=pieces(unit, words, seen, begin=words[0] - _LED_BY if words and words[0] > _UNCUT else 0),
                words=words,
                others=[other for other in others.get(unit.segment_id, ()) if other.pk != unit.pk],
                seen=seen,
                standing=stands.get(unit.pk) if unit.is_current and unit.kind == _kind(reader) else None,
                suggestion=proposals.get(unit.pk),
            )
        )
    return made


def _parallel(reader: Reader, units: Sequence[Unit]) -> Mapping[int, Sequence[Unit]]:
    """By segment, its current texts. None are asked for where the project has one language."""
    found: dict[int, list[Unit]] = {}
    if len(reader.project.languages) > 1 and units:
        for unit in texts(reader.project, reader.user, segment__in={unit.segment_id for unit in units}):
            found.setdefault(unit.segment_id, []).append(unit)
    return found


def _kind(reader: Reader) -> str:
    return reader.layer.unit_kind if reader.layer is not None else ""


def _proposals(reader: Reader, units: Collection[int], blind: Collection[int]) -> Mapping[int, Suggestion]:
    if reader.layer is None:
        return {}
    rows = open_proposals(reader).filter(unit__in=units)
    there = {row.unit_id: row for row in rows if row.unit_id not in blind}
    if there and not reader.decides:
        mine = own_units(reader, list(there))
        return {unit: row for unit, row in there.items() if unit in mine}
    return there


def pieces(unit: Unit, words: Collection[int], seen: Seen | None, *, begin: int = 0) -> list[Piece]:
    """A text in pieces, from the token `begin` on: the words that were hit, those with a label, and what is between."""
    labels: dict[int, str] = {}
    for span in seen.spans if seen else ():
        for token in span["tokens"]:
            labels.setdefault(token, span["label"])
    found: list[Piece] = []
    for at, token in list(enumerate(unit.tokens))[begin:]:
        space = (unit.spaces[at] if at < len(unit.spaces) else "") if unit.spaces else (" " if at > begin else "")
        piece = Piece(token, at in words, labels.get(at, ""))
        for new in (Piece(space), piece):
            if found and new.text and (found[-1].hit, found[-1].label) == (new.hit, new.label) == (False, ""):
                found[-1] = replace(found[-1], text=found[-1].text + new.text)
            elif new.text:
                found.append(new)
    return found


@dataclass(frozen=True, slots=True)
class Concordance:
    """Words in their contexts. `sentences`: how many sentences they are of; `capped`: there are more."""

    lines: Sequence[Line]
    sentences: int
    capped: bool
    hits: Hits
    blind: Collection[int]


def concordance(reader: Reader, filters: Filters) -> Concordance:
    """All lines of the first MAX_IN_CONTEXT sentences that were found, sorted by a neighbour."""
    marked = filters.marked
    kept, blind, hits, capped = candidates(reader, replace(filters, marked=""))
    chosen = [one.unit for one in kept[:MAX_IN_CONTEXT]]
    rows = Unit.objects.filter(pk__in=chosen).select_related("segment")
    units = {unit.pk: unit for unit in seen_by(reader.user, reader.project, rows)}
    contents = seen_on(reader, chosen, blind)
    lines = []
    for pk in chosen:
        if (unit := units.get(pk)) is not None:
            seen = next(iter(contents.get(pk, ())), None)
            lines += _lines(unit, hits.wanted.get(unit.language, ()), seen)
    if marked in (LABELLED, UNLABELLED):
        lines = [line for line in lines if bool(line.labels) == (marked == LABELLED)]
    lines.sort(key=lambda line: line.neighbours(filters.sort))
    return Concordance(lines, len(units), capped or len(kept) > MAX_IN_CONTEXT, hits, blind)


def _lines(unit: Unit, words: Sequence[Word], seen: Seen | None) -> list[Line]:
    tokens, spaces = unit.tokens, unit.spaces
    found = []
    for at in hits_in(unit, words):
        begin, end = max(at - _AROUND, 0), at + 1 + _AROUND
        labels = dict.fromkeys(span["label"] for span in seen.spans if at in span["tokens"]) if seen else ()
        found.append(
            Line(
                unit=unit,
                at=at,
                before=text_of(tokens[begin:at], spaces[begin : at + 1] if spaces else ()),
                word=tokens[at],
                after=text_of(tokens[at + 1 : end], spaces[at + 1 : end + 1] if spaces else ()),
                labels=list(labels),
            )
        )
    return found


def completed(reader: Reader, lines: Sequence[Line]) -> list[Line]:
    """The lines of a page, each with its ID and how it stands."""
    units = {line.unit.pk: line.unit for line in lines}
    uids = shown_uids(reader.user, reader.project, units.values(), decides=reader.is_told_names)
    stands = standings(reader.access, list(units)) if reader.layer is not None else {}
    return [replace(line, uid=uids[line.unit.pk], standing=stands.get(line.unit.pk)) for line in lines]
