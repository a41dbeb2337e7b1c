"""The shipped encoder as a detector: words in, one calibrated probability a word out.

A word's probability is that of its first piece.
"""

import hashlib
import json
import os
import shutil
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from annotator.domain.messages import gettext_noop as _
from annotator.domain.text.languages import base_language
from mlworkers.engines.base import EngineError, Tokens
from mlworkers.engines.detectors.encoder.network import GRAPH, WEIGHTS, Floats, Network, digest
from mlworkers.engines.detectors.encoder.pieces import Pieces
from mlworkers.engines.evaluation.calibration import Calibration
from mlworkers.engines.subwords import Input, inputs

FORMAT = 1
SETTINGS = "model.json"

# Networks that a process keeps: what is shipped, and a version of before that a project's own detector builds on.
KEPT_MODELS = 2

# Sentences whose sequences are computed together.
BLOCK = 256
# No vector is divided by less.
TINY = 1e-9


class EncoderDetector:
    """The encoder for one of its languages. The network is shared; this object is for one thread at a time."""

    name = "encoder"

    def __init__(self, network: Network, settings: dict[str, Any], *, language: str, folder: Path) -> None:
        self.language = base_language(language)
        self.revision = _revision(settings)
        self.label = str(settings["label"])
        own = settings["languages"][self.language]
        self.threshold = float(own["threshold"])
        self.calibration = Calibration(**own["calibration"])
        special = settings["special"]
        self.network = network
        self._folder = folder
        self.begin, self.end, self.unknown = (int(special[use]) for use in ("begin", "end", "unknown"))
        self.pieces = Pieces(network.vocabulary, unknown=self.unknown)
        self._met: Counter[str] = Counter()

    @classmethod
    def load(cls, folder: Path, *, language: str) -> "EncoderDetector":
        """Read what `bench/pack_encoder.py` wrote.

        Raises EngineError when a file is missing or damaged, the package that runs it is not installed, or the encoder
        was not trained for the language.
        """
        settings = read_settings(folder)
        if base_language(language) not in settings["languages"]:
            raise EngineError(
                _(
                    "The encoder detector does not support the language “%(language)s” (it supports "
                    "%(known)s). Train a crf with train_detector and give its folder."
                ),
                language=language,
                known=", ".join(sorted(settings["languages"])),
            )
        network = _network(folder, settings["files"])
        return cls(network, settings, language=language, folder=folder)

    def __reduce__(self) -> tuple[Any, ...]:
        # Sessions of ONNX Runtime cannot be pickled.
        return _loaded, (self._folder, self.language)

    def save(self, folder: Path) -> None:
        """Write the model again into `folder`, which is made if it is not there."""
        folder.mkdir(parents=True, exist_ok=True)
        # The settings name the other files by their hash, so they go last.
        for name in (GRAPH, WEIGHTS, SETTINGS):
            shutil.copyfile(self._folder / name, folder / name)

    def predict(self, sentences: Sequence[Tokens]) -> list[list[float]]:
        """Per sentence, per token, the calibrated probability of being labelled; see `Detector.predict`.

        A token of which the encoder knows no piece, such as an empty one, has 0.0.
        """
        self._met.clear()
        found = [np.zeros(len(tokens)) for tokens in sentences]
        for block in self._blocks(sentences):
            logits = self.network.logits([part.ids for _number, part in block])
            for (number, part), row in zip(block, logits, strict=True):
                raw = 1 / (1 + np.exp(-row[part.firsts].astype(np.float64)))
                found[number][part.words] = self.calibration(raw)
        return [row.tolist() for row in found]

    def tokens(self, sentences: Sequence[Tokens]) -> list[Floats]:
        """Per sentence, tokens by numbers: each token's vector, of length 1, the mean of its pieces' inner vectors.

        Of the languages that the encoder knows, translations are near each other. 0 for a token without a piece.
        """
        self._met.clear()
        found = [np.zeros((len(tokens), self.network.width), np.float32) for tokens in sentences]
        for block in self._blocks(sentences):
            rows = self.network.vectors([part.ids for _number, part in block])
            for (number, part), row in zip(block, rows, strict=True):
                for word, first, last in zip(part.words, part.firsts, part.lasts, strict=True):
                    mean = row[first : last + 1].mean(0)
                    found[number][word] = mean / max(float(np.linalg.norm(mean)), TINY)
        return found

    def embed(self, sentences: Sequence[Tokens]) -> Floats:
        """Per sentence, the mean of its tokens' vectors; see `Embedder.embed`."""
        width = self.network.width
        return np.array([rows.mean(0) if len(rows) else np.zeros(width) for rows in self.tokens(sentences)], np.float32)

    def _blocks(self, sentences: Sequence[Tokens]) -> Iterator[list[tuple[int, Input]]]:
        for start in range(0, len(sentences), BLOCK):
            yield [
                (number, part)
                for number in range(start, min(start + BLOCK, len(sentences)))
                for part in self._inputs(sentences[number])
            ]

    def _inputs(self, tokens: Tokens) -> Iterator[Input]:
        pieces = [self.pieces.of(token) for token in tokens]
        return inputs(pieces, [self.begin], [self.end], room=self.network.size - 2, met=self._met)

    def notes(self) -> dict[str, int]:
        """What the last call of `predict` met that people should know of; see `Noting`."""
        return dict(self._met)


def is_encoder(folder: Path) -> bool:
    """Whether a folder holds an encoder, and not another kind of model."""
    return (folder / GRAPH).is_file()


def read_settings(folder: Path) -> dict[str, Any]:
    """What `model.json` says. Raises EngineError when it cannot be read."""
    try:
        settings = json.loads((folder / SETTINGS).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise EngineError(
            _("%(folder)s does not contain an encoder: %(reason)s. Install Translatio again."),
            folder=folder,
            reason=str(error),
        ) from error
    if not isinstance(settings, dict) or settings.get("format") != FORMAT:
        raise EngineError(
            _("%(path)s is not of the version that this installation reads. Install it again."), path=folder / SETTINGS
        )
    return settings


def _loaded(folder: Path, language: str) -> EncoderDetector:
    return EncoderDetector.load(folder, language=language)


@lru_cache(maxsize=KEPT_MODELS)
def _network(folder: Path, files: str) -> Network:
    """The network in a folder, which all languages share, if its files are those that `files` identifies."""
    try:
        found = digest(folder)
    except OSError as error:
        raise EngineError(
            _("The encoder in %(folder)s cannot be read: %(reason)s. Install Translatio again."),
            folder=folder,
            reason=str(error),
        ) from error
    if found != files:
        raise EngineError(
            _(
                "The files of the encoder in %(folder)s are damaged or from different versions: their "
                "content does not match %(settings)s. Install Translatio again."
            ),
            folder=folder,
            settings=SETTINGS,
        )
    return Network(folder, threads=os.cpu_count() or 1)


def _revision(settings: dict[str, Any]) -> str:
    text = json.dumps(settings, ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:12]
