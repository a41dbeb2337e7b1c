"""How far apart two categories are, by name: what Krippendorff's alpha is computed with beside the nominal distance."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from annotator.domain.agreement.coefficients import Floats, interval_distance
from annotator.domain.agreement.sets import jaccard, masi

NOMINAL, ORDINAL, INTERVAL, JACCARD, MASI = "nominal", "ordinal", "interval", "jaccard", "masi"
# Several categories in one observation, as content types write them.
TOGETHER = "+"

_Set = frozenset[str]


def distance_matrix(name: str, values: Sequence[str], *, unmarked: str = "") -> Floats | None:
    """The distance of every two values; None for ORDINAL, which hangs on how often each was given, and for NOMINAL.

    `unmarked`: the value of an empty set. Raises ValueError where INTERVAL is asked of what is no number.
    """
    if name == INTERVAL:
        return interval_distance([float(value) for value in values])
    by_name: dict[str, Callable[[_Set, _Set], float]] = {JACCARD: jaccard, MASI: masi}
    if name not in by_name:
        return None
    sets = [frozenset() if value == unmarked else frozenset(value.split(TOGETHER)) for value in values]
    return np.array([[by_name[name](one, other) for other in sets] for one in sets]).reshape(len(sets), len(sets))


def in_order(name: str, values: Sequence[str]) -> list[str]:
    """The values in the order that a distance needs: numbers by their size, others as they come."""
    return sorted(values, key=float) if name in (ORDINAL, INTERVAL) else list(values)
