"""How far apart two categories are, by name: what Krippendorff's alpha is computed with beside the nominal distance."""

from __future__ import annotations

from collections.abc import Sequence

NOMINAL, ORDINAL, INTERVAL, JACCARD, MASI = "nominal", "ordinal", "interval", "jaccard", "masi"
# Several categories in one observation, as content types write them.
TOGETHER = "+"


def in_order(name: str, values: Sequence[str]) -> list[str]:
    """The values in the order that a distance needs: numbers by their size, others as they come."""
    return sorted(values, key=float) if name in (ORDINAL, INTERVAL) else list(values)
