"""The embedded detector: a linear-chain conditional random field.

Lafferty, McCallum & Pereira, "Conditional random fields", ICML 2001; trained with CRFsuite (L-BFGS,
elastic net). Labelled words are rare (1 to 3 in 100), so the most likely label sequence leaves out too
many of them: a token's marginal probability of being labelled is compared with a threshold instead.
Marginals of a model are too sure of themselves, so they are calibrated. Calibration and threshold come from
cross-validation within the training sentences: every sentence is judged by a model that has not seen it.

A model may build on another detector, as on the shipped one when a project has a few hundred sentences of its own: what
the other says of a token is a feature among the others (stacking; Wolpert, "Stacked generalization", Neural Networks
1992).
"""

import hashlib
import json
import math
import random
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import pycrfsuite

from annotator.domain.messages import gettext_noop as _
from annotator.domain.messages import message
from annotator.formats.text.tagged import TaggedSentence
from mlworkers.engines.base import Detector, EngineError, Tokens
from mlworkers.engines.detectors.encoder.detector import EncoderDetector, is_encoder
from mlworkers.engines.detectors.features import Features
from mlworkers.engines.evaluation.calibration import EDGE, UNCHANGED, Calibration
from mlworkers.engines.evaluation.scores import best_threshold, evaluate

FORMAT = 2
SETTINGS = "model.json"
WEIGHTS = "model.crfsuite"
BASE = "base"

OUTSIDE, LABELLED = "O", "L"

# A penalty of 0.1 each keeps the shipped models near 2 MB; more than 50 iterations bring nothing.
PARAMETERS: dict[str, float | int] = {"c1": 0.1, "c2": 0.1, "max_iterations": 50}

# Parts of the training sentences, each judged by a model trained on the others.
FOLDS = 4
# What a training fits: one for each part, and the one that is kept.
MODELS = FOLDS + 1

# What a base model says goes in as steps of half a unit on the logit scale; beyond these a step says nothing new.
LOWEST_STEP, HIGHEST_STEP = -14, 8

Rows = list[list[str]]


class Base(Detector, Protocol):
    """A detector that a crf can build on: it can be written beside it, and sent to another process."""

    def save(self, folder: Path) -> None:
        """Write the model into `folder`, which is made if it is not there."""


@dataclass(frozen=True)
class TrainedCrf:
    """A trained model that has not been written yet: its weights, and what goes into model.json."""

    weights: bytes
    settings: dict[str, Any] = field(hash=False)
    base: Base | None = None

    @property
    def revision(self) -> str:
        """What identifies the model's exact state."""
        return str(self.settings["revision"])

    def save(self, folder: Path | str) -> None:
        """Write `model.json` and `model.crfsuite` into `folder`, which is made if it is not there."""
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        if self.base is not None:
            self.base.save(folder / BASE)
        # The settings name the weights by their hash, so they go last.
        (folder / WEIGHTS).write_bytes(self.weights)
        text = json.dumps(self.settings, ensure_ascii=False, indent=2, sort_keys=True)
        (folder / SETTINGS).write_text(text + "\n", encoding="utf-8")

    def detector(self, language: str | None = None) -> "CrfDetector":
        """The model, ready to predict; in another `language` it goes by the words and endings that both share.

        Raises EngineError for another language when the model builds on another one.
        """
        if language is None or language == self.settings["language"]:
            return CrfDetector(self.weights, self.settings, self.base)
        if self.base is not None:
            raise EngineError(
                message(
                    _(
                        'The model builds on one for "%(base)s", so it cannot label "%(language)s". Train one without '
                        "a base."
                    ),
                    base=self.settings["language"],
                    language=language,
                )
            )
        settings = {**self.settings, "language": language, "features": Features(language).settings}
        settings["revision"] = _revision(self.weights, settings)
        return CrfDetector(self.weights, settings)


class CrfDetector:
    """A trained model as a detector. Not safe for several threads at a time."""

    name = "crf"

    def __init__(self, weights: bytes, settings: dict[str, Any], base: Base | None = None) -> None:
        self.settings = settings
        self.weights = weights
        self.base = base
        self.language = str(settings["language"])
        self.label = str(settings["label"])
        self.threshold = float(settings["threshold"])
        self.revision = str(settings["revision"])
        self._calibration = Calibration(**settings["calibration"])
        self._features = Features(self.language)
        if self._features.settings != settings["features"]:
            raise EngineError(
                message(
                    _(
                        "The model was trained with the features %(features)s, but this installation computes "
                        "%(computed)s. Train it again with train_detector."
                    ),
                    features=settings["features"],
                    computed=self._features.settings,
                )
            )
        self._marginals = _Marginals(weights)

    def __reduce__(self) -> tuple[Any, ...]:
        # CRFsuite's own objects cannot be pickled.
        return CrfDetector, (self.weights, self.settings, self.base)

    @classmethod
    def load(cls, folder: Path | str) -> "CrfDetector":
        """Read a model that `TrainedCrf.save` wrote.

        Raises EngineError when a file is missing, damaged, or of another version.
        """
        folder = Path(folder)
        try:
            settings = json.loads((folder / SETTINGS).read_text(encoding="utf-8"))
            weights = (folder / WEIGHTS).read_bytes()
        except OSError as error:
            raise EngineError(
                message(
                    _("%(folder)s holds no crf model: %(why)s (%(file)s). Give a folder that train_detector wrote."),
                    folder=folder,
                    why=error.strerror,
                    file=error.filename,
                )
            ) from error
        except ValueError as error:
            raise EngineError(
                message(
                    _("%(file)s cannot be read as JSON: %(why)s. Train the model again."),
                    file=folder / SETTINGS,
                    why=str(error),
                )
            ) from error
        if not isinstance(settings, dict) or settings.get("format") != FORMAT:
            raise EngineError(
                message(
                    _("%(file)s is not of the version that this installation reads. Train the model again."),
                    file=folder / SETTINGS,
                )
            )
        base = _load_base(folder / BASE, str(settings["language"])) if settings.get("base") else None
        # CRFsuite crashes the process on a damaged file, so it never gets one.
        changed = settings.get("revision") != _revision(weights, settings)
        if changed or (base is not None and base.revision != settings["base"]):
            raise EngineError(
                message(
                    _(
                        "The model in %(folder)s is damaged or was changed by hand: its content does not have the "
                        "revision that %(file)s names. Copy or train it again."
                    ),
                    folder=folder,
                    file=SETTINGS,
                )
            )
        return cls(weights, settings, base)

    def save(self, folder: Path) -> None:
        """Write the model again; see `TrainedCrf.save`."""
        TrainedCrf(self.weights, self.settings, self.base).save(folder)

    def predict(self, sentences: Sequence[Tokens]) -> list[list[float]]:
        """Per sentence, per token, the calibrated probability of not being O; see `Detector.predict`."""
        rows = [self._marginals.of(row) for row in _rows(self._features, sentences, self.base)]
        return [self._calibration(row).tolist() for row in rows]


def _load_base(folder: Path, language: str) -> Base:
    """What lies beside a model that builds on it. Raises EngineError as its own loading does."""
    return EncoderDetector.load(folder, language=language) if is_encoder(folder) else CrfDetector.load(folder)


def train_crf(
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
) -> TrainedCrf:
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
    names = sorted({tag[2:] for sentence in sentences for tag in sentence.tags if tag != OUTSIDE})
    if not names:
        raise EngineError(
            message(
                _(
                    "None of the %(number)s training sentences has a label, so there is nothing to learn. Label some "
                    "sentences first, or give other files."
                ),
                number=len(sentences),
            )
        )
    if label is None:
        if len(names) > 1:
            raise EngineError(
                message(
                    _(
                        "The training sentences have several labels (%(labels)s), and the crf detector tells only "
                        "labelled from not labelled. Say which label its suggestions shall have, or keep one label "
                        "only."
                    ),
                    labels=", ".join(names),
                )
            )
        label = names[0]
    if base is not None and set(learnt) != {base.language}:
        raise EngineError(
            message(
                _(
                    'The base model is for "%(base)s", but the training sentences are in %(languages)s. Give a base '
                    "for the one language, or none."
                ),
                base=base.language,
                languages=", ".join(learnt),
            )
        )
    features = {name: Features(name) for name in learnt}
    rows = [
        row for name, part in learnt.items() for row in _rows(features[name], [found.tokens for found in part], base)
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
        "training": {
            "languages": [name for name, part in learnt.items() if part],
            "sentences": len(sentences),
            "tokens": sum(map(len, gold)),
            "labelled_tokens": sum(map(sum, gold)),
            "parameters": PARAMETERS,
            "versions": {name: version(name) for name in ("python-crfsuite", "simplemma", "wordfreq")},
            "provenance": provenance,
        },
    }
    if base is not None:
        settings["base"] = base.revision
    weights = _fit(rows, gold)
    progress(MODELS, MODELS)
    settings["revision"] = _revision(weights, settings)
    trained = TrainedCrf(weights, settings, base)
    if dev:
        found = evaluate(
            trained.detector(),
            [sentence.tokens for sentence in dev],
            [[tag != OUTSIDE for tag in sentence.tags] for sentence in dev],
        )
        settings["dev"] = {
            "sentences": len(dev),
            "tokens": found.tokens,
            "labelled_tokens": sum(tag != OUTSIDE for sentence in dev for tag in sentence.tags),
            "precision": found.precision,
            "recall": found.recall,
            "f1": found.f1,
        }
    return trained


class _Marginals:
    """What a model's weights say of tokens, by their features. Not safe for several threads at a time."""

    def __init__(self, weights: bytes) -> None:
        self._tagger = pycrfsuite.Tagger()
        # The tagger reads from this memory for as long as it lives, and does not hold it itself.
        self._weights = weights
        self._tagger.open_inmemory(weights)

    def of(self, rows: Rows) -> list[float]:
        """Per token one minus the marginal probability of O."""
        if not rows:
            return []
        self._tagger.set(rows)
        return [1.0 - self._tagger.marginal(OUTSIDE, index) for index in range(len(rows))]


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
        marginals = _Marginals(_fit([rows[index] for index in others], [gold[index] for index in others]))
        found.update({index: marginals.of(rows[index]) for index in fold})
        progress(number, MODELS)
    values = np.array([value for index in range(len(rows)) for value in found[index]])
    truth = [labelled for sentence in gold for labelled in sentence]
    calibration = Calibration.fit(values, truth)
    threshold, scores = best_threshold([calibration(values).tolist()], [truth])
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


def _rows(features: Features, sentences: Sequence[Tokens], base: Base | None) -> list[Rows]:
    """The features of sentences, with what the base says of every token when there is one."""
    rows = [features.sentence(tokens) for tokens in sentences]
    if base is not None:
        for row, probabilities in zip(rows, base.predict(sentences), strict=True):
            for token, probability in zip(row, probabilities, strict=True):
                inside = min(max(probability, EDGE), 1 - EDGE)
                step = round(2 * math.log(inside / (1 - inside)))
                step = max(LOWEST_STEP, min(HIGHEST_STEP, step))
                token.append(f"p={step}")
                token += [f"p>{lower}" for lower in range(LOWEST_STEP, step, 2)]
    return rows


def _revision(weights: bytes, settings: dict[str, Any]) -> str:
    """Twelve hex digits of the SHA-256 over the weights and what decides about labels."""
    deciding = {name: settings.get(name) for name in ("calibration", "features", "label", "language", "threshold")}
    if settings.get("base"):
        deciding["base"] = settings["base"]
    digest = hashlib.sha256(json.dumps(deciding, sort_keys=True).encode())
    digest.update(weights)
    return digest.hexdigest()[:12]
