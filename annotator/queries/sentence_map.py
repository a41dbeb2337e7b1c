"""Which sentences a map shows: those that are drawn for it, and those of them that members still see.

Texts of several parts, such as figurative pairs, are drawn, too, imported or written. Those that a rule made of
sentences repeat them, and are not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from django.db.models import QuerySet

from annotator.domain.languages import base_language
from annotator.domain.leaving_out import Skipped
from annotator.domain.sentence_map import LEAST_POINTS, drawn, each
from annotator.kind import kinds_with_parts
from annotator.models import Job, Project, Segment, SentenceMap, Unit, User
from annotator.queries.corpus import repeats_withheld, withheld
from annotator.queries.find import seen_by


@dataclass(frozen=True, slots=True)
class ToMap:
    """`sentences` are ids of units; `counts`, by language: how many these are, of how many, and what was left out."""

    sentences: list[int]
    counts: dict[str, Any]


@dataclass(frozen=True, slots=True)
class MapPoint:
    """A sentence on the map: its unit, its segment, its language, and where it lies."""

    unit: int
    segment: int
    language: str
    x: int
    y: int


@dataclass(frozen=True, slots=True)
class Map:
    """What members see of the newest map: by language in the project's order, from left to right.

    `gone`: points whose text was replaced or taken back since, or must not be published any more.
    """

    job: Job
    points: Sequence[MapPoint]
    gone: int


def to_map(project: Project, *, wanted: int, seed: int, languages: Collection[str] | None) -> ToMap:
    """Up to `wanted` sentences of each language, fewer of many languages. `languages`: those that the model knows;
    None: any. Texts that may not be published are left out, since reports are shown around."""
    kept_back = withheld(project)
    known = [one for one in project.languages if languages is None or base_language(one) in languages]
    sentences: list[int] = []
    some, of, skipped = Counter[str](), Counter[str](), Counter[str]()

    def free(language: str, there: Iterable[tuple[str, int, int]]) -> Iterator[tuple[str, int]]:
        for uid, sentence, segment in there:
            if (language, segment) in kept_back:
                skipped[Skipped.WITHHELD] += 1
            else:
                of[language] += 1
                yield uid, sentence

    for language in project.languages:
        found = [rows.filter(language=language) for rows in _texts(project)]
        if language not in known:
            skipped[Skipped.OTHER_LANGUAGE] += sum(rows.count() for rows in found)
            continue
        # One by one: a million of them take no memory.
        there = chain.from_iterable(rows.values_list("segment__uid", "pk", "segment_id").iterator() for rows in found)
        chosen = drawn(free(language, there), each(wanted, len(known)), seed)
        sentences += chosen
        some[language] = len(chosen)
    left_out = {reason: number for reason, number in skipped.items() if number}
    return ToMap(sentences, {"sentences": dict(some), "of": dict(of), "skipped": left_out})


def has_enough(project: Project) -> bool:
    """Whether the project has the texts of a map. Reads that many at most."""
    free = [rows.exclude(imported__publishable=False)[:LEAST_POINTS].count() for rows in _texts(project)]
    return sum(free) >= LEAST_POINTS


def map_of(project: Project, reader: User) -> Map | None:
    """The newest map, as far as the reader sees its texts; None where there is none. Reads its own sentences alone,
    however large the project is."""
    found = SentenceMap.objects.select_related("job").filter(project=project).first()
    if found is None:
        return None
    places = {unit: (x, y) for unit, x, y in found.points}
    fields = ("segment_id", "language", "touches", "kind", "author_id", "imported_id")
    rows = seen_by(reader, project, _unwithheld(project, _shown(project, places).only(*fields)))
    order = {language: number for number, language in enumerate(project.languages)}
    points = [MapPoint(row.pk, row.segment_id, row.language, *places[row.pk]) for row in rows]
    points.sort(key=lambda point: (order.get(point.language, len(order)), point.x, point.y, point.unit))
    return Map(found.job, points, len(places) - len(points))


def texts_of(project: Project, points: Sequence[MapPoint]) -> dict[int, Unit]:
    """The units of points, with their texts and segments."""
    rows = _shown(project, [point.unit for point in points]).select_related("segment")
    return rows.defer("lemmas", "content_words", "parts_of_speech").in_bulk()


def _texts(project: Project) -> Sequence[QuerySet[Unit]]:
    """The current sentences, and the current texts of several parts that repeat none of them."""
    units = Unit.objects.published().filter(project=project, is_current=True, token_count__gt=0)
    return [units.filter(kind=Segment.SENTENCE), units.filter(kind__in=kinds_with_parts(), rule="")]


def _shown(project: Project, units: Collection[int]) -> Any:
    return Unit.objects.published().filter(project=project, pk__in=units, is_current=True)


def _unwithheld(project: Project, units: Collection[Unit]) -> list[Unit]:
    kept_back: frozenset[tuple[str, int]] = frozenset()
    if project.imports.filter(publishable=False).exists():
        kept_back = withheld(project, segments={unit.segment_id for unit in units})
    return [unit for unit in units if not repeats_withheld(unit, kept_back)]
