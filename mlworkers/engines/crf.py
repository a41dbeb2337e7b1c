"""The embedded detector: a linear-chain conditional random field.

Lafferty, McCallum & Pereira, "Conditional random fields", ICML 2001; trained with CRFsuite (L-BFGS,
elastic net). Labelled words are rare (1 to 3 in 100), so the most likely label sequence leaves out too
many of them: a token's marginal probability of being labelled is compared with a threshold instead,
chosen where F1 on development sentences is highest.
"""

import hashlib
import json
import random
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pycrfsuite

from annotator.domain.formats.tagged import TaggedSentence
from mlworkers.engines.base import EngineError, Tokens
from mlworkers.engines.evaluation import best_threshold
from mlworkers.engines.features import Features

FORMAT = 1
SETTINGS = "model.json"
WEIGHTS = "model.crfsuite"

OUTSIDE, LABELLED = "O", "L"

# Found on the dev splits of es and en; a penalty of 0.1 each keeps the shipped models near 2 MB.
PARAMETERS: dict[str, float | int] = {"c1": 0.1, "c2": 0.1, "max_iterations": 80}

# Without development sentences every tenth training sentence is held out for the threshold.
HELD_OUT = 10


@dataclass(frozen=True)
class TrainedCrf:
    """A trained model that has not been written yet: its weights, and what goes into model.json."""

    weights: bytes
    settings: dict[str, Any] = field(hash=False)

    @property
    def revision(self) -> str:
        """What identifies the model's exact state."""
        return str(self.settings["revision"])

    def save(self, folder: Path | str) -> None:
        """Write `model.json` and `model.crfsuite` into `folder`, which is made if it is not there."""
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        # The settings name the weights by their hash, so they go last.
        (folder / WEIGHTS).write_bytes(self.weights)
        text = json.dumps(self.settings, ensure_ascii=False, indent=2, sort_keys=True)
        (folder / SETTINGS).write_text(text + "\n", encoding="utf-8")

    def detector(self) -> "CrfDetector":
        """The model, ready to predict."""
        return CrfDetector(self.weights, self.settings)


class CrfDetector:
    """A trained model as a detector. Not safe for several threads at a time."""

    name = "crf"

    def __init__(self, weights: bytes, settings: dict[str, Any]) -> None:
        self.settings = settings
        self.language = str(settings["language"])
        self.label = str(settings["label"])
        self.threshold = float(settings["threshold"])
        self.revision = str(settings["revision"])
        self._features = Features(self.language)
        if self._features.settings != settings["features"]:
            raise EngineError(
                f"The model was trained with the features {settings['features']}, but this installation computes "
                f"{self._features.settings}. Train it again with train_detector."
            )
        self._tagger = pycrfsuite.Tagger()
        # The tagger reads from this memory for as long as it lives, and does not hold it itself.
        self._weights = weights
        self._tagger.open_inmemory(weights)

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
                f"{folder} holds no crf model: {error.strerror} ({error.filename}). Give a folder that "
                "train_detector wrote."
            ) from error
        except ValueError as error:
            raise EngineError(f"{folder / SETTINGS} cannot be read as JSON: {error}. Train the model again.") from error
        if not isinstance(settings, dict) or settings.get("format") != FORMAT:
            raise EngineError(
                f"{folder / SETTINGS} is not of the version that this installation reads. Train the model again."
            )
        # CRFsuite crashes the process on a damaged file, so it never gets one.
        if settings.get("revision") != _revision(weights, settings):
            raise EngineError(
                f"The model in {folder} is damaged or was changed by hand: its content does not have the revision "
                f"that {SETTINGS} names. Copy or train it again."
            )
        return cls(weights, settings)

    def predict(self, sentences: Sequence[Tokens]) -> list[list[float]]:
        """Per sentence, per token, one minus the marginal probability of O; see `Detector.predict`."""
        rows: list[list[float]] = []
        for tokens in sentences:
            if not tokens:
                rows.append([])
                continue
            self._tagger.set(self._features.sentence(tokens))
            rows.append([_bounded(1.0 - self._tagger.marginal(OUTSIDE, index)) for index in range(len(tokens))])
        return rows


def train_crf(
    language: str,
    train: Sequence[TaggedSentence],
    dev: Sequence[TaggedSentence],
    *,
    label: str | None = None,
    provenance: str = "",
    seed: int = 0,
) -> TrainedCrf:
    """Train a model on `train` and choose its threshold on `dev`.

    Every tag other than O counts as labelled. `label` is what the model's spans will be called; by
    default the one label that occurs. `provenance` says in words where the sentences come from and is
    kept with the model. Without `dev` a tenth of `train`, drawn with `seed`, is held out for the
    threshold. Training itself has no randomness. Raises EngineError when nothing is labelled in `train`
    (after holding out), or it has several labels and `label` does not say which name to use.
    """
    held_out = not dev
    if held_out:
        train, dev = _hold_out(train, seed)
    names = sorted({tag[2:] for sentence in train for tag in sentence.tags if tag != OUTSIDE})
    if not names:
        raise EngineError(
            f"None of the {len(train)} training sentences has a label, so there is nothing to learn. "
            "Label some sentences first, or give other files."
        )
    if label is None:
        if len(names) > 1:
            raise EngineError(
                f"The training sentences have several labels ({', '.join(names)}), and the crf detector tells only "
                "labelled from not labelled. Say which label its suggestions shall have, or keep one label only."
            )
        label = names[0]
    features = Features(language)
    trainer = pycrfsuite.Trainer(verbose=False)
    trainer.select("lbfgs")
    trainer.set_params(PARAMETERS)
    for sentence in train:
        if sentence.tokens:
            tags = [OUTSIDE if tag == OUTSIDE else LABELLED for tag in sentence.tags]
            trainer.append(features.sentence(sentence.tokens), tags)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / WEIGHTS
        trainer.train(str(path))
        weights = path.read_bytes()
    settings: dict[str, Any] = {
        "format": FORMAT,
        "name": CrfDetector.name,
        "language": language,
        "label": label,
        "threshold": 0.5,
        "features": features.settings,
        "training": {
            "sentences": len(train),
            "tokens": sum(len(sentence.tokens) for sentence in train),
            "labelled_tokens": sum(tag != OUTSIDE for sentence in train for tag in sentence.tags),
            "parameters": PARAMETERS,
            "versions": {name: version(name) for name in ("python-crfsuite", "simplemma", "wordfreq")},
            "provenance": provenance,
        },
    }
    settings["revision"] = _revision(weights, settings)
    probabilities = CrfDetector(weights, settings).predict([sentence.tokens for sentence in dev])
    gold = [[tag != OUTSIDE for tag in sentence.tags] for sentence in dev]
    threshold, scores = best_threshold(probabilities, gold)
    settings["threshold"] = round(threshold, 4)
    settings["dev"] = {
        "sentences": len(dev),
        "tokens": sum(map(len, gold)),
        "labelled_tokens": sum(map(sum, gold)),
        "precision": scores.precision,
        "recall": scores.recall,
        "f1": scores.f1,
        "held_out_from_training": held_out,
    }
    settings["revision"] = _revision(weights, settings)
    return TrainedCrf(weights, settings)


def _hold_out(
    sentences: Sequence[TaggedSentence], seed: int
) -> tuple[Sequence[TaggedSentence], Sequence[TaggedSentence]]:
    order = list(range(len(sentences)))
    random.Random(seed).shuffle(order)  # noqa: S311 -- a reproducible draw, not a secret
    kept_back = set(order[: len(order) // HELD_OUT])
    train = [sentence for index, sentence in enumerate(sentences) if index not in kept_back]
    return train, [sentences[index] for index in sorted(kept_back)]


def _revision(weights: bytes, settings: dict[str, Any]) -> str:
    """Twelve hex digits of the SHA-256 over the weights and what decides about labels."""
    deciding = {name: settings.get(name) for name in ("features", "label", "language", "threshold")}
    digest = hashlib.sha256(json.dumps(deciding, sort_keys=True).encode())
    digest.update(weights)
    return digest.hexdigest()[:12]


def _bounded(probability: float) -> float:
    # Rounding in the marginals can leave 1 + 1e-16.
    return min(1.0, max(0.0, probability))
