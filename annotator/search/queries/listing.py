"""The list of sentences: filtered, page by page, at a cost that does not grow with the corpus.

A search by words or an ID has all its results (`words.py`). Other lists continue from a place in reading order, in
chunks by an index: of the sentences, of a stage's items, of a person's work. A page reads at most CHUNKS of them. The
reader can continue from there.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db.models import F, Q, QuerySet

from annotator.core.unit_kinds import is_shuffled
from annotator.domain.states import AssignmentState, ItemState
from annotator.models import Annotation, Assignment, Gold, Item, Segment, Stage, Suggestion, SuggestionKind, Unit
from annotator.search.queries.filters import LABELLED, NO, STATES, UNLABELLED, YES, Filters, Reader, remarked
from annotator.search.queries.find import by_id, is_text, text_kinds
from annotator.search.queries.proposals import open_proposals
from annotator.search.queries.seen import seen_on
from annotator.search.queries.words import LOOKED_THROUGH, Hits, hits_in, search
from annotator.work.blind.queries.blind import blind_segments, shown_uids
from annotator.work.queue.queries.progress import held_in_advance

PER_PAGE = 50
CHUNK = 1000
CHUNKS = 4
Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Meta:
    """What of a unit is filtered by, and its place in reading order."""

    unit: int
    language: str
    segment: int
    position: int
    role: str
    dataset: str
    group: str
    touches: Sequence[int]

    @property
    def place(self) -> Place:
        return self.position, self.unit


@dataclass(frozen=True, slots=True)
class Found:
    """The units of a page, in reading order, and the place after which the next page begins; "" where there is none.

    `total`: how many there are, None where nobody knows. `capped`: there are more than were looked at. `looked`: the
    page is not full, and what comes after `after` was not looked at yet.
    """

    units: Sequence[int]
    blind: frozenset[int] = frozenset()
    after: str = ""
    total: int | None = None
    capped: bool = False
    looked: bool = False
    hits: Hits = field(default_factory=lambda: Hits([]))


def found(reader: Reader, filters: Filters, *, limit: int = PER_PAGE) -> Found:
    """A page of the list. A bounded number of statements."""
    if filters.q or filters.doubt or filters.comment:
        return _at_hand(reader, filters, limit)
    units: list[Meta] = []
    blind: set[int] = set()
    cursor, ended = filters.cursor, False
    for _chunk in range(CHUNKS):
        places, ended = _next(reader, filters, cursor)
        if places:
            cursor = places[-1]
            kept, hidden = _kept(reader, filters, metas([unit for _place, unit in places]), Hits([]))
            units += kept
            blind |= hidden
        if ended or len(units) > limit:
            break
    page = units[:limit]
    more = len(units) > limit
    after = page[-1].place if more else cursor
    return Found(
        units=[one.unit for one in page],
        blind=frozenset(blind),
        after="" if ended and not more else f"{after[0]}.{after[1]}",
        total=len(page) if ended and not more and not filters.after else None,
        looked=not ended and not more,
    )


def candidates(reader: Reader, filters: Filters) -> tuple[list[Meta], frozenset[int], Hits, bool]:
    """All that words, an ID or remarks find and the filters let through, in reading order; whether there is more."""
    capped = False
    hits = Hits([])
    if filters.q:
        named = by_id(reader.project, filters.q, reader.user)
        uids = shown_uids(reader.user, reader.project, named, decides=reader.is_told_names)
        ids = [unit.pk for unit in named if uids[unit.pk] == unit.segment.uid]
        if not ids:
            hits = search(reader.project, filters.q)
            ids, capped = list(hits.units), bool(hits.frequent)
    else:
        rows = Annotation.objects.filter(remarked(reader), Q(doubt=True) | Q(comment__gt="")).order_by("-pk")
        ids = list(rows.values_list("unit_id", flat=True)[: LOOKED_THROUGH + 1])
        capped = len(ids) > LOOKED_THROUGH
    kept, blind = _kept(reader, filters, metas(ids), hits)
    return sorted(kept, key=lambda one: one.place), frozenset(blind), hits, capped


def _at_hand(reader: Reader, filters: Filters, limit: int) -> Found:
    kept, blind, hits, capped = candidates(reader, filters)
    rest = [one for one in kept if one.place > filters.cursor]
    page = rest[:limit]
    after = f"{page[-1].position}.{page[-1].unit}" if len(rest) > limit else ""
    return Found([one.unit for one in page], blind, after, total=len(kept), capped=capped, hits=hits)


def metas(units: Collection[int]) -> list[Meta]:
    """What is filtered by, of these units (ids) that are current or set aside. One statement."""
    rows = Unit.objects.published().filter(Q(is_current=True) | Q(set_aside_with=F("segment")), is_text(), pk__in=units)
    names = ("pk", "language", "segment_id", *(f"segment__{name}" for name in ("position", "role", "dataset", "group")))
    return sorted((Meta(*row) for row in rows.values_list(*names, "touches")), key=lambda one: one.place)


def _next(reader: Reader, filters: Filters, cursor: Place) -> tuple[list[Place], bool]:
    """The next places after the cursor, at most CHUNK, and whether they are the last ones."""
    stages = _wanted(reader, filters)
    states = [filters.state] if filters.state else STATES
    ordered: list[QuerySet[Any, Any]] | None = None
    if filters.person and reader.decides:
        answers = [_ANSWERS[filters.state]] if filters.state in _ANSWERS else list(_ANSWERS.values())
        theirs = Assignment.objects.filter(user=filters.whose[0])
        ordered = [theirs.filter(stage=stage, state=state) for stage in stages for state in answers]
    elif filters.stage or filters.state:
        ordered = [Item.objects.filter(stage=stage, state=state) for stage in stages for state in states]
    elif filters.disagreement and reader.decides:
        judging = [stage for stage in reader.stages if stage.adjudicates]
        ordered = [Item.objects.filter(stage=stage, state=ItemState.FREE) for stage in judging]
    if ordered is not None:
        places: set[Place] = set()
        for rows in ordered:
            later = rows.filter(reading__gte=max(cursor[0], 0)).order_by("reading", "pk")
            places |= set(later.values_list("reading", "unit_id")[: CHUNK + 20])
        return _cut(places, cursor)
    return _sentences(reader, filters, cursor)


# What a person's own answer is where an item is in a state.
_ANSWERS: dict[str, str] = {ItemState.TAKEN: AssignmentState.OPEN, ItemState.DONE: AssignmentState.DONE}


def _theirs(reader: Reader, filters: Filters) -> QuerySet[Assignment]:
    """What the person that is filtered by has open or done, in the stages and the mode that are. What their page holds
    in advance is nobody's yet. A state is that of their answer; "has gold" and "free" are said of the item."""
    person, mode = filters.whose
    rows = Assignment.objects.filter(user=person, stage__in=_wanted(reader, filters))
    rows = rows.exclude(held_in_advance()).exclude(state=AssignmentState.RETURNED).exclude(item__state=ItemState.VOID)
    if mode:
        rows = rows.filter(mode=mode)
    if filters.state in _ANSWERS:
        return rows.filter(state=_ANSWERS[filters.state])
    return rows.filter(item__state=filters.state) if filters.state else rows


def _wanted(reader: Reader, filters: Filters) -> list[Stage]:
    """The stages that are filtered by: the one that was chosen, or all that the reader may choose."""
    stages = [stage for stage in reader.stages if not stage.adjudicates]
    return [stage for stage in stages if filters.stage in ("", str(stage.pk))]


def _cut(places: Iterable[Place], cursor: Place) -> tuple[list[Place], bool]:
    rest = sorted(place for place in places if place > cursor)
    return rest[:CHUNK], len(rest) <= CHUNK


def _sentences(reader: Reader, filters: Filters, cursor: Place) -> tuple[list[Place], bool]:
    """In reading order: those that tell nothing by it."""
    project = reader.project
    size = max(CHUNK // max(len(project.languages), 1), 1)
    wanted: dict[str, Any] = {"dataset": filters.dataset} if filters.dataset else {}
    if filters.document:
        datasets = (
            [filters.dataset] if filters.dataset else project.imports.order_by().values_list("dataset", flat=True)
        )
        wanted = {"dataset__in": list(dict.fromkeys(datasets)), "group": filters.document}
    segments: list[Place] = []
    for kind in text_kinds():
        if not is_shuffled(kind):
            rows = Segment.objects.published().filter(project=project, kind=kind, **wanted)
            rows = rows.filter(position__gte=max(cursor[0], 0)).order_by("position", "pk")
            segments += rows.values_list("position", "pk")[: size + 1]
    segments.sort()
    chosen = segments[:size]
    at = {segment: position for position, segment in chosen}
    texts = Unit.objects.published().filter(segment__in=at, is_current=True, language__in=project.languages)
    places = sorted((at[segment], unit) for unit, segment in texts.values_list("pk", "segment_id"))
    return [place for place in places if place > cursor], len(segments) <= size


def _kept(reader: Reader, filters: Filters, rows: Sequence[Meta], hits: Hits) -> tuple[list[Meta], set[int]]:
    """What the filters let through, and the units on which the reader is blind: of those, what others know lets
    nothing through."""
    kept = [row for row in rows if _is_of(row, filters) and row.language in reader.project.languages]
    touched = {segment for row in kept for segment in row.touches}
    hidden = blind_segments(reader.user, reader.project, touched, reader.layer)
    blind = {row.unit for row in kept if not hidden.isdisjoint(row.touches)}
    for test in _tests(reader, filters, hits):
        if kept:
            through = test([row.unit for row in kept], blind)
            kept = [row for row in kept if row.unit in through]
    return kept, blind


def _is_of(row: Meta, filters: Filters) -> bool:
    wanted = (
        (filters.language, row.language),
        (filters.role, row.role),
        (filters.dataset, row.dataset),
        (filters.document, row.group),
    )
    return all(not one or one == there for one, there in wanted)


Test = Callable[[Collection[int], Collection[int]], Collection[int]]


def _tests(reader: Reader, filters: Filters, hits: Hits) -> list[Test]:
    """What is asked of units (ids), with those on which the reader is blind; each is one or two statements."""
    tests: list[Test] = []
    if reader.layer is None:
        return tests
    if filters.person and reader.decides:
        theirs = _theirs(reader, filters)
        tests.append(lambda units, blind: _ids(theirs.filter(unit__in=units)) - set(blind))
    elif filters.stage or filters.state:
        wanted, states = _wanted(reader, filters), [filters.state] if filters.state else list(ItemState)
        tests.append(lambda units, _blind: _in_stages(units, wanted, states))
    if filters.disagreement and reader.decides:
        judged = [stage for stage in reader.stages if stage.adjudicates]
        tests.append(lambda units, blind: _in_stages(units, judged, [ItemState.FREE]) - set(blind))
    if filters.gold in (YES, NO) and reader.sees_gold:
        tests.append(lambda units, blind: _gold(reader, filters, units, blind))
    if filters.doubt or filters.comment:
        tests.append(lambda units, blind: _remarked(reader, filters, units, blind))
    if filters.suggestion:
        tests.append(lambda units, blind: _suggested(reader, filters.suggestion, units, blind))
    if filters.label or filters.attribute or filters.marked:
        tests.append(lambda units, blind: _labelled(reader, filters, units, blind, hits))
    return tests


def _ids(rows: QuerySet[Any]) -> set[int]:
    return set(rows.values_list("unit_id", flat=True))


def _in_stages(units: Collection[int], stages: Collection[Stage], states: Collection[str]) -> set[int]:
    """Those of the units with an item in one of the stages and states. By the units alone: asked for stages and states
    as well, SQLite would read all items that are in these."""
    rows = Item.objects.filter(unit__in=units).values_list("unit_id", "stage_id", "state")
    wanted = {stage.pk for stage in stages}
    return {unit for unit, stage, state in rows if stage in wanted and state in states}


def _gold(reader: Reader, filters: Filters, units: Collection[int], blind: Collection[int]) -> set[int]:
    decided = _ids(Gold.objects.filter(unit__in=units, layer=reader.layer))
    return (decided if filters.gold == YES else set(units) - decided) - set(blind)


def _remarked(reader: Reader, filters: Filters, units: Collection[int], blind: Collection[int]) -> set[int]:
    which: dict[str, Any] = {"doubt": True} if filters.doubt else {}
    if filters.comment:
        which["comment__gt"] = ""
    rows = Annotation.objects.filter(remarked(reader, **which), unit__in=units)
    return {
        unit for unit, user in rows.values_list("unit_id", "user_id") if user == reader.user.pk or unit not in blind
    }


def _suggested(reader: Reader, kind: str, units: Collection[int], blind: Collection[int]) -> set[int]:
    rows = Suggestion.objects.filter(layer=reader.layer, kind=kind, is_current=True)
    if kind == SuggestionKind.PROPOSAL:
        rows = open_proposals(reader)
    there = _ids(rows.filter(unit__in=units)) - set(blind)
    if reader.decides:
        return there
    return there & own_units(reader, there) if kind == SuggestionKind.PROPOSAL else set()


def own_units(reader: Reader, units: Collection[int]) -> set[int]:
    """Those of the units that the reader has."""
    rows = Assignment.objects.filter(unit__in=units, user=reader.user, stage__layer=reader.layer)
    return _ids(rows.exclude(state=AssignmentState.RETURNED))


def _labelled(reader: Reader, filters: Filters, units: Collection[int], blind: Collection[int], hits: Hits) -> set[int]:
    there = seen_on(reader, units, blind)
    through = set(units)
    if filters.label or filters.attribute:
        name, _colon, value = filters.attribute.partition(":")
        through = {
            unit
            for unit, all_of in there.items()
            if any(
                (not filters.label or span["label"] == filters.label)
                and (not name or span["attributes"].get(name) == value)
                for seen in all_of
                for span in seen.spans
            )
        }
    if filters.marked in (LABELLED, UNLABELLED):
        wanted = filters.marked == LABELLED
        words = _hit_tokens(through, hits) if hits.wanted else {}
        marked = set()
        for unit in through:
            first = there[unit][0] if unit in there else None
            tokens = words.get(unit, ())
            if hits.wanted:
                fits = any((first is not None and first.covers(token)) == wanted for token in tokens)
            else:
                fits = bool(first and first.spans) == wanted
            if fits:
                marked.add(unit)
        through = marked
    return through


def _hit_tokens(units: Collection[int], hits: Hits) -> dict[int, list[int]]:
    """By unit, the tokens that the words of a search are."""
    rows = Unit.objects.filter(pk__in=units).only("language", "tokens", "lemmas", "content_words")
    return {unit.pk: hits_in(unit, hits.wanted.get(unit.language, ())) for unit in rows}
