"""Cross-validation: what the classifier scores with each part of the instances, over random and lexical splits."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from annotator.domain.audit.instances import Drawn, Instance, features, views_of
from annotator.domain.audit.learner import is_installed, predicted
from annotator.domain.audit.scores import Score, Seen, Split, Undefined
from annotator.domain.splits.assignment import assign
from annotator.domain.splits.items import Items, Places

FOLDS = 5


def audit(drawn: Drawn, seed: int) -> list[Score]:
    """The score of each part in each split. The same for the same instances and seed."""
    instances = drawn.instances()
    views = views_of(instances)
    names = sorted({one.label for one in instances})
    if len(names) < 2:
        reason = Undefined.ONE_CLASS if len(drawn.counts) < 2 else Undefined.TOO_FEW
        return [Score(split, seen, undefined=reason) for split in Split for seen in views]
    labels = np.array([names.index(one.label) for one in instances], np.int64)
    return [score for split in Split for score in _scores(instances, labels, views, split, seed)]


def folds_of(instances: Sequence[Instance], split: Split, seed: int) -> Places:
    """The fold of each instance: classes in the same shares in each."""
    items = Items(seed)
    for one in instances:
        items.add(one.apart if split == Split.LEXICAL else one.key, [one.label])
    return assign(items, [1 / FOLDS] * FOLDS)


def macro_f1(truth: Places, given: Places, classes: int) -> float:
    """The mean of F1 over all classes, in per cent."""
    table = np.bincount(truth * classes + given, minlength=classes * classes).reshape(classes, classes)
    of_both = table.sum(axis=0) + table.sum(axis=1)
    f1 = np.divide(2.0 * np.diag(table), of_both, out=np.zeros(classes), where=of_both > 0)
    return float(100 * f1.mean())


def _scores(
    instances: Sequence[Instance], labels: Places, views: Sequence[Seen], split: Split, seed: int
) -> list[Score]:
    folds = folds_of(instances, split, seed)
    classes = int(labels.max()) + 1
    there = np.zeros((FOLDS, classes), bool)
    there[folds, labels] = True
    if not there.all():
        return [Score(split, seen, undefined=Undefined.TOO_FEW) for seen in views]
    found = []
    for seen in views:
        if seen != Seen.MAJORITY and not is_installed():
            found.append(Score(split, seen, undefined=Undefined.NOT_INSTALLED))
            continue
        given = (
            _majority(labels, folds)
            if seen == Seen.MAJORITY
            else predicted((features(one, seen) for one in instances), labels, folds)
        )
        by_fold = [macro_f1(labels[folds == fold], given[folds == fold], classes) for fold in range(FOLDS)]
        found.append(Score(split, seen, float(np.mean(by_fold)), float(np.std(by_fold, ddof=1))))
    return found


def _majority(labels: Places, folds: Places) -> Places:
    given = np.empty_like(labels)
    for fold in range(FOLDS):
        given[folds == fold] = np.bincount(labels[folds != fold]).argmax()
    return given
