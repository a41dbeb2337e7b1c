"""Codes of the reference workflow: interpretation tags, roles, inference labels. Their words are in the templates.

Projects list their own; these are what the published layout spells and the presets begin with.
"""

from __future__ import annotations

from enum import StrEnum


class Tag(StrEnum):
    """Whether understanding the metaphor is needed for the inference."""

    RELEVANT = "relevant"
    NON_RELEVANT = "non_relevant"
    NO_METAPHOR = "no_metaphor"
    DISCARDED = "discarded"


class Role(StrEnum):
    """Of a segment in the published layout."""

    PREMISE = "prem"
    HYPOTHESIS = "hyp"


class Inference(StrEnum):
    """Of a pair."""

    ENTAILMENT = "entailment"
    NEUTRAL = "neutral"
    CONTRADICTION = "contradiction"


ROLES = tuple(role.value for role in Role)
INFERENCES = tuple(inference.value for inference in Inference)
TAGS = tuple(tag.value for tag in Tag)
