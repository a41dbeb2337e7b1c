"""Projections of one sentence from several languages: which is the better one, and where they agree.

The one home of both rules (guarded by tests/domain/test_several_sources.py).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from annotator.domain.labels.spans import Span
from annotator.domain.projection.carry import Outcome, SourceOutcome

# Decimals of a score; links are stored with as many.
PLACES = 4

Link = tuple[int, int, float]


def projection_score(
    outcomes: Sequence[SourceOutcome], links: Iterable[Link], opinions: Sequence[float | None] = ()
) -> float:
    """How surely the labels of a source sentence were carried over: 0 to 1, rounded to PLACES decimals.

    Each source span counts for the mean, over its tokens, of the best score of a link from the token into the span
    that it became; a token without such a link counts 0. A span that was not projected counts 0, a projected one
    without tokens 1. The projection's score is the mean over its source spans, and 0 where there are none. So what
    was lost on the way lowers it, as do weak links. `links` are (source token, target token, score), in any order.

    `opinions` are what something else than the aligner says of each source span, 0 to 1: such a span counts for the
    mean of both. None, or no opinions at all: it says nothing.
    """
    best = _by_source(links)
    # fsum: the same sum in whatever order spans and links come.
    worth = math.fsum(
        _worth(outcome, best) if opinion is None else (_worth(outcome, best) + opinion) / 2
        for outcome, opinion in zip(outcomes, opinions or [None] * len(outcomes), strict=True)
    )
    return round(worth / len(outcomes), PLACES) if outcomes else 0.0


def span_scores(outcomes: Sequence[SourceOutcome], links: Iterable[Link]) -> list[float]:
    """What each source span counts in `projection_score`, in order: 0 to 1."""
    best = _by_source(links)
    return [round(_worth(outcome, best), PLACES) for outcome in outcomes]


def _by_source(links: Iterable[Link]) -> dict[int, list[tuple[int, float]]]:
    """By source token, the target tokens that it is linked with, each with the score of the link."""
    found: dict[int, list[tuple[int, float]]] = {}
    for source, target, score in links:
        found.setdefault(source, []).append((target, min(max(round(score, PLACES), 0.0), 1.0)))
    return found


def _worth(outcome: SourceOutcome, links: Mapping[int, Sequence[tuple[int, float]]]) -> float:
    if outcome.outcome != Outcome.PROJECTED or outcome.target is None:
        return 0.0
    if not outcome.source.tokens:
        return 1.0
    reached = frozenset(outcome.target.tokens)
    found = [
        max((score for target, score in links.get(token, ()) if target in reached), default=0.0)
        for token in outcome.source.tokens
    ]
    return math.fsum(found) / len(found)


def better_first(score: float | None, language: str, languages: Sequence[str]) -> tuple[float, int]:
    """The place of a projection among those of its sentence, as a sort key: the highest score first.

    On a tie the language that the project names earlier (`languages`) comes first. Of one source language at most one
    projection stands, so nothing else can tie. Without a score (None) it comes after all that have one.
    """
    place = languages.index(language) if language in languages else len(languages)
    return (-1.0 if score is None else score) * -1, place


def span_sources(projections: Mapping[str, Sequence[Span]]) -> dict[str, list[list[str]]]:
    """Which languages each projected span comes from: by source language, a list for each of its spans, in order.

    `projections`: the spans that stand, by source language. A list begins with the span's own source; after it come
    the others whose projection has a span with the same tokens and label, in the order of `projections`. Attributes
    and scores do not matter, as for origins.
    """
    keys = {language: {(span.tokens, span.label) for span in spans} for language, spans in projections.items()}
    return {
        language: [
            [language, *(other for other in keys if other != language and (span.tokens, span.label) in keys[other])]
            for span in spans
        ]
        for language, spans in projections.items()
    }
