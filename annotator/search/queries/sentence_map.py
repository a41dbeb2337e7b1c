"""Which sentences a map shows: those that are drawn for it, and those of them that members still see.

Of texts of several parts, such as figurative pairs, each sentence is drawn by itself, imported or written; their kind
says which parts are sentences. Texts that a rule made of sentences repeat them, and are not drawn.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from annotator.core.unit_kinds import kinds_with_parts, sentence_lines
from annotator.domain.leaving_out import Skipped
from annotator.domain.sentence_map import MIN_POINTS, Drawn, drawn, each, read
from annotator.domain.text.languages import base_language
from annotator.domain.text.tokens import text_of
from annotator.models import Job, Project, Segment, SentenceMap, Unit, User
from annotator.search.queries.find import seen_by
from annotator.work.gold.queries.withheld import repeats_withheld, withheld


@dataclass(frozen=True, slots=True)
class ToMap:
    """`counts`, by language: how many sentences these are, of how many, and what was left out."""

    sentences: list[Drawn]
    counts: dict[str, Any]


@dataclass(frozen=True, slots=True)
class MapPoint:
    """A sentence on the map: its unit, which line of the unit's text it is (None: all of it), its segment, its
    language, and where it lies."""

    unit: int
    line: int | None
    segment: int
    language: str
    x: int
    y: int

    @property
    def key(self) -> str:
        """What names it on the page."""
        return f"{self.unit}" if self.line is None else f"{self.unit}-{self.line}"


@dataclass(frozen=True, slots=True)
class OnMap:
    """A point with what is read there: its unit, its sentence and, where the unit says it, what the sentence means."""

    point: MapPoint
    unit: Unit
    text: str
    meaning: str


@dataclass(frozen=True, slots=True)
class Map:
    """What members see of the newest map: by language in the project's order, from left to right.

    `gone`: points whose text was replaced or undone since, or must not be published any more.
    """

    job: Job
    points: Sequence[MapPoint]
    gone: int


def to_map(project: Project, *, wanted: int, seed: int, languages: Collection[str] | None) -> ToMap:
    """Up to `wanted` sentences of each language, fewer of many languages. `languages`: those that the model knows;
    None: any. Texts that may not be published are left out, since reports are shown around."""
    kept_back = withheld(project)
    known = [one for one in project.languages if languages is None or base_language(one) in languages]
    sentences: list[Drawn] = []
    some, of, skipped = Counter[str](), Counter[str](), Counter[str]()

    def free(language: str) -> Iterator[tuple[str, Drawn]]:
        for uid, segment, sentence in _sentences(project, language=language):
            if (language, segment) in kept_back:
                skipped[Skipped.WITHHELD] += 1
            else:
                of[language] += 1
                yield uid, sentence

    for language in project.languages:
        if language not in known:
            skipped[Skipped.OTHER_LANGUAGE] += sum(1 for _one in _sentences(project, language=language))
            continue
        # One by one: a million of them take no memory.
        chosen = drawn(free(language), each(wanted, len(known)), seed)
        sentences += chosen
        some[language] = len(chosen)
    left_out = {reason: number for reason, number in skipped.items() if number}
    return ToMap(sentences, {"sentences": dict(some), "of": dict(of), "skipped": left_out})


def has_enough(project: Project) -> bool:
    """Whether the project has the sentences of a map. Reads as many rows of each sort at most."""
    whole, several = (rows.exclude(imported__publishable=False)[:MIN_POINTS] for rows in _texts(project))
    parts = several.values_list("kind", "tokens", "spaces")
    return whole.count() + sum(len(_lines(*text)) for text in parts) >= MIN_POINTS


def map_of(project: Project, reader: User) -> Map | None:
    """The newest map, as far as the reader sees its texts; None where there is none. Reads its own sentences alone,
    however large the project is."""
    found = SentenceMap.objects.select_related("job").filter(project=project).first()
    if found is None:
        return None
    places: defaultdict[int, list[tuple[int | None, int, int]]] = defaultdict(list)
    for (unit, line), place in map(read, found.points):
        places[unit].append((line, *place))
    fields = ("segment_id", "language", "touches", "kind", "author_id", "imported_id")
    rows = seen_by(reader, project, _unwithheld(project, _shown(project, places).only(*fields)))
    order = {language: number for number, language in enumerate(project.languages)}
    points = [
        MapPoint(row.pk, line, row.segment_id, row.language, x, y) for row in rows for line, x, y in places[row.pk]
    ]
    points.sort(key=lambda point: (order.get(point.language, len(order)), point.x, point.y, point.unit, point.key))
    return Map(found.job, points, len(found.points) - len(points))


def read_on_map(project: Project, points: Sequence[MapPoint]) -> list[OnMap]:
    """What is read at the points, in their order; without those whose text was replaced just now."""
    rows = _shown(project, {point.unit for point in points}).select_related("segment")
    units: dict[int, Unit] = rows.defer("lemmas", "content_words", "parts_of_speech").in_bulk()
    return [_on_map(point, units[point.unit]) for point in points if point.unit in units]


def _on_map(point: MapPoint, unit: Unit) -> OnMap:
    if point.line is None:
        return OnMap(point, unit, unit.text, "")
    lines = unit.text.split("\n")
    meaning = sentence_lines(unit.kind).get(point.line)
    return OnMap(point, unit, lines[point.line], "" if meaning is None else lines[meaning])


def _texts(project: Project) -> Sequence[QuerySet[Unit]]:
    """The current sentences, and the current texts of several parts that repeat none of them."""
    units = Unit.objects.published().filter(project=project, is_current=True, token_count__gt=0)
    return [units.filter(kind=Segment.SENTENCE), units.filter(kind__in=kinds_with_parts(), rule="")]


def _sentences(project: Project, *, language: str) -> Iterator[tuple[str, int, Drawn]]:
    """All sentences of a language, each with the uid and the id of its segment."""
    whole, several = (rows.filter(language=language) for rows in _texts(project))
    for uid, segment, unit in whole.values_list("segment__uid", "segment_id", "pk").iterator():
        yield uid, segment, Drawn(unit)
    parts = several.values_list("segment__uid", "segment_id", "pk", "kind", "tokens", "spaces")
    for uid, segment, unit, *text in parts.iterator():
        for line in _lines(*text):
            yield uid, segment, Drawn(unit, line)


def _lines(kind: str, tokens: Sequence[str], spaces: Sequence[str]) -> list[int]:
    """The lines of a text of several parts that are sentences; a part may be missing."""
    lines = text_of(tokens, spaces).split("\n")
    return [line for line in sentence_lines(kind) if line < len(lines) and lines[line]]


def _shown(project: Project, units: Collection[int]) -> Any:
    return Unit.objects.published().filter(project=project, pk__in=units, is_current=True)


def _unwithheld(project: Project, units: Collection[Unit]) -> list[Unit]:
    kept_back: frozenset[tuple[str, int]] = frozenset()
    if project.imports.filter(publishable=False).exists():
        kept_back = withheld(project, segments={unit.segment_id for unit in units})
    return [unit for unit in units if not repeats_withheld(unit, kept_back)]
