"""Gwet's AC1: agreement corrected for chance that stays steady where nearly everything is of one category."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence


def gwet_ac1(a: Sequence[str], b: Sequence[str], labels: Sequence[str] = ()) -> float | None:
    """Gwet's first-order agreement coefficient of two annotators: γ = (p_o - p_e) / (1 - p_e).

    `a` and `b` hold one label an item, in the same order. Agreement by chance is p_e = Σ π (1 - π) / (q - 1), with π
    the mean share of a label over both annotators and q the number of labels: those in `labels`, and those that occur.
    In -1..1; None where there is no item. With a single label all agree, and γ is 1.
    Raises ValueError when `a` and `b` differ in length.

    Gwet, K. L. (2008). Computing inter-rater reliability and its variance in the presence of high agreement. British
    Journal of Mathematical and Statistical Psychology 61(1), 29-48.
    """
    if len(a) != len(b):
        raise ValueError(f"Both annotators must label the same items: one has {len(a)}, the other {len(b)}.")
    if not a:
        return None
    counts = Counter((*a, *b))
    categories = {*labels, *counts}
    if len(categories) == 1:
        return 1.0
    whole = 2 * len(a)
    observed = sum(one == other for one, other in zip(a, b, strict=True)) / len(a)
    expected = sum(count * (whole - count) for count in counts.values()) / (whole * whole * (len(categories) - 1))
    return (observed - expected) / (1 - expected)
