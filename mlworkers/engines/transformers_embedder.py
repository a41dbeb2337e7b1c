"""Sentences as vectors of a transformers model: the mean of the subwords' after its last layer.

Needs torch, so that it is imported only when a model is asked for.
"""

from collections.abc import Sequence

import numpy as np

from mlworkers.engines.aligners.simalign.embeddings import LAST, Encoder, load_encoder
from mlworkers.engines.base import Floats, Tokens
from mlworkers.engines.torch_runtime import choose_device, split_revision


class TransformersEmbedder:
    """A model that `save_pretrained` wrote, as an embedder; see `Embedder`."""

    def __init__(self, encoder: Encoder) -> None:
        self.name = f"transformers:{encoder.checkpoint.name}"
        self.revision = encoder.checkpoint.revision
        self._encoder = encoder

    @classmethod
    def load(cls, source: str) -> "TransformersEmbedder":
        """Load a folder, or a hub id with its revision behind an @. Raises EngineError as `load_encoder` does."""
        name, revision = split_revision(source)
        return cls(load_encoder(name, revision, LAST, choose_device()))

    def embed(self, sentences: Sequence[Tokens]) -> Floats:
        """Per sentence, the mean of its subwords' vectors; see `Embedder.embed`."""
        words = list({word for tokens in sentences for word in tokens})
        ids = dict(zip(words, self._encoder.subwords(words), strict=True))
        subwords = [[one for word in tokens for one in ids[word]] for tokens in sentences]
        rows = self._encoder.embed(subwords).cpu().numpy()
        found = np.zeros((len(sentences), self._encoder.hidden), np.float32)
        start = 0
        for number, some in enumerate(subwords):
            if some:
                found[number] = rows[start : start + len(some)].mean(0)
            start += len(some)
        return found
