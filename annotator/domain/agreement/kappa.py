"""Agreement between two annotators."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from annotator.domain.labels.spans import Span, token_labels


class Undefined(StrEnum):
    """Why there is no kappa."""

    NOTHING = "nothing"  # no item that both have done
    ONE_LABEL = "one_label"  # both gave every item the same label: agreement by chance is 1


@dataclass(frozen=True)
class Kappa:
    """Cohen's kappa and what it was computed from.

    `value` lies in -1..1, and is None when kappa is undefined; `reason` then says why.
    `observed` and `expected` are the shares of items that agree, and would by chance (None when n = 0).
    `cells` counts items by the labels that the first annotator and the second gave, and `table[i][j]` those that the
    first gave `labels[i]` and the second `labels[j]`.
    `specific[i]` is the agreement specific to `labels[i]`: 2·both / (first + second), which is also the
    F1 of one annotator against the other; None for a label nobody used.
    """

    value: float | None
    reason: Undefined | None
    observed: float | None
    expected: float | None
    labels: tuple[str, ...]
    cells: Mapping[tuple[str, str], int]
    n: int
    specific: tuple[float | None, ...] = ()

    @property
    def table(self) -> tuple[tuple[int, ...], ...]:
        """Made where it is shown: it grows with the square of the labels."""
        return tuple(tuple(self.cells.get((row, column), 0) for column in self.labels) for row in self.labels)

    def to_json(self) -> dict[str, Any]:
        """Plain lists, numbers and texts; `specific` by label."""
        return {
            "value": self.value,
            "reason": self.reason or "",
            "observed": self.observed,
            "expected": self.expected,
            "labels": list(self.labels),
            "table": [list(row) for row in self.table],
            "n": self.n,
            "specific": dict(zip(self.labels, self.specific, strict=True)),
            "strength": landis_koch(self.value),
        }


def cohen_kappa(a: Sequence[str], b: Sequence[str], labels: Sequence[str] = ()) -> Kappa:
    """Cohen's kappa over all items pooled: κ = (p_o - p_e) / (1 - p_e).

    `a` and `b` hold one label per item, in the same order. `labels` gives the order of the table; labels
    that are not in it follow in alphabetical order, so that no item is left out. Tokens of many sentences
    belong into one call: a mean of kappas per sentence is another number.
    Raises ValueError when `a` and `b` differ in length.

    Cohen, J. (1960). A coefficient of agreement for nominal scales. Educational and Psychological
    Measurement 20(1), 37-46. Specific agreement: Fleiss, J. L. (1975). Measuring agreement between two
    judges on the presence or absence of a trait. Biometrics 31(3), 651-659.
    """
    if len(a) != len(b):
        raise ValueError(f"Both annotators must label the same items: one has {len(a)}, the other {len(b)}.")
    return kappa_of_cells(Counter(zip(a, b, strict=True)), labels)


def kappa_of_cells(cells: Mapping[tuple[str, str], int], labels: Sequence[str] = ()) -> Kappa:
    """Cohen's kappa (`cohen_kappa`) of items that are counted by the labels that both gave."""
    used = {label for cell in cells for label in cell}
    order = (*dict.fromkeys(labels), *sorted(used.difference(labels)))
    n = sum(cells.values())
    by_first, by_second = Counter[str](), Counter[str]()
    for (first, second), number in cells.items():
        by_first[first] += number
        by_second[second] += number
    rows, columns = [by_first[label] for label in order], [by_second[label] for label in order]
    both = [cells.get((label, label), 0) for label in order]
    specific = tuple(
        2 * same / (row + column) if row + column else None
        for same, row, column in zip(both, rows, columns, strict=True)
    )
    if n == 0:
        return Kappa(None, Undefined.NOTHING, None, None, order, cells, 0, specific)
    # Whole numbers until the end: "chance agreement is exactly 1" must not hang on rounding.
    agreeing = sum(both) * n
    chance = sum(row * column for row, column in zip(rows, columns, strict=True))
    total = n * n
    value: float | None = None
    # Agreement by chance is 1: kappa would divide by zero.
    reason = Undefined.ONE_LABEL if chance == total else None
    if reason is None:
        value = (agreeing - chance) / (total - chance)
    return Kappa(value, reason, agreeing / total, chance / total, order, cells, n, specific)


def landis_koch(value: float | None) -> str:
    """The customary word for a kappa, rounded to two decimals: poor … almost perfect; "undefined" for None.

    Landis, J. R., & Koch, G. G. (1977). The measurement of observer agreement for categorical data.
    Biometrics 33(1), 159-174.
    """
    if value is None:
        return "undefined"
    if value < 0:
        return "poor"
    for bound, word in ((0.20, "slight"), (0.40, "fair"), (0.60, "moderate"), (0.80, "substantial")):
        if round(value, 2) <= bound:
            return word
    return "almost perfect"


def observed_agreement(a_spans: Iterable[Span], b_spans: Iterable[Span], length: int) -> float:
    """The share (0..1) of a sentence's `length` tokens that both gave the same label; 1 for no tokens.

    Only for putting sentences in order, lowest first; it does not take chance into account.
    """
    if length == 0:
        return 1.0
    pairs = zip(token_labels(a_spans, length), token_labels(b_spans, length), strict=True)
    return sum(a == b for a, b in pairs) / length
