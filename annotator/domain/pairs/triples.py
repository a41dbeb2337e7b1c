"""Triples: a sentence with a marked word, and two words for it of which each is apt or inapt.

As in MUNCH (Tong, X., Choenni, R., Lewis, M., & Shutova, E. (2024). Metaphor Understanding Challenge Dataset for LLMs.
ACL 2024, 3517-3536): what is decided of a sentence is made into every pair of its words. What was imported keeps
the pairs that the files have, be they some of these or others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations, product

from annotator.domain.text.one_word import word_key


class Aptness(StrEnum):
    APT = "apt"
    INAPT = "inapt"


class TripleType(StrEnum):
    """What the two words of a triple are, in the order of reports."""

    APT_INAPT = "apt_inapt"
    TWO_INAPT = "two_inapt"
    TWO_APT = "two_apt"


@dataclass(frozen=True, slots=True)
class Option:
    """A word for the blank, and whether it is apt."""

    word: str
    label: Aptness


@dataclass(frozen=True, slots=True)
class Pair:
    """The two words of a triple, in their order."""

    first: Option
    second: Option

    @property
    def type(self) -> TripleType:
        labels = {self.first.label, self.second.label}
        if len(labels) == 2:
            return TripleType.APT_INAPT
        return TripleType.TWO_APT if labels == {Aptness.APT} else TripleType.TWO_INAPT


def pairs_of(apt: Sequence[str], inapt: Sequence[str]) -> list[Pair]:
    """Every pair of the words of one sentence: apt with inapt, then two apt, then two inapt; in the order given.

    A word that is given as both is apt: what people chose as the best is not a control. The same word twice
    (`one_word.word_key`) counts once.
    """
    good = _once(apt, set())
    bad = _once(inapt, set(map(word_key, given_as_both(apt, inapt))))
    apt_options = [Option(word, Aptness.APT) for word in good]
    inapt_options = [Option(word, Aptness.INAPT) for word in bad]
    return [
        *(Pair(one, other) for one, other in product(apt_options, inapt_options)),
        *(Pair(one, other) for one, other in combinations(apt_options, 2)),
        *(Pair(one, other) for one, other in combinations(inapt_options, 2)),
    ]


def pairs_with(
    apt: Sequence[str] | None, inapt: Sequence[str] | None, imported: Sequence[tuple[str, str]], *, own: str
) -> list[Pair]:
    """The pairs of a sentence: those `imported`, in their order, where both words are still decided; then
    what follows from decisions (`pairs_of`) with a word that the files do not have. None while `apt` or `inapt` are not
    decided, and never one with the marked word, `own`.

    Of words that the files have no other pairs are made: the publisher chose which.
    """
    good, bad = ([word for word in words or () if word_key(word) != word_key(own)] for words in (apt, inapt))
    labels = {word_key(word): Aptness.INAPT for word in bad} | {word_key(word): Aptness.APT for word in good}
    imported_pairs: dict[frozenset[str], Pair] = {}
    for words in imported:
        keys = frozenset(map(word_key, words))
        if len(keys) == 2 and keys <= labels.keys():
            imported_pairs.setdefault(keys, Pair(*(Option(word, labels[word_key(word)]) for word in words)))
    if apt is None or inapt is None:
        return list(imported_pairs.values())
    published = {word_key(word) for words in imported for word in words}
    following = pairs_of(good, bad)
    return [
        *imported_pairs.values(),
        *(one for one in following if not {word_key(one.first.word), word_key(one.second.word)} <= published),
    ]


def given_as_both(apt: Sequence[str], inapt: Sequence[str]) -> list[str]:
    """The words of one sentence that are given as apt and as inapt, in the order of `inapt`. Different people may have
    decided on each, so that somebody has to decide again."""
    known = set(map(word_key, apt))
    return [word for word in _once(inapt, set()) if word_key(word) in known]


def words_of(pairs: Iterable[Pair]) -> tuple[list[str], list[str]]:
    """The apt and the inapt words of a sentence's pairs, in the order in which they first come: undoes `pairs_of`."""
    options = list(dict.fromkeys(option for pair in pairs for option in (pair.first, pair.second)))
    apt, inapt = (_once([one.word for one in options if one.label == label], set()) for label in Aptness)
    return apt, inapt


def count_types(pairs: Iterable[Pair]) -> dict[TripleType, int]:
    """How many triples there are of each type, all types named."""
    counted = Counter(pair.type for pair in pairs)
    return {one: counted[one] for one in TripleType}


def _once(words: Sequence[str], known: set[str]) -> list[str]:
    found = []
    for word in words:
        key = word_key(word)
        if key not in known:
            known = {*known, key}
            found.append(word)
    return found
