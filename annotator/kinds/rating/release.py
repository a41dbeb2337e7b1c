"""Ratings and scores in a release: a table for each layer and language, a sentence or a marked expression a line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from annotator.domain.agreement.best_worst import UNIT_KIND as TUPLE
from annotator.domain.agreement.best_worst import scores
from annotator.domain.agreement.ratings import mean_and_spread
from annotator.domain.content import BEST_WORST, RATING
from annotator.domain.leaving_out import NotReleased, WhyNotReleased
from annotator.kinds.rating.answers import layers, picked, ratings
from annotator.kinds.rating.expressions import TUPLE_KIND as MARKED_TUPLE
from annotator.kinds.rating.expressions import UNIT_KIND as MARKED
from annotator.kinds.rating.expressions import tokens_of, words_of
from annotator.models import Layer, Project, Segment, Unit
from annotator.releases.queries.release_parts import Part
from annotator.work.gold.queries.left_out import LeftOut
from annotator.work.gold.queries.withheld import withheld

Rows = Mapping[int, Sequence[object]]
_RATINGS = ("mean", "spread", "ratings", "values")
_SCORES = ("score", "best", "worst", "seen")
_WHICH = "the id of the sentence, which of its tokens they are, counted from 0, and their words"


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
            # One row per sentence or expression: then its tokens and words tell it from others of the sentence.
            is_marked = layer.unit_kind in (MARKED, MARKED_TUPLE)
            lines: list[Iterable[object]] = [("id", *(("tokens", "words") if is_marked else ()), *columns, "text")]
            for unit, sentence in _rated_units(project, language, MARKED if is_marked else Segment.SENTENCE, rows):
                if (language, sentence.pk) in kept_back:
                    left_out.append(_left_out(sentence, language))
                else:
                    datasets.append(sentence.dataset)
                    which = (" ".join(map(str, tokens_of(unit))), words_of(unit)) if is_marked else ()
                    lines.append((sentence.uid, *which, *rows[unit.segment_id], " ".join(unit.text.split())))
            if len(lines) > 1:
                files[f"{layer.slug}/{language}.tsv"] = _tsv(lines)
                about[f"{layer.slug}/"] = words
    return Part(files, about, tuple(dict.fromkeys(left_out)), tuple(dict.fromkeys(datasets)))


def _tables(project: Project) -> Iterable[tuple[Layer, tuple[str, ...], Callable[[Layer, str], Rows], str]]:
    figures = "mean, standard deviation, number, and all values"
    for layer in layers(project, RATING.slug, Segment.SENTENCE):
        yield layer, _RATINGS, _rated, f"ratings of each sentence: {figures}"
    for layer in layers(project, RATING.slug, MARKED):
        yield layer, _RATINGS, _rated, f"ratings of each marked expression: {_WHICH}; {figures}"
    figures = "scores by best–worst scaling, −1 to 1, with how often each was chosen and seen"
    for layer in layers(project, BEST_WORST.slug, TUPLE):
        yield layer, _SCORES, _scored, figures
    for layer in layers(project, BEST_WORST.slug, MARKED_TUPLE):
        yield layer, _SCORES, _scored, f"of each marked expression, {_WHICH}; {figures}"


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


def _rated_units(project: Project, language: str, kind: str, rows: Mapping[int, Any]) -> Iterable[tuple[Unit, Segment]]:
    """The units of these segments in reading order, with the segment of the sentence that each is or stands in."""
    units = Unit.objects.published().filter(project=project, kind=kind, language=language, is_current=True)
    found = units.select_related("segment").order_by("segment__position", "pk").iterator(chunk_size=500)
    rated = [unit for unit in found if unit.segment_id in rows]
    if kind == Segment.SENTENCE:
        return [(unit, unit.segment) for unit in rated]
    # The sentence is the second one that a marked expression touches.
    sentences = Segment.objects.in_bulk({unit.touches[1] for unit in rated})
    pairs = [(unit, sentences[unit.touches[1]]) for unit in rated]
    return sorted(pairs, key=lambda pair: (pair[1].position, pair[1].pk, tokens_of(pair[0])))


def _left_out(sentence: Segment, language: str) -> LeftOut:
    why = WhyNotReleased(NotReleased.WITHHELD, language)
    return LeftOut("sentence", sentence.dataset, sentence.uid, language, why)


def _tsv(lines: Iterable[Iterable[object]]) -> bytes:
    return "".join("\t".join(map(str, line)) + "\n" for line in lines).encode()
