"""Pairs for inference made by rule, and the grammar that they need; and what figurative sentences compare."""

from annotator.domain.silver.base import FoundVerb, Parser, Refusal, Sense, Use
from annotator.domain.silver.pairs import Definitions, Made, Rule, SilverPair, silver_pairs
from annotator.domain.silver.placing import grammar_of, put_in_place
from annotator.domain.silver.small_parser import SmallParser

__all__ = [
    "Definitions",
    "FoundVerb",
    "Made",
    "Parser",
    "Refusal",
    "Rule",
    "Sense",
    "SilverPair",
    "SmallParser",
    "Use",
    "grammar_of",
    "put_in_place",
    "silver_pairs",
]
