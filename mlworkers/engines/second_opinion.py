"""A second opinion on projected labels: whether a model that knows no links finds the words to mean the same."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from annotator.domain.projection import Outcome, SourceOutcome
from mlworkers.engines.base import DATA, Tokens
from mlworkers.engines.detectors.encoder.detector import EncoderDetector

MOST_TOKENS = 500


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
        stands in a sentence of more than MOST_TOKENS, which is hardly one and would take seconds.
        """
        if max(len(source), len(target)) > MOST_TOKENS:
            return [None] * len(outcomes)
        one, other = self._encoder.tokens([source, target])
        near = one @ other.T
        found: list[float | None] = []
        for outcome in outcomes:
            reached = outcome.target.tokens if outcome.outcome == Outcome.PROJECTED and outcome.target else ()
            if not reached or not outcome.source.tokens:
                found.append(None)
                continue
            inside = np.zeros(len(target), bool)
            inside[list(reached)] = True
            rows = near[list(outcome.source.tokens)]
            margin = rows[:, inside].max(1)
            if not inside.all():
                margin = margin - rows[:, ~inside].max(1)
            found.append(float(np.clip(0.5 + margin.mean(), 0.0, 1.0)))
        return found
