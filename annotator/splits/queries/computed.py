"""A split as it is computed: the part of each item, its tables, and what its parts have in common."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from annotator.core.errors import ActionError
from annotator.domain.messages import gettext_noop as _
from annotator.domain.messages import message
from annotator.domain.splits.assignment import assign
from annotator.domain.splits.items import NO_PART, Places
from annotator.domain.splits.leakage import Leakage, common_names, same_translations
from annotator.domain.splits.lexical import assign_lexical
from annotator.models import Event, Layer, Segment
from annotator.splits.queries.collected import Collected, How
from annotator.splits.queries.stored import STRATA, LeakKind
from annotator.work.gold.queries.slots import segments_in


@dataclass(frozen=True)
class Computed:
    """Side by side, the segments (ids), their parts and their places in the files of these, in reading order. Of a
    published split, only those that it has."""

    layer: Layer
    parts: Sequence[str]
    segments: Places
    of_segment: Places
    positions: Places
    last_event: int
    sha256: str
    results: dict[str, Any]

    @property
    def size(self) -> int:
        return int((self.of_segment >= 0).sum())

    @property
    def left_out(self) -> int:
        return len(self.segments) - self.size


@dataclass(frozen=True)
class Placed:
    """What a published split says: segments (ids, ascending) with their parts and their places in the files."""

    parts: Sequence[str]
    segments: Places
    of_segment: Places
    positions: Places
    unmatched: int = 0


def compute(layer: Layer, parts: Sequence[str], shares: Sequence[float], how: How) -> Computed:
    """Deal the items of a layer out. Call it in a snapshot. Raises ActionError where there are none, or no
    expressions where they are asked for."""
    last_event = _last_event(layer)
    collected = Collected(layer, how).read()
    if not len(collected):
        raise ActionError(message(_("There is nothing to split yet. Import sentences first.")))
    if how.lexical and not collected.has_expressions:
        raise ActionError(
            message(_("No word has a gold label in this layer yet, so there are no expressions. Decide on gold first."))
        )
    given = [share / sum(shares) for share in shares]
    last = len(parts) - 1
    of_item = assign_lexical(collected.items, given, last) if how.lexical else assign(collected.items, given)
    return _computed(collected, parts, of_item, _in_reading_order(of_item), last_event)


def compute_placed(layer: Layer, placed: Placed) -> Computed:
    """The tables and leaks of a published split. Call it in a snapshot."""
    last_event = _last_event(layer)
    collected = Collected(layer, How(strata=STRATA)).read()
    where = np.searchsorted(placed.segments, collected.segments)
    where[where == len(placed.segments)] = 0
    is_there = placed.segments[where] == collected.segments
    of_item = np.where(is_there, placed.of_segment[where], NO_PART)
    positions = np.where(is_there, placed.positions[where], 0)
    return _computed(collected, placed.parts, of_item, positions, last_event, is_there, placed.unmatched)


def _computed(
    collected: Collected,
    parts: Sequence[str],
    of_item: Places,
    positions: Places,
    last_event: int,
    stored: np.ndarray[Any, Any] | None = None,
    unmatched: int = 0,
) -> Computed:
    """`stored`: which items are told of; all unless given."""
    told = np.ones(len(collected), bool) if stored is None else stored
    results: dict[str, Any] = {
        "sizes": np.bincount(of_item[of_item >= 0], minlength=len(parts)).tolist(),
        "strata": collected.strata_of(of_item, len(parts)),
        "table": collected.table(of_item, parts),
        "leakage": list(_leakage(collected, of_item, len(parts))),
    }
    if unmatched:
        results["unmatched"] = unmatched
    return Computed(
        collected.layer,
        parts,
        collected.segments[told],
        of_item[told],
        positions[told],
        last_event,
        _digest(collected, parts, of_item, told),
        results,
    )


def _leakage(collected: Collected, parts: Places, count: int) -> Iterator[dict[str, Any]]:
    items = np.arange(len(collected))

    def told(kind: str, language: str, found: Leakage) -> dict[str, Any]:
        as_json = found.to_json()
        for leak in as_json["leaks"]:
            ids = [[int(collected.segments[item]) for item in pair] for pair in leak["examples"]]
            uids = dict(Segment.objects.filter(pk__in={pk for pair in ids for pk in pair}).values_list("pk", "uid"))
            leak["examples"] = [[uids[pk] for pk in pair] for pair in ids]
        return {"kind": kind, "language": language, **as_json}

    yield told(LeakKind.GROUP, "", common_names(collected.groups, items, parts, count))
    languages = list(collected.in_language.items())
    for place, (language, mine) in enumerate(languages):
        yield told(LeakKind.EQUAL, language, common_names(mine.texts.equal, items, parts, count))
        yield told(LeakKind.NEAR, language, mine.texts.near(parts, count))
        if place:
            source = languages[0][1].texts.equal
            yield told(LeakKind.TRANSLATION, language, same_translations(source, mine.texts.equal, parts, count))
        if mine.expressions:
            names = np.frombuffer(mine.expressions, np.uint64)
            owners = np.frombuffer(mine.owners, np.int64)
            yield told(LeakKind.EXPRESSION, language, common_names(names, owners, parts, count))


def _in_reading_order(parts: Places) -> Places:
    """The place of each item among those of its part."""
    order = np.argsort(parts, kind="stable")
    begins = np.concatenate([[0], np.flatnonzero(np.diff(parts[order])) + 1])
    places = np.empty(len(parts), np.int64)
    lengths = np.diff(np.concatenate([begins, [len(parts)]]))
    places[order] = np.arange(len(parts)) - np.repeat(begins, lengths)
    return places


def _digest(collected: Collected, parts: Sequence[str], of_item: Places, told: np.ndarray[Any, Any]) -> str:
    digest = hashlib.sha256()
    uids = segments_in(collected.layer).values_list("uid", flat=True).iterator(2000)
    for uid, part, is_told in zip(uids, of_item.tolist(), told.tolist(), strict=True):
        if is_told:
            digest.update(f"{uid}\t{parts[part] if part >= 0 else ''}\n".encode())
    return digest.hexdigest()


def _last_event(layer: Layer) -> int:
    events = Event.objects.filter(project=layer.project_id).order_by("-pk")
    return events.values_list("pk", flat=True).first() or 0
