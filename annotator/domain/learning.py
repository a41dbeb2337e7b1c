"""What a detector may learn from, what it is only measured on, and when a new one is the better one."""

from __future__ import annotations

import hashlib
from enum import StrEnum


class Split(StrEnum):
    """What a sentence is for when a detector learns from a project."""

    TRAIN = "train"
    # Learnt from as well, but by engines that pick the best of several states it is what they pick by.
    DEVELOPMENT = "development"
    HELD_OUT = "held-out"


def split_of(group: str) -> Split:
    """The split of the sentences of a group, that is, of a premise with its hypotheses in all languages.

    About two groups in ten are held out and one in ten is for development, for ever: so no model of a project has
    learnt from what any of them is measured on, and two can be compared whenever they were trained. Sentences that
    share most of their words stay together.
    """
    digest = hashlib.sha256(group.encode("utf-8", "surrogatepass")).digest()
    tenth = int.from_bytes(digest[:8], "big") % 10
    return Split.HELD_OUT if tenth < 2 else Split.DEVELOPMENT if tenth == 2 else Split.TRAIN


# Labelled tokens to learn from, and held-out ones, below which a model learns nothing and its score says nothing.
LEAST_LABELLED = 10
LEAST_HELD_OUT = 5


def is_enough(labelled: int, held_out_labelled: int) -> bool:
    """Whether so many labelled tokens to learn from, and to measure on, are worth a training."""
    return labelled >= LEAST_LABELLED and held_out_labelled >= LEAST_HELD_OUT


def is_better(f1: float, baseline_f1: float | None) -> bool:
    """Whether a new detector takes the place of the one in use (None: there is none); equals do not."""
    return baseline_f1 is None or f1 > baseline_f1
