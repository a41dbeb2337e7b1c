"""How far two people agree on spans: beside agreement on tokens, which does not see where one span ends and the next
begins.

There is no number of places where a span could have been, so chance cannot be taken out; with ever more of them,
kappa becomes F1.

Hripcsak, G., & Rothschild, A. S. (2005). Agreement, the F-measure, and reliability in information retrieval. Journal of
the American Medical Informatics Association 12(3), 296-298.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from annotator.domain.labels.spans import Span


@dataclass(frozen=True, slots=True)
class SpanAgreement:
    """How many spans each of two people has, and how many go together one to one: with the same words and label
    (`exact`), or with the same label and a word in common (`overlapping`)."""

    first: int = 0
    second: int = 0
    exact: int = 0
    overlapping: int = 0

    @property
    def exact_f1(self) -> float | None:
        """F1 of one against the other; None where neither has a span."""
        return self._f1(self.exact)

    @property
    def overlapping_f1(self) -> float | None:
        """The same over spans that overlap."""
        return self._f1(self.overlapping)

    def _f1(self, same: int) -> float | None:
        both = self.first + self.second
        return 2 * same / both if both else None

    def to_json(self) -> dict[str, Any]:
        names = ("first", "second", "exact", "exact_f1", "overlapping", "overlapping_f1")
        return {name: getattr(self, name) for name in names}


def span_agreement(sentences: Iterable[tuple[Sequence[Span], Sequence[Span]]]) -> SpanAgreement:
    """Agreement over the spans of all sentences pooled; each comes with the spans of both people.

    Labels that no token bears are not spans. One person's [1, 2] and the other's [1], [2] share no exact span, and one
    that overlaps:

    >>> whole, halves = [Span((1, 2), "M")], [Span((1,), "M"), Span((2,), "M")]
    >>> found = span_agreement([(whole, halves)])
    >>> found.exact_f1, round(found.overlapping_f1, 2)
    (0.0, 0.67)
    """
    first = second = exact = overlapping = 0
    for one, other in sentences:
        ours, theirs = ([span for span in spans if span.tokens] for spans in (one, other))
        first += len(ours)
        second += len(theirs)
        exact += (Counter(map(_key, ours)) & Counter(map(_key, theirs))).total()
        overlapping += _most_pairs(ours, theirs)
    return SpanAgreement(first, second, exact, overlapping)


def _key(span: Span) -> tuple[tuple[int, ...], str]:
    return span.tokens, span.label


def _most_pairs(ours: Sequence[Span], theirs: Sequence[Span]) -> int:
    """The largest number of spans that go together one to one, each with one of the same label that it overlaps."""
    near = [
        [at for at, other in enumerate(theirs) if one.label == other.label and set(one.tokens) & set(other.tokens)]
        for one in ours
    ]
    whose: dict[int, int] = {}

    def place(number: int, tried: set[int]) -> bool:
        for at in near[number]:
            if at in tried:
                continue
            tried.add(at)
            if at not in whose or place(whose[at], tried):
                whose[at] = number
                return True
        return False

    return sum(place(number, set()) for number in range(len(ours)))
