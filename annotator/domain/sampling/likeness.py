"""How like each other two sentences are: by the lemmas of their content words, of which rare ones count more.

Of what was tried, this found the sentences of a family best (docs/engines.md): better than exact tf-idf, and than the
vectors of the shipped encoder.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping

# Lemmas of a sentence that count.
MAX_LEMMAS = 16
# Sentences with a lemma that are looked at.
MAX_SENTENCES = 300
# The weight of a lemma that only the other sentence has: how rare it is is not looked up.
_OTHERS = 2.0


def telling(lemmas: Iterable[str]) -> list[str]:
    """The distinct lemmas that count: the longest, since these are the rare ones as a rule."""
    return sorted(set(lemmas), key=lambda lemma: (-len(lemma), lemma))[:MAX_LEMMAS]


def weight_of(sentences: int) -> float:
    """The weight of a lemma that so many sentences have: the rarer, the more. From MAX_SENTENCES on it stays ln 2."""
    return math.log(1 + MAX_SENTENCES / min(max(sentences, 1), MAX_SENTENCES))


def likeness(weights: Mapping[str, float], lemmas: Collection[str]) -> float:
    """The share, by weight, of the lemmas of both sentences that they have in common: 0 to 1.

    `weights`: of the lemmas of one of them; `lemmas`: the distinct ones of the other.
    """
    # Rounded once, so that the same lemmas in another order have the same sum.
    shared = math.fsum(weights[lemma] for lemma in lemmas if lemma in weights)
    others = _OTHERS * sum(lemma not in weights for lemma in lemmas)
    whole = math.fsum([*weights.values(), others])
    return shared / whole if whole else 0.0
