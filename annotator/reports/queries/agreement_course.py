"""How agreement came about: kappa as the work that two people share grew."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from annotator.domain.agreement.kappa import cohen_kappa
from annotator.models import Project, User
from annotator.reports.queries.agreement import dimension_of, layer_named, shared_work

STEPS = 20


@dataclass(frozen=True)
class CoursePoint:
    """Kappa (None where undefined) over the first `units` common items; `at`: when the last of them was finished."""

    units: int
    kappa: float | None
    at: datetime


def agreement_course(
    project: Project, *, a: User, b: User, layer: str, language: str, dimension: str = "", mapping: str = ""
) -> list[CoursePoint]:
    """Up to STEPS points over what both have done, in the order in which the second of the two finished it.

    The last point is the overall kappa of `queries.agreement`.
    """
    found = layer_named(project, layer)
    if found is None:
        return []
    dimension = dimension_of(found, dimension)
    language = language or project.source_language
    units = sorted(
        shared_work(project, found, a=a, b=b, language=language, mapping=mapping), key=lambda unit: (unit.at, unit.unit)
    )
    ends = sorted({-(-len(units) * step // STEPS) for step in range(1, STEPS + 1)} - {0})
    points = []
    first: list[str] = []
    second: list[str] = []
    begin = 0
    for end in ends:
        for unit in units[begin:end]:
            one, other = unit.observations(found, dimension)
            first += one
            second += other
        points.append(CoursePoint(end, cohen_kappa(first, second).value, units[end - 1].at))
        begin = end
    return points
