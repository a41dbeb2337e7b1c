"""Vectors in a plane: by UMAP where it is installed, else by their principal components."""

from importlib import import_module

import numpy as np

from annotator.domain.plane import principal
from mlworkers.engines.base import Floats

PCA, UMAP = "PCA", "UMAP"
# UMAP looks at so many neighbours of each.
NEIGHBOURS = 15


def in_plane(vectors: Floats, *, seed: int) -> tuple[Floats, str]:
    """Rows by two, and by which method (PCA or UMAP). The same seed and versions give the same places."""
    try:
        umap = import_module("umap")
    except ImportError:  # a package of its own choice, which pulls in a compiler
        return principal(vectors), PCA
    if len(vectors) <= NEIGHBOURS:
        return principal(vectors), PCA
    reducer = umap.UMAP(n_components=2, n_neighbors=NEIGHBOURS, metric="cosine", random_state=seed, n_jobs=1)
    return np.asarray(reducer.fit_transform(vectors), np.float32), UMAP
