"""What an audit finds: scores by split and by what the classifier was shown. Without NumPy, for pages."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Guessed(StrEnum):
    """The target of the classifier: the gold of a layer, or the inference label that pairs came with."""

    GOLD = "gold"
    INFERENCE = "inference"


class Seen(StrEnum):
    """What the classifier is shown of an instance. `majority`: nothing; it answers the commonest class."""

    WHOLE = "whole"
    EXPRESSION = "expression"
    MASKED = "masked"
    FIRST = "first"
    SECOND = "second"
    OVERLAP = "overlap"
    MAJORITY = "majority"


class Split(StrEnum):
    """How instances are dealt out to folds. `lexical`: all of an expression, or of a group, to one of them."""

    RANDOM = "random"
    LEXICAL = "lexical"


class Undefined(StrEnum):
    """The reason for a missing score."""

    ONE_CLASS = "one-class"
    TOO_FEW = "too-few"
    NOT_INSTALLED = "not-installed"


@dataclass(frozen=True, slots=True)
class Score:
    """Macro-F1 in per cent: its mean over folds, and its standard deviation; None where it is undefined."""

    split: Split
    seen: Seen
    mean: float | None = None
    spread: float | None = None
    undefined: Undefined | None = None
