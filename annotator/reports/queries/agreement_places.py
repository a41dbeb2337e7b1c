"""The words in each cell of the confusion table of two people."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from annotator.domain.content.spans import SENTENCE
from annotator.models import AgreementRun, Layer
from annotator.reports.queries.agreement import ALL, Question, Shared

# Places of a cell that a stored run keeps, of each group of rows.
MAX_STORED = 50

Cell = tuple[str, str]
# A unit (id) and the number of its token; -1 where the whole unit is meant.
Place = tuple[int, int]
# By group of rows, then by what the first person gave and the second.
Places = Mapping[str, Mapping[Cell, Sequence[Place]]]


def places_of(
    asked: Question, shared: Sequence[Shared], *, groups: Collection[str] | None = None, at_most: int | None = None
) -> Places:
    """The places of every cell in the order of the units: of all groups or of those named, `at_most` in a cell."""
    if asked.found is None:
        return {}
    found: dict[str, defaultdict[Cell, list[Place]]] = {}
    known = {*asked.groups, ALL}
    by_token = asked.found.content_type == Layer.SPANS and asked.dimension != SENTENCE
    for unit in shared:
        group = unit.role if asked.by_role else unit.inference
        wanted = {one for one in (group, ALL) if one in known and (groups is None or one in groups)}
        if not wanted:
            continue
        first, second = unit.observations(asked.found, asked.dimension)
        for at, cell in enumerate(zip(first, second, strict=True)):
            for one in wanted:
                places = found.setdefault(one, defaultdict(list))[cell]
                if at_most is None or len(places) < at_most:
                    places.append((unit.unit, at if by_token else -1))
    return found


def stored_places(places: Places) -> list[Any]:
    """The places for storage in a run, without texts, because withdrawn texts must not stay here."""
    return [
        [group, [[*cell, found] for cell, found in sorted(cells.items())]] for group, cells in sorted(places.items())
    ]


def places_of_run(run: AgreementRun) -> Places | None:
    """The places that a run stored, at most `MAX_STORED` in a cell; None of a run from before they were kept."""
    if "places" not in run.results:
        return None
    return {
        group: {(first, second): [(unit, at) for unit, at in found] for first, second, found in cells}
        for group, cells in run.results["places"]
    }
