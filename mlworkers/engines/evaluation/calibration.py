"""Probabilities that mean what they say: of the tokens shown with 40 %, about 40 in 100 are labelled.

A map with three numbers, beta calibration (Kull, Silva Filho & Flach, "Beta calibration", AISTATS 2017), takes a
model's probability p to 1 / (1 + exp(-(a ln p - b ln(1 - p) + c))). With a and b above 0 it never changes the order
of two tokens. a = b = 1, c = 0 changes nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from annotator.domain.messages import gettext_noop as _
from mlworkers.engines.base import EngineError, EvaluationError

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

# Logarithms need room; what is closer to 0 or 1 is as good as this.
EDGE = 1e-9

# What few labels cannot say stays near "nothing to change": as a normal prior of this precision around it.
PRIOR = 1.0
UNCHANGED = (1.0, 1.0, 0.0)
# With a slope near 0 all tokens would get the same probability, and rounding would make them equal.
LEAST_SLOPE = 0.05

# Newton's method takes about eight steps.
MAX_STEPS = 100
PRECISE = 1e-10


@dataclass(frozen=True, slots=True)
class Calibration:
    """The map: `a` and `b` for how steeply low and high probabilities rise, `c` for how often labels occur."""

    a: float
    b: float
    c: float

    def __post_init__(self) -> None:
        if not (self.a > 0 and self.b > 0 and np.isfinite([self.a, self.b, self.c]).all()):
            raise EngineError(
                _(
                    "A calibration map needs two slopes above 0 and a number, not %(a)s, %(b)s, %(c)s. Train the model "
                    "again."
                ),
                a=self.a,
                b=self.b,
                c=self.c,
            )

    def __call__(self, probabilities: npt.ArrayLike) -> Floats:
        """The calibrated probabilities, same shape and order, each above 0 and below 1."""
        return _logistic(_terms(np.asarray(probabilities, float)) @ np.array([self.a, self.b, self.c]))

    @classmethod
    def fit(cls, probabilities: Sequence[float] | Floats, labelled: Sequence[bool] | Bools) -> "Calibration":
        """The map under which `labelled` is most likely, numbers rounded to six digits.

        `probabilities` must be of tokens that the model did not learn from. Raises EvaluationError when the two differ
        in length.
        """
        values, truth = np.asarray(probabilities, float), np.asarray(labelled, float)
        if values.shape != truth.shape:
            raise EvaluationError(
                f"There are {values.size} probabilities but {truth.size} labels. Give one label per probability."
            )
        terms = _terms(values)
        start = np.array(UNCHANGED)
        found = _most_likely(terms, truth, start, np.ones(3, bool))
        # A slope of the wrong sign is noise: it stays at the least one, and the other two are found again.
        for slope in (0, 1):
            if found[slope] < LEAST_SLOPE:
                free = np.ones(3, bool)
                free[slope] = False
                fixed = start.copy()
                fixed[slope] = LEAST_SLOPE
                found = _most_likely(terms, truth, fixed, free)
        a, b, c = (round(float(value), 6) for value in found)
        return cls(max(a, LEAST_SLOPE), max(b, LEAST_SLOPE), c)


def _terms(probabilities: Floats) -> Floats:
    inside = np.clip(probabilities, EDGE, 1 - EDGE)
    return np.stack([np.log(inside), -np.log1p(-inside), np.ones_like(inside)], axis=-1)


def _logistic(values: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-values)), float)


def _most_likely(terms: Floats, truth: Floats, start: Floats, free: Bools) -> Floats:
    """Newton's method on the posterior over the `free` numbers; the others stay as in `start`. It is concave."""
    found, centre = start.copy(), np.array(UNCHANGED)
    for _step in range(MAX_STEPS):
        expected = _logistic(terms @ found)
        slope = terms.T @ (expected - truth) + PRIOR * (found - centre)
        weights = expected * (1 - expected)
        curve = (terms * weights[:, None]).T @ terms + PRIOR * np.eye(3)
        step = np.zeros(3)
        step[free] = np.linalg.solve(curve[np.ix_(free, free)], slope[free])
        # Far from the solution a whole step can overshoot.
        largest = float(np.abs(step).max())
        found = found - step / max(1.0, largest)
        if largest < PRECISE:
            break
    return found
