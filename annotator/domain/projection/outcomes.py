"""What became of labels that were carried to another language: kept, shifted, lost, gained.

Spans of the source are matched one to one with the spans that stand on the target. On the page
`static/work/logic/review.js` does the same; `tests/content_cases/outcomes.json` holds both to it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from annotator.domain.labels.spans import Span
from annotator.domain.labels.translations import Translation
from annotator.domain.projection.carry import Outcome, SourceOutcome

# Of a span of the target without one of the source: this person labelled it, or another one alone did.
GAINED, NOT_GAINED = "gained", "not-gained"


class Fate(StrEnum):
    """What became of a source span after review.

    KEPT: the same words as projected. SHIFTED: a span elsewhere or of another extent. LOST: no span of the target.
    """

    KEPT = "kept"
    SHIFTED = "shifted"
    LOST = "lost"


@dataclass(frozen=True, slots=True)
class Fates:
    """One fate for every source span, in order, and the target spans that none of them has: those are gained."""

    of_sources: tuple[Fate, ...]
    gained: tuple[Span, ...]


def fates(outcomes: Sequence[SourceOutcome], reviewed: Sequence[Span], lost: Collection[int] = ()) -> Fates:
    """Match the spans of the source with those that stand on the target, each with at most one.

    The same words come first (those of the same label before others), then spans that share most words with what was
    projected or linked, then spans of the same label elsewhere in the sentence: projected labels before those that
    never arrived, the nearest first. A label on the sentence stays there or is lost. `lost`: numbers of the outcomes
    that a person called lost, which have no span of the target whatever stands near them.
    """
    found = matched(outcomes, reviewed, lost)
    taken = {place for place, _fate in found.values()}
    return Fates(
        tuple(found[number][1] if number in found else Fate.LOST for number in range(len(outcomes))),
        tuple(span for number, span in enumerate(reviewed) if number not in taken),
    )


def matched(
    outcomes: Sequence[SourceOutcome], reviewed: Sequence[Span], lost: Collection[int] = ()
) -> dict[int, tuple[int, Fate]]:
    """By number of an outcome that has a span of the target, the number of that span, and whether it was kept or
    shifted; as `fates` says."""
    found: dict[int, tuple[int, Fate]] = {}
    taken: set[int] = set()
    for source, target, fate in _in_order(outcomes, reviewed):
        if source not in lost and source not in found and target not in taken:
            found[source] = target, fate
            taken.add(target)
    return found


def compared_outcomes(
    outcomes: Sequence[SourceOutcome], reviews: Sequence[tuple[Sequence[Span], Collection[int]]]
) -> list[list[str]]:
    """The observations of reviewers, for each of them in order: the fate of every source span, then of every span
    that any of them gained whether this one did.

    `reviews`: of each, the spans that stand and the numbers of the outcomes that they called lost.
    """
    found = [fates(outcomes, spans, lost) for spans, lost in reviews]
    gained = sorted({(span.tokens, span.label) for one in found for span in one.gained})
    return [
        [
            *(fate.value for fate in one.of_sources),
            *(
                GAINED if key in {(span.tokens, span.label) for span in one.gained} else NOT_GAINED
                for key in gained
            ),
        ]
        for one in found
    ]  # fmt: skip


def lost_of(outcomes: Sequence[SourceOutcome], said: Iterable[Translation]) -> set[int]:
    """The numbers of the outcomes whose span a person called lost. `said`: what they said of spans of this source."""
    lost = {(one.source.tokens, one.source.label) for one in said if one.lost}
    return {number for number, one in enumerate(outcomes) if (one.source.tokens, one.source.label) in lost}


def _in_order(outcomes: Sequence[SourceOutcome], reviewed: Sequence[Span]) -> Iterator[tuple[int, int, Fate]]:
    """What can be matched (numbers of source and target), the best first, with the fate that this is."""
    ranked: list[tuple[tuple[int, ...], int, int]] = []
    for number, one in enumerate(outcomes):
        reach = _reach(one)
        for place, span in enumerate(reviewed):
            rank: tuple[int, ...]
            other_label = int(span.label != one.source.label)
            shared = len(reach.intersection(span.tokens))
            if one.target is not None and span.tokens == one.target.tokens:
                rank = (0, other_label)
            elif shared:
                rank = (1, -shared, other_label)
            elif not other_label and span.tokens and one.source.tokens:
                never_arrived = int(one.outcome != Outcome.PROJECTED)
                rank = (2, never_arrived, min((abs(a - b) for a in reach for b in span.tokens), default=0))
            else:
                continue
            ranked.append((rank, number, place))
    for rank, number, place in sorted(ranked):
        yield number, place, Fate.SHIFTED if rank[0] else Fate.KEPT


def _reach(one: SourceOutcome) -> frozenset[int]:
    """The words of the target that a source span was carried to or is linked with."""
    return frozenset([*(one.target.tokens if one.target else ()), *(token for token, _reason in one.left_out)])
