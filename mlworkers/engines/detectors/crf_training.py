"""Training of the embedded detector on tagged sentences; `crf` says what it is."""

import random
import tempfile
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pycrfsuite

from annotator.domain.messages import gettext_noop as _
from annotator.formats.text.tagged import TaggedSentence
from mlworkers.engines.base import EngineError
from mlworkers.engines.detectors.crf import (
    FORMAT,
    LABELLED,
    OUTSIDE,
    WEIGHTS,
    Base,
    CrfDetector,
    Marginals,
    Rows,
    feature_rows,
    revision_of,
)
from mlworkers.engines.detectors.features import Features
from mlworkers.engines.evaluation.calibration import UNCHANGED, Calibration
from mlworkers.engines.evaluation.scores import best_threshold, evaluate_tagged

# A penalty of 0.1 each keeps the shipped models near 2 MB; more than 50 iterations bring nothing.
PARAMETERS: dict[str, float | int] = {"c1": 0.1, "c2": 0.1, "max_iterations": 50}

# Parts of the training sentences, each judged by a model trained on the others.
FOLDS = 4

# What a training fits: one for each part, and the one that is kept.
MODELS = FOLDS + 1


def train_crf(  # noqa: PLR0913 -- each says one thing of a training, and most have a default
    language: str,
    train: Sequence[TaggedSentence],
    dev: Sequence[TaggedSentence] = (),
    *,
    others: Mapping[str, Sequence[TaggedSentence]] | None = None,
    base: Base | None = None,
    label: str | None = None,
    provenance: str = "",
    seed: int = 0,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> CrfDetector:
    """Train a model for `language` on `train`; its scores on `dev`, when given, are kept with it.

    `others` are further training sentences by their language; words and endings that two languages share are
    what carries over. `base` is a model in the same language that the new one builds on; the two are saved together.
    Every tag other than O counts as labelled. `label` is what the model's spans will be called;
    by default the one label that occurs. `provenance` says in words where the sentences come from and is kept with
    the model.

    Calibration and threshold are chosen by cross-validation on the training sentences, drawn into parts with `seed`;
    with fewer than two labelled sentences there is none, and the threshold is 0.5. Training itself has no randomness.
    `progress` hears after each model how many are trained, and how many will be at most.
    Raises EngineError when nothing is labelled in the training sentences, or they have several labels and `label` does
    not say which name to use.
    """
    others = dict(others or {})
    learnt = {language: [*train, *others.pop(language, ())], **others}
    sentences = [sentence for part in learnt.values() for sentence in part]
    label = _label(sentences, label)
    _check_base(base, list(learnt))
    features = {name: Features(name) for name in learnt}
    rows = [
        row
        for name, part in learnt.items()
        for row in feature_rows(features[name], [found.tokens for found in part], base)
    ]
    gold = [[tag != OUTSIDE for tag in sentence.tags] for sentence in sentences]
    calibration, threshold, validated = _cross_validate(rows, gold, seed, progress)
    settings: dict[str, Any] = {
        "format": FORMAT,
        "name": CrfDetector.name,
        "language": language,
        "label": label,
        "threshold": threshold,
        "calibration": {"a": calibration.a, "b": calibration.b, "c": calibration.c},
        "features": features[language].settings,
        "cross_validation": validated,
        "training": _learnt_from([name for name, part in learnt.items() if part], gold, provenance),
    }
    if base is not None:
        settings["base"] = base.revision
    weights = _fit(rows, gold)
    progress(MODELS, MODELS)
    settings["revision"] = revision_of(weights, settings)
    trained = CrfDetector(weights, settings, base)
    if dev:
        settings["dev"] = _scores(trained, dev)
    return trained


def _label(sentences: Sequence[TaggedSentence], label: str | None) -> str:
    """What the spans will be called. Raises EngineError when that is not clear, or nothing is labelled."""
    names = sorted({tag[2:] for sentence in sentences for tag in sentence.tags if tag != OUTSIDE})
    if not names:
        raise EngineError(
            _(
                "None of the %(number)s training sentences has a label, so there is nothing to learn. Label some "
                "sentences first, or give other files."
            ),
            number=len(sentences),
        )
    if label is None and len(names) > 1:
        raise EngineError(
            _(
                "The training sentences have several labels (%(labels)s), but the crf detector "
                "distinguishes only labelled from unlabelled words. Choose the label of its suggestions, "
                "or keep only one label."
            ),
            labels=", ".join(names),
        )
    return names[0] if label is None else label


def _check_base(base: Base | None, languages: Sequence[str]) -> None:
    """Raise EngineError for a base model in another language than the training sentences."""
    if base is not None and set(languages) != {base.language}:
        raise EngineError(
            _(
                "The base model is for “%(base)s”, but the training sentences are in %(languages)s. Give a "
                "base for the one language, or none."
            ),
            base=base.language,
            languages=", ".join(languages),
        )


def _learnt_from(languages: Sequence[str], gold: Sequence[Sequence[bool]], provenance: str) -> dict[str, Any]:
    """What a model keeps of its training."""
    return {
        "languages": languages,
        "sentences": len(gold),
        "tokens": sum(map(len, gold)),
        "labelled_tokens": sum(map(sum, gold)),
        "parameters": PARAMETERS,
        "versions": {name: version(name) for name in ("python-crfsuite", "simplemma", "wordfreq")},
        "provenance": provenance,
    }


def _scores(detector: CrfDetector, dev: Sequence[TaggedSentence]) -> dict[str, float]:
    found = evaluate_tagged(detector, dev).tokens
    return {
        "sentences": len(dev),
        "tokens": found.tokens,
        "labelled_tokens": sum(tag != OUTSIDE for sentence in dev for tag in sentence.tags),
        "precision": found.precision,
        "recall": found.recall,
        "f1": found.f1,
    }


def _fit(rows: Sequence[Rows], gold: Sequence[Sequence[bool]]) -> bytes:
    trainer = pycrfsuite.Trainer(verbose=False)
    trainer.select("lbfgs")
    trainer.set_params(PARAMETERS)
    for sentence, truth in zip(rows, gold, strict=True):
        if sentence:
            trainer.append(sentence, [LABELLED if labelled else OUTSIDE for labelled in truth])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / WEIGHTS
        trainer.train(str(path))
        return path.read_bytes()


def _cross_validate(
    rows: Sequence[Rows], gold: Sequence[Sequence[bool]], seed: int, progress: Callable[[int, int], None]
) -> tuple[Calibration, float, dict[str, float]]:
    """The calibration, the threshold on its scale, and how well both do on sentences judged by models new to them."""
    folds = _folds(gold, seed)
    if not folds:
        return Calibration(*UNCHANGED), 0.5, {"folds": 0, "precision": 0.0, "recall": 0.0, "f1": 0.0}
    found: dict[int, list[float]] = {}
    for number, fold in enumerate(folds, start=1):
        kept_back = set(fold)
        others = [index for index in range(len(rows)) if index not in kept_back]
        marginals = Marginals(_fit([rows[index] for index in others], [gold[index] for index in others]))
        found.update({index: marginals.of(rows[index]) for index in fold})
        progress(number, MODELS)
    values = np.array([value for index in range(len(rows)) for value in found[index]])
    truth = [labelled for sentence in gold for labelled in sentence]
    calibration = Calibration.fit(values, truth)
    threshold, scores = best_threshold(calibration(values), truth)
    validated = {"folds": len(folds), "precision": scores.precision, "recall": scores.recall, "f1": scores.f1}
    return calibration, round(threshold, 4), validated


def _folds(gold: Sequence[Sequence[bool]], seed: int) -> list[list[int]]:
    """The sentences in parts with equally many labelled ones; no part when there are not two labelled ones."""
    draw = random.Random(seed)  # noqa: S311 -- a reproducible draw, not a secret
    labelled = [index for index, truth in enumerate(gold) if any(truth)]
    unlabelled = [index for index, truth in enumerate(gold) if not any(truth)]
    number = min(FOLDS, len(labelled))
    if number < 2:
        return []
    draw.shuffle(labelled)
    draw.shuffle(unlabelled)
    order = labelled + unlabelled
    return [sorted(order[start::number]) for start in range(number)]
