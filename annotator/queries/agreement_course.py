"""How agreement came about: kappa as the work that two people share grew."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from annotator.domain.agreement import cohen_kappa
from annotator.domain.spans import spans_from_json, token_labels
from annotator.models import Annotation, PairTag, Project, TagKind, User
from annotator.queries.agreement import common_annotations

STEPS = 20


@dataclass(frozen=True)
class CoursePoint:
    """Kappa (None where undefined) over the first `units` common items; `at`: when the last of them was finished."""

    units: int
    kappa: float | None
    at: datetime


@dataclass(frozen=True)
class _Unit:
    at: datetime
    first: Sequence[str]
    second: Sequence[str]


def agreement_course(project: Project, *, a: User, b: User, layer: str, language: str) -> list[CoursePoint]:
    """Up to STEPS points over what both have done, in the order in which the second of the two finished it.

    The last point is the overall kappa of `queries.agreement`.
    """
    find = _sentences if layer == "tokens" else _pairs
    units = sorted(find(project, a, b, language), key=lambda unit: unit.at)
    ends = sorted({-(-len(units) * step // STEPS) for step in range(1, STEPS + 1)} - {0})
    points = []
    first: list[str] = []
    second: list[str] = []
    begin = 0
    for end in ends:
        for unit in units[begin:end]:
            first += unit.first
            second += unit.second
        points.append(CoursePoint(end, cohen_kappa(first, second).value, units[end - 1].at))
        begin = end
    return points


def _sentences(project: Project, a: User, b: User, language: str) -> list[_Unit]:
    first, second = common_annotations(project, a, b, language)
    return [
        _Unit(
            max(row.done_at or row.updated_at for row in (first[key], second[key])),
            _labels(first[key]),
            _labels(second[key]),
        )
        for key in first.keys() & second.keys()
    ]


def _labels(annotation: Annotation) -> list[str]:
    return token_labels(spans_from_json(annotation.spans), annotation.sentence.token_count)


def _pairs(project: Project, a: User, b: User, language: str) -> list[_Unit]:
    def tagged(user: User) -> dict[int, PairTag]:
        rows = PairTag.objects.filter(project=project, user=user, kind=TagKind.PERSON, language=language)
        return {row.pair_id: row for row in rows}

    first, second = tagged(a), tagged(b)
    return [
        _Unit(max(first[key].updated_at, second[key].updated_at), [first[key].tag], [second[key].tag])
        for key in first.keys() & second.keys()
    ]
