"""Which concepts languages share, from the set that each language has."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass

Concepts = Mapping[str, Set[str]]
"""The concepts of each language, in their basic form."""


@dataclass(frozen=True, slots=True)
class Overlap:
    """How many concepts two languages share, of how many that either of them has."""

    one: str
    other: str
    shared: int
    union: int

    @property
    def jaccard(self) -> float | None:
        """|A ∩ B| / |A ∪ B| (Jaccard, "The distribution of the flora in the alpine zone", New Phytologist 11, 1912);
        None where neither language has a concept."""
        return self.shared / self.union if self.union else None


def overlap(concepts: Concepts, one: str, other: str) -> Overlap:
    """The overlap of two languages."""
    a, b = concepts[one], concepts[other]
    return Overlap(one, other, len(a & b), len(a | b))


def overlaps(concepts: Concepts) -> list[Overlap]:
    """The overlap of every two languages, each once, in the order in which the languages are given."""
    languages = list(concepts)
    return [overlap(concepts, one, other) for number, one in enumerate(languages) for other in languages[number + 1 :]]


def own_concepts(concepts: Concepts, language: str) -> set[str]:
    """Those that no other language has."""
    others = (found for other, found in concepts.items() if other != language)
    return set(concepts[language]).difference(*others)


def shared_by_all(concepts: Concepts) -> set[str]:
    """Those that every language has."""
    return set.intersection(*map(set, concepts.values())) if concepts else set()


def most_similar(concepts: Concepts, language: str) -> tuple[str, ...]:
    """The language with the largest overlap, several where it is as large; none where nothing is shared with any."""
    found = {other: overlap(concepts, language, other).jaccard or 0.0 for other in concepts if other != language}
    largest = max(found.values(), default=0.0)
    return tuple(other for other, jaccard in found.items() if jaccard == largest) if largest else ()
