"""The encoder's network: pieces in, a logit for each out, or the vector of each after two thirds of the layers.

Products run in int8, with a scale for each output of the weights, and one a sequence for what they are multiplied with;
all else is in fp32. A sequence is computed alone, so nothing that it is given together with can change its numbers.
"""

import hashlib
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import repeat
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from annotator.domain.messages import gettext_noop as _
from mlworkers.engines.base import EngineError
from mlworkers.engines.detectors.encoder.pieces import Vocabulary

GRAPH = "graph.onnx"
WEIGHTS = "weights.npz"

PACKAGE = "onnxruntime"

# What the graph gives out. After the eighth of twelve layers, words that mean the same in two languages are nearest to
# each other; the last ones know little but whether a word is labelled (`bench/encoder_uses.py`).
LOGITS, INNER = OUTPUTS = ("logits", "7.end")

# Pieces' vectors: so many numbers share a scale, two to a byte, the first half of them in the low bits.
BLOCK = 32
MIDDLE = 8

Floats = npt.NDArray[np.float32]


class Network:
    """A network that `bench/pack_encoder.py` wrote. Safe for several threads."""

    def __init__(self, folder: Path, *, threads: int) -> None:
        runtime = _runtime()
        with np.load(folder / WEIGHTS) as stored:
            weights = {name: stored[name] for name in stored.files}
        pieces = weights.pop("pieces").tobytes().decode().split("\n")
        self.vocabulary = Vocabulary(pieces, weights.pop("scores").tolist())
        self._codes: npt.NDArray[np.uint8] = weights.pop("vectors")
        self._scales: npt.NDArray[np.float16] = weights.pop("vectors.scales")
        self._places: Floats = weights.pop("places")
        settings = runtime.SessionOptions()
        # Sequences run beside each other, each in one thread.
        settings.intra_op_num_threads = settings.inter_op_num_threads = 1
        # Errors are raised; its own lines on standard error say them twice.
        settings.log_severity_level = 4
        # The session reads from these for as long as it lives, and does not hold them itself.
        self._values = {name: runtime.OrtValue.ortvalue_from_numpy(value) for name, value in weights.items()}
        settings.add_external_initializers(list(self._values), list(self._values.values()))
        graph = (folder / GRAPH).read_bytes()
        try:
            self._session = runtime.InferenceSession(graph, settings, providers=["CPUExecutionProvider"])
        except Exception as error:  # its own ones have no other base
            raise EngineError(
                _(
                    "The package %(package)s %(version)s cannot run the encoder detector: %(reason)s. "
                    "Install the version that constraints.txt names, or use the crf detector."
                ),
                package=PACKAGE,
                version=runtime.__version__,
                reason=str(error),
            ) from error
        self._threads = threads

    @property
    def size(self) -> int:
        """How many pieces a sequence has at most."""
        return len(self._places)

    @property
    def width(self) -> int:
        """How many numbers a vector has."""
        return int(self._places.shape[1])

    def logits(self, sequences: Sequence[Sequence[int]]) -> list[Floats]:
        """Per sequence, per piece, the logit."""
        return [found[:, 0] for found in self._all(sequences, LOGITS)]

    def vectors(self, sequences: Sequence[Sequence[int]]) -> list[Floats]:
        """Per sequence, pieces by numbers: their inner vectors."""
        return self._all(sequences, INNER)

    def _all(self, sequences: Sequence[Sequence[int]], output: str) -> list[Floats]:
        if self._threads == 1 or len(sequences) < 2:
            return [self._run(ids, output) for ids in sequences]
        with ThreadPoolExecutor(self._threads) as pool:
            return list(pool.map(self._run, sequences, repeat(output)))

    def _run(self, ids: Sequence[int], output: str) -> Floats:
        found: Any = self._session.run([output], {"vectors": self._vectors(ids)[None]})
        return np.asarray(found[0][0], np.float32)

    def _vectors(self, ids: Sequence[int]) -> Floats:
        rows = list(ids)
        codes = self._codes[rows].reshape(len(rows), -1, BLOCK // 2)
        numbers = np.concatenate([codes & 15, codes >> 4], axis=2).astype(np.float32) - MIDDLE
        scaled = numbers * self._scales[rows].astype(np.float32)[:, :, None]
        found: Floats = scaled.reshape(len(rows), -1) + self._places[: len(rows)]
        return found


def digest(folder: Path) -> str:
    """What identifies the network's files."""
    found = hashlib.sha256()
    for name in (GRAPH, WEIGHTS):
        found.update((folder / name).read_bytes())
    return found.hexdigest()


def _runtime() -> Any:
    try:
        import onnxruntime
    except ImportError as error:
        raise EngineError(
            _(
                "The encoder detector needs the package %(package)s, which is not installed or not "
                "available for this Python version. Install it, or use the crf detector."
            ),
            package=PACKAGE,
        ) from error
    return onnxruntime
