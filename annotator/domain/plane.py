"""Where vectors lie in a plane. Apart from the rest of the map, since only workers need NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

# The side of the square that points lie in.
SIDE = 1000

Floats = npt.NDArray[np.float32]
Point = tuple[int, int]


def centred(vectors: Floats, groups: npt.NDArray[Any]) -> Floats:
    """Each vector, made of length 1, less the mean of its group, which is that of its language."""
    found: Floats = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
    for group in np.unique(groups):
        found[groups == group] -= found[groups == group].mean(0)
    return found


def principal(vectors: Floats) -> Floats:
    """Rows by two: the first two principal components of vectors whose mean is 0.

    An axis points to where its largest loading is positive, so that the same vectors always give the same map.
    """
    values, axes = np.linalg.eigh(np.cov(vectors.astype(np.float64), rowvar=False, bias=True))
    first = axes[:, np.argsort(values)[::-1][:2]]
    first = first * np.sign(first[np.abs(first).argmax(0), np.arange(first.shape[1])])
    return np.asarray(vectors @ first, np.float32)


def fitted(points: Floats) -> list[Point]:
    """The points in a square of SIDE, both axes on one scale, in the middle."""
    low, high = points.min(0), points.max(0)
    scale = SIDE / max(float((high - low).max()), 1e-9)
    places = np.rint((points - (low + high) / 2) * scale + SIDE / 2).astype(int)
    return [(x, y) for x, y in places.tolist()]
