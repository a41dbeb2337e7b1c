"""Sentences as vectors of a transformers model, pooled as its makers do (`pooling.py`): by default the mean of the
subwords after its last layer.

Needs torch, so that it is imported only when a model is asked for.
"""

from collections.abc import Sequence

import numpy as np

from annotator.domain.messages import gettext_noop as _
from mlworkers.engines.aligners.simalign.embeddings import LAST, Encoder, load_encoder
from mlworkers.engines.base import EngineError, Floats, Tokens
from mlworkers.engines.checkpoints import split_revision
from mlworkers.engines.pooling import POOLED_OUTPUT, WORDS, Pooling, pooling_of
from mlworkers.engines.torch_runtime import choose_device


class TransformersEmbedder:
    """A model that `save_pretrained` or sentence-transformers wrote, as an embedder; see `Embedder`."""

    def __init__(self, encoder: Encoder, pooling: Pooling) -> None:
        self.name = f"transformers:{encoder.checkpoint.name}"
        self.revision = encoder.checkpoint.revision
        self._encoder = encoder
        self._pooling = pooling
        if POOLED_OUTPUT in pooling.modes and not encoder.pools:
            raise EngineError(
                _(
                    "The checkpoint “%(checkpoint)s” lacks the weights of its pooled output, which is its "
                    "vector of a sentence. Fetch a complete one, such as sentence-transformers/LaBSE."
                ),
                checkpoint=encoder.checkpoint.name,
            )

    @classmethod
    def load(cls, source: str) -> "TransformersEmbedder":
        """Load a folder, or a hub id with its revision behind an @. Raises EngineError as `load_encoder` and
        `pooling_of` do."""
        name, revision = split_revision(source)
        encoder = load_encoder(name, revision, LAST, choose_device())
        return cls(encoder, pooling_of(encoder.checkpoint, encoder.config))

    def embed(self, sentences: Sequence[Tokens]) -> Floats:
        """Per sentence, its vector; see `Embedder.embed`."""
        if self._pooling.lower_case:
            sentences = [[word.lower() for word in tokens] for tokens in sentences]
        words = list({word for tokens in sentences for word in tokens})
        ids = dict(zip(words, self._encoder.subwords(words), strict=True))
        subwords = [[one for word in tokens for one in ids[word]] for tokens in sentences]
        if self._pooling.modes == (WORDS,):
            return self._mean_of_words(subwords)
        return np.asarray(self._encoder.pooled(subwords, self._pooling).numpy(), np.float32)

    def _mean_of_words(self, subwords: Sequence[Sequence[int]]) -> Floats:
        rows = self._encoder.embed(subwords).cpu().numpy()
        found = np.zeros((len(subwords), self._encoder.hidden), np.float32)
        start = 0
        for number, some in enumerate(subwords):
            if some:
                found[number] = rows[start : start + len(some)].mean(0)
            start += len(some)
        return found
