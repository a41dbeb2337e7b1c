"""Which labelled expressions of a text and of its translation belong together."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from annotator.domain.labels.spans import Span
from annotator.domain.projection.carry import SourceOutcome
from annotator.domain.projection.outcomes import GAINED, Fate, matched


class Where(StrEnum):
    """In which languages an expression is labelled. UNALIGNED: both texts have labels that nothing links, since their
    words are not aligned. UNDECIDED: the other text has no gold."""

    BOTH = "both"
    SOURCE = "source"
    TARGET = "target"
    UNALIGNED = "unaligned"
    UNDECIDED = "undecided"


class LinkedBy(StrEnum):
    """The source of a link between two expressions: the review of a projection, or the alignment of their words."""

    REVIEW = "review"
    ALIGNMENT = "alignment"


@dataclass(frozen=True, slots=True)
class Review:
    """The outcomes of a projection for the source's spans, and the numbers of those that a person called lost."""

    outcomes: Sequence[SourceOutcome]
    lost: Collection[int] = ()


@dataclass(frozen=True, slots=True)
class Linked:
    """An expression in both languages or in one. `outcome`: of the review, "" where it was not reviewed."""

    source: Span | None
    target: Span | None
    where: Where
    outcome: str = ""
    by: LinkedBy | None = None


def link_expressions(
    source: Sequence[Span] | None,
    target: Sequence[Span] | None,
    *,
    links: Collection[tuple[int, int]] | None = None,
    review: Review | None = None,
) -> Iterator[Linked]:
    """Every span of the source, then those of the target that none of them is linked with, each in one row.

    `source`, `target`: the spans of gold, None without gold. `links`: aligned tokens, None without an alignment. Spans
    are linked as the review of the projection has them, then those with most aligned words, and labels on the text as
    a whole by their name.
    """
    if source is None or target is None:
        yield from (Linked(span, None, Where.UNDECIDED) for span in source or ())
        yield from (Linked(None, span, Where.UNDECIDED) for span in target or ())
        return
    pairs, fates, gained = _reviewed(source, target, review)
    by = dict.fromkeys(pairs, LinkedBy.REVIEW)
    open_sources = [one for one in range(len(source)) if one not in pairs and fates.get(one) != Fate.LOST]
    open_targets = [one for one in range(len(target)) if one not in pairs.values()]
    for one, other in _aligned(source, target, open_sources, open_targets, links or ()):
        if one not in pairs and other not in pairs.values():
            pairs[one] = other
            by[one] = LinkedBy.ALIGNMENT
    waiting = [one for one in open_targets if one not in pairs.values() and one not in gained]
    unlinked = [one for one in open_sources if one not in pairs]
    for one, span in enumerate(source):
        if one in pairs:
            outcome = fates.get(one) or (GAINED if pairs[one] in gained else "")
            yield Linked(span, target[pairs[one]], Where.BOTH, outcome, by[one])
        else:
            unknown = links is None and bool(waiting) and one in unlinked
            yield Linked(span, None, Where.UNALIGNED if unknown else Where.SOURCE, fates.get(one, ""))
    for one, span in enumerate(target):
        if one not in pairs.values():
            unknown = links is None and bool(unlinked) and one in waiting
            outcome = GAINED if one in gained else ""
            yield Linked(None, span, Where.UNALIGNED if unknown else Where.TARGET, outcome)


def _reviewed(
    source: Sequence[Span], target: Sequence[Span], review: Review | None
) -> tuple[dict[int, int], dict[int, str], set[int]]:
    """By number of a source span, the target span that the review has for it, and its fate; and the target spans that
    were gained."""
    if review is None:
        return {}, {}, set()
    found = matched(review.outcomes, target, review.lost)
    numbers = {(span.tokens, span.label): number for number, span in enumerate(source)}
    pairs: dict[int, int] = {}
    outcomes: dict[int, str] = {}
    for number, one in enumerate(review.outcomes):
        at = numbers.get((one.source.tokens, one.source.label))
        if at is not None:
            outcomes[at] = found[number][1] if number in found else Fate.LOST
            if number in found:
                pairs[at] = found[number][0]
    taken = {place for place, _fate in found.values()}
    return pairs, outcomes, set(range(len(target))) - taken


def _aligned(
    source: Sequence[Span],
    target: Sequence[Span],
    sources: Sequence[int],
    targets: Sequence[int],
    links: Collection[tuple[int, int]],
) -> Iterator[tuple[int, int]]:
    """Spans that can be linked, those with most links first, then those of the same label, in the order of the text."""
    ranked = []
    for one in sources:
        for other in targets:
            a, b = source[one], target[other]
            number = sum(left in a.tokens and right in b.tokens for left, right in links)
            whole = not a.tokens and not b.tokens and a.label == b.label
            if number or whole:
                ranked.append((-number, a.label != b.label, one, other))
    return ((one, other) for _number, _label, one, other in sorted(ranked))
