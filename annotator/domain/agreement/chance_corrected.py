"""Agreement corrected for chance: Gwet's AC1, which stays steady where nearly everything is of one category; Conger's
kappa, which is Cohen's for any number of people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations


def gwet_ac1(a: Sequence[str], b: Sequence[str], labels: Sequence[str] = ()) -> float | None:
    """Gwet's first-order agreement coefficient of two annotators: γ = (p_o - p_e) / (1 - p_e).

    `a` and `b` hold one label per item, in the same order. Agreement by chance is p_e = Σ π (1 - π) / (q - 1), with π
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


def conger_kappa(items: Sequence[Mapping[Hashable, str]]) -> float | None:
    """Conger's kappa of any number of people: κ = (p_o - p_e) / (1 - p_e).

    `items`: by person, the label that they gave the item. p_o and p_e are those of Cohen's kappa, as the mean over all
    comparisons of two people on an item; each two people count with the items that both labelled. So two people's is
    Cohen's, and neither the order of people nor that of items tells. None where nothing can be compared, or chance
    alone makes all agree.

    Conger, A. J. (1980). Integration and generalization of kappas for multiple raters. Psychological Bulletin 88(2),
    322-328. Where not everybody labelled everything, the weights are those of a mean over pairs of people: Schouten,
    H. J. A. (1982). Measuring pairwise interobserver agreement when all subjects are judged by the same observers.
    Statistica Neerlandica 36(2), 45-61.
    """
    tables: dict[tuple[Hashable, Hashable], Counter[tuple[str, str]]] = {}
    for item in items:
        for (one, label), (other, others) in combinations(item.items(), 2):
            if (other, one) in tables:
                tables[other, one][others, label] += 1
            else:
                tables.setdefault((one, other), Counter())[label, others] += 1
    compared, agreeing, chance = 0, 0, Fraction(0)
    for table in tables.values():
        n = table.total()
        rows, columns = Counter[str](), Counter[str]()
        for (row, column), count in table.items():
            rows[row] += count
            columns[column] += count
        compared += n
        agreeing += sum(count for (row, column), count in table.items() if row == column)
        chance += Fraction(sum(count * columns[label] for label, count in rows.items()), n)
    # Fractions until the end: "chance agreement is exactly 1" must not hang on rounding.
    return float((agreeing - chance) / (compared - chance)) if compared != chance else None
