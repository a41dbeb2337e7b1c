"""A second opinion on projected labels: whether a model that knows no links finds the words to mean the same."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from annotator.domain.projection.carry import Outcome, SourceOutcome
from mlworkers.engines.base import DATA, Tokens
from mlworkers.engines.detectors.encoder.detector import EncoderDetector
from mlworkers.engines.detectors.encoder.network import Floats

MAX_TOKENS = 500


class SecondOpinion:
    """By the vectors of the shipped encoder."""

    def __init__(self, encoder: EncoderDetector) -> None:
        self.name = f"{encoder.name}@{encoder.revision}"
        self._encoder = encoder

    @classmethod
    def load(cls) -> SecondOpinion:
        """Raises EngineError where the encoder cannot run."""
        # Whichever of its languages: vectors are the same.
        return cls(EncoderDetector.load(DATA / EncoderDetector.name, language="es"))

    def of(self, source: Tokens, target: Tokens, outcomes: Sequence[SourceOutcome]) -> list[float | None]:
        """Per source span, 0 to 1: how much nearer its words come to those of its projection than to the others.

        That is a half, and the mean over the span's tokens of the cosine of the nearest token inside less that of the
        nearest one outside. None where there is nothing to compare: what was not projected, or bears no tokens, or
        stands in a sentence of more than MAX_TOKENS, which is hardly one and would take seconds.
        """
        if max(len(source), len(target)) > MAX_TOKENS:
            return [None] * len(outcomes)
        one, other = self._encoder.tokens([source, target])
        near = one @ other.T
        found: list[float | None] = []
        for outcome in outcomes:
            reached = outcome.target.tokens if outcome.outcome == Outcome.PROJECTED and outcome.target else ()
            if not reached or not outcome.source.tokens:
                found.append(None)
                continue
            found.append(min(max(0.5 + margin(near, outcome.source.tokens, reached), 0.0), 1.0))
        return found


def margin(near: Floats, source: Sequence[int], reached: Sequence[int]) -> float:
    """How much nearer (source tokens by target tokens) the tokens of a span come to those it became than to others."""
    inside = np.zeros(near.shape[1], bool)
    inside[list(reached)] = True
    rows = near[list(source)]
    found = rows[:, inside].max(1)
    return float((found if inside.all() else found - rows[:, ~inside].max(1)).mean())
