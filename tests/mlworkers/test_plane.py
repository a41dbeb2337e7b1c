"""Vectors in a plane: by UMAP where it is installed, else by principal components."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from annotator.domain.plane import principal
from mlworkers.engines.base import Floats
from mlworkers.engines.plane import NEIGHBOURS, in_plane


def two_clouds(each: int) -> Floats:
    found = np.random.default_rng(1).normal(size=(2 * each, 12)).astype(np.float32)
    found[:each, 0] += 20
    return found - found.mean(0)


def test_without_umap_by_principal_components(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "umap", None)
    vectors = two_clouds(30)
    places, method = in_plane(vectors, seed=1)
    assert method == "PCA"
    assert np.array_equal(places, principal(vectors))


def test_with_umap_neighbours_stay_together_the_same_each_time() -> None:
    pytest.importorskip("umap", reason="UMAP is not installed: pip install umap-learn")
    vectors = two_clouds(30)
    places, method = in_plane(vectors, seed=1)
    assert method == "UMAP"
    assert np.array_equal(places, in_plane(vectors, seed=1)[0])
    apart = np.linalg.norm(places[:30].mean(0) - places[30:].mean(0))
    assert apart > 2 * max(places[:30].std(), places[30:].std())
    # Of so few it would make nothing.
    assert in_plane(vectors[:NEIGHBOURS], seed=1)[1] == "PCA"
