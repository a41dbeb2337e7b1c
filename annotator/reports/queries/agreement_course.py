"""How agreement came about: kappa as the work that two people share grew."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from annotator.domain.agreement.kappa import cohen_kappa
from annotator.reports.queries.agreement import Question, Shared

STEPS = 20


@dataclass(frozen=True)
class CoursePoint:
    """Kappa (None where undefined) over the first `units` common items; `at`: when the last of them was finished."""

    units: int
    kappa: float | None
    at: datetime


def course_of(asked: Question, shared: Sequence[Shared]) -> list[CoursePoint]:
    """Up to STEPS points over all that both have done, in the order in which the second of the two finished it.

    The last point is the overall kappa of `queries.agreement`.
    """
    if asked.found is None:
        return []
    units = sorted(shared, key=lambda unit: (unit.at, unit.unit))
    ends = sorted({-(-len(units) * step // STEPS) for step in range(1, STEPS + 1)} - {0})
    points = []
    first: list[str] = []
    second: list[str] = []
    begin = 0
    for end in ends:
        for unit in units[begin:end]:
            one, other = unit.observations(asked.found, asked.dimension)
            first += one
            second += other
        points.append(CoursePoint(end, cohen_kappa(first, second).value, units[end - 1].at))
        begin = end
    return points
