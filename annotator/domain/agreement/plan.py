"""The settings of a study of agreement. Needs no NumPy, which web processes load only to compute."""

from __future__ import annotations

from dataclasses import dataclass

from annotator.domain.agreement.distances import NOMINAL

RESAMPLES = 1000
# What is counted: all places, or those of content words alone.
EVERYTHING, CONTENT = "all", "content"
# The dimension of the whole, with the one stratum of it.
WHOLE = ("all", "all")


@dataclass(frozen=True, slots=True)
class Plan:
    """What a study computes. `values`: the categories in order; those that turn up beside them follow.

    `unmarked`: the category of what nobody marked, "" where each is as good as the others. `distances`: by which
    Krippendorff's alpha is computed beside the nominal one. `shown`: strata of a dimension, the largest first.
    """

    values: tuple[str, ...] = ()
    unmarked: str = ""
    distances: tuple[str, ...] = (NOMINAL,)
    seed: int = 1
    resamples: int = RESAMPLES
    shown: int = 20
