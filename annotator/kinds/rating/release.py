"""Ratings and scores in a release: a table for each layer and language, a sentence a line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from annotator.domain.best_worst import scores
from annotator.domain.content import BEST_WORST, RATING
from annotator.domain.leaving_out import NotReleased, WhyNotReleased
from annotator.domain.ratings import mean_and_spread
from annotator.kinds.rating.answers import layers, picked, ratings
from annotator.models import Layer, Project, Segment, Unit
from annotator.queries.corpus import LeftOut, withheld
from annotator.queries.release_parts import Part

Rows = Mapping[int, Sequence[object]]
_RATINGS = ("mean", "spread", "ratings", "values")
_SCORES = ("score", "best", "worst", "seen")


def part(project: Project) -> Part:
    """`<layer>/<language>.tsv` of all finished answers. Sentences whose text may not be published are left out."""
    files: dict[str, bytes] = {}
    about: dict[str, str] = {}
    left_out: list[LeftOut] = []
    datasets: list[str] = []
    kept_back = withheld(project)
    for layer, columns, rows_of, words in _tables(project):
        for language in project.languages:
            rows = rows_of(layer, language)
            if not rows:
                continue
            lines: list[Iterable[object]] = [("id", *columns, "text")]
            for unit in _sentences(project, language, rows):
                if (language, unit.segment_id) in kept_back:
                    left_out.append(_left_out(unit))
                else:
                    datasets.append(unit.segment.dataset)
                    lines.append((unit.segment.uid, *rows[unit.segment_id], " ".join(unit.text.split())))
            if len(lines) > 1:
                files[f"{layer.slug}/{language}.tsv"] = _tsv(lines)
                about[f"{layer.slug}/"] = words
    return Part(files, about, tuple(dict.fromkeys(left_out)), tuple(dict.fromkeys(datasets)))


def _tables(project: Project) -> Iterable[tuple[Layer, tuple[str, ...], Callable[[Layer, str], Rows], str]]:
    for layer in layers(project, RATING.slug):
        yield layer, _RATINGS, _rated, "ratings of each sentence: mean, standard deviation, number, and all values"
    for layer in layers(project, BEST_WORST.slug):
        yield layer, _SCORES, _scored, "scores by best–worst scaling, −1 to 1, with how often each was chosen and seen"


def _rated(layer: Layer, language: str) -> Rows:
    rows: dict[int, Sequence[object]] = {}
    for segment, values in ratings(layer, language).items():
        mean, spread = mean_and_spread(values)
        numbers = " ".join(map(str, sorted(values)))
        rows[segment] = (f"{mean:.3f}", "" if spread is None else f"{spread:.3f}", len(values), numbers)
    return rows


def _scored(layer: Layer, language: str) -> Rows:
    found = scores(answer for answers in picked(layer, language) for answer in answers)
    return {item: (f"{one.value:.3f}", one.best, one.worst, one.seen) for item, one in found.items()}


def _sentences(project: Project, language: str, rows: Mapping[int, Any]) -> list[Unit]:
    units = Unit.objects.published().filter(project=project, kind=Segment.SENTENCE, language=language, is_current=True)
    found = units.select_related("segment").order_by("segment__position", "pk").iterator(chunk_size=500)
    return [unit for unit in found if unit.segment_id in rows]


def _left_out(unit: Unit) -> LeftOut:
    why = WhyNotReleased(NotReleased.WITHHELD, unit.language)
    return LeftOut("sentence", unit.segment.dataset, unit.segment.uid, unit.language, why)


def _tsv(lines: Iterable[Iterable[object]]) -> bytes:
    return "".join("\t".join(map(str, line)) + "\n" for line in lines).encode()
