"""The classifier: a linear one over weighted counts of words. Needs scikit-learn, which the extra `audit` brings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib.util import find_spec

import numpy as np

from annotator.domain.splits.items import Places

# Features are told apart by so many numbers, so that memory does not grow with the vocabulary.
_FEATURES = 2**18


def is_installed() -> bool:
    """Whether the extra `audit` is installed."""
    return find_spec("sklearn") is not None


def predicted(rows: Iterable[Sequence[str]], labels: Places, folds: Places) -> Places:
    """By instance, the class that a classifier gives it that was trained on the other folds."""
    # Loaded here: it takes a second, and few processes need it.
    from sklearn.feature_extraction import FeatureHasher
    from sklearn.feature_extraction.text import TfidfTransformer
    from sklearn.svm import LinearSVC

    hasher = FeatureHasher(n_features=_FEATURES, input_type="string", alternate_sign=False)
    counts = hasher.transform(rows)
    found = np.empty(len(labels), np.int64)
    for fold in np.unique(folds):
        test = folds == fold
        weights = TfidfTransformer(sublinear_tf=True).fit(counts[~test])
        # Rare classes count as much as common ones, as they do in macro-F1.
        classifier = LinearSVC(class_weight="balanced", random_state=0)
        classifier.fit(weights.transform(counts[~test]), labels[~test])
        found[test] = classifier.predict(weights.transform(counts[test]))
    return found
