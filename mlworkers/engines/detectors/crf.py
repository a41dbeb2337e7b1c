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
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

import pycrfsuite

from annotator.domain.messages import gettext_noop as _
from mlworkers.engines.base import Detector, EngineError, Tokens
from mlworkers.engines.detectors.encoder.detector import EncoderDetector, is_encoder
from mlworkers.engines.detectors.features import Features
from mlworkers.engines.evaluation.calibration import EDGE, Calibration

FORMAT = 2
SETTINGS = "model.json"
WEIGHTS = "model.crfsuite"
BASE = "base"

OUTSIDE, LABELLED = "O", "L"

# What a base model says goes in as steps of half a unit on the logit scale; beyond these a step says nothing new.
LOWEST_STEP, HIGHEST_STEP = -14, 8

Rows = list[list[str]]


class Base(Detector, Protocol):
    """A detector that a crf can build on: it can be written beside it, and sent to another process."""

    def save(self, folder: Path) -> None:
        """Write the model into `folder`, which is made if it is not there."""


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
                _(
                    "The model was trained with the features %(features)s, but this installation computes "
                    "%(computed)s. Train it again with train_detector."
                ),
                features=settings["features"],
                computed=self._features.settings,
            )
        self._marginals = Marginals(weights)

    def __reduce__(self) -> tuple[Any, ...]:
        # CRFsuite's own objects cannot be pickled.
        return CrfDetector, (self.weights, self.settings, self.base)

    @classmethod
    def load(cls, folder: Path | str) -> "CrfDetector":
        """Read a model that `save` wrote.

        Raises EngineError when a file is missing, damaged, or of another version.
        """
        folder = Path(folder)
        try:
            settings = json.loads((folder / SETTINGS).read_text(encoding="utf-8"))
            weights = (folder / WEIGHTS).read_bytes()
        except OSError as error:
            raise EngineError(
                _(
                    "%(folder)s does not contain a crf model: %(why)s (%(file)s). Give a folder that "
                    "train_detector wrote."
                ),
                folder=folder,
                why=error.strerror,
                file=error.filename,
            ) from error
        except ValueError as error:
            raise EngineError(
                _("%(file)s cannot be read as JSON: %(why)s. Train the model again."),
                file=folder / SETTINGS,
                why=str(error),
            ) from error
        if not isinstance(settings, dict) or settings.get("format") != FORMAT:
            raise EngineError(
                _("%(file)s is not of the version that this installation reads. Train the model again."),
                file=folder / SETTINGS,
            )
        base = _load_base(folder / BASE, str(settings["language"])) if settings.get("base") else None
        # CRFsuite crashes the process on a damaged file, so it never gets one.
        changed = settings.get("revision") != revision_of(weights, settings)
        if changed or (base is not None and base.revision != settings["base"]):
            raise EngineError(
                _(
                    "The model in %(folder)s is damaged or was changed by hand: its content does not have the revision "
                    "that %(file)s names. Copy or train it again."
                ),
                folder=folder,
                file=SETTINGS,
            )
        return cls(weights, settings, base)

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

    def for_language(self, language: str) -> "CrfDetector":
        """The model for another language, where it goes by the words and endings that both share.

        Raises EngineError when the model builds on one of its own language.
        """
        if language == self.language:
            return self
        if self.base is not None:
            raise EngineError(
                _(
                    "The model builds on one for “%(base)s”, so it cannot label “%(language)s”. Train one "
                    "without a base."
                ),
                base=self.language,
                language=language,
            )
        settings = {**self.settings, "language": language, "features": Features(language).settings}
        settings["revision"] = revision_of(self.weights, settings)
        return CrfDetector(self.weights, settings)

    def predict(self, sentences: Sequence[Tokens]) -> list[list[float]]:
        """Per sentence, per token, the calibrated probability of not being O; see `Detector.predict`."""
        rows = [self._marginals.of(row) for row in feature_rows(self._features, sentences, self.base)]
        return [self._calibration(row).tolist() for row in rows]


def _load_base(folder: Path, language: str) -> Base:
    """What lies beside a model that builds on it. Raises EngineError as its own loading does."""
    return EncoderDetector.load(folder, language=language) if is_encoder(folder) else CrfDetector.load(folder)


class Marginals:
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


def feature_rows(features: Features, sentences: Sequence[Tokens], base: Base | None) -> list[Rows]:
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


def revision_of(weights: bytes, settings: dict[str, Any]) -> str:
    """Twelve hex digits of the SHA-256 over the weights and what decides about labels."""
    deciding = {name: settings.get(name) for name in ("calibration", "features", "label", "language", "threshold")}
    if settings.get("base"):
        deciding["base"] = settings["base"]
    digest = hashlib.sha256(json.dumps(deciding, sort_keys=True).encode())
    digest.update(weights)
    return digest.hexdigest()[:12]
