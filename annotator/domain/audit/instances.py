"""The instances to be guessed, with their labels, and the parts of them that a classifier is shown."""

from __future__ import annotations

import hashlib
import heapq
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from annotator.domain.audit.scores import Seen
from annotator.domain.splits.items import number_of

# Instances of which more are drawn from, so that the seconds of an audit do not grow with the corpus.
MAX_INSTANCES = 5_000
# Classes with fewer instances are left out: each of five folds would test them on less than two.
MIN_PER_CLASS = 10
# What stands in the place of a masked expression. No word is spelt so.
_MASK = "\N{WHITE SQUARE}"
# Letters of an expression that are looked at together.
_LETTERS = (2, 3, 4)


@dataclass(frozen=True, slots=True)
class Instance:
    """Something with a label. `texts`: its words, of each text that it is made from. `expression`: places of its words
    in the first one. `apart`: the expression, or the group; what one fold has, no other one has in a lexical split."""

    key: str
    label: str
    apart: str
    texts: tuple[tuple[str, ...], ...]
    expression: tuple[int, ...] = ()


@dataclass
class Drawn:
    """Instances added one by one, of which the `most` are kept that the seed draws, whatever their order.

    `counts`: all of them by class. `sha256`: of all of them, in their order.
    """

    seed: int
    most: int = MAX_INSTANCES
    counts: Counter[str] = field(default_factory=Counter)
    _heap: list[tuple[int, str, Instance]] = field(default_factory=list)
    _digest: hashlib._Hash = field(default_factory=hashlib.sha256)

    def add(self, one: Instance) -> None:
        self.counts[one.label] += 1
        self._digest.update(f"{one!r}\n".encode())
        entry = (-number_of(one.key, self.seed), one.key, one)
        if len(self._heap) < self.most:
            heapq.heappush(self._heap, entry)
        else:
            heapq.heappushpop(self._heap, entry)

    @property
    def sha256(self) -> str:
        return self._digest.hexdigest()

    @property
    def rare(self) -> list[str]:
        """Classes of which too few are kept, in the order of their names."""
        kept = Counter(one.label for _number, _key, one in self._heap)
        return sorted(label for label in self.counts if kept[label] < MIN_PER_CLASS)

    def instances(self) -> list[Instance]:
        """Those that were kept, without rare classes, in the order of their keys."""
        rare = set(self.rare)
        return sorted((one for _n, _k, one in self._heap if one.label not in rare), key=lambda one: one.key)


class Expressions:
    """The labelled expressions of a corpus by the lemmas of their words, to find where they stand unlabelled."""

    def __init__(self) -> None:
        self._by_first: defaultdict[str, set[tuple[str, ...]]] = defaultdict(set)

    def add(self, lemmas: Sequence[str], tokens: Sequence[int]) -> None:
        named = tuple(lemmas[token] for token in tokens)
        self._by_first[named[0]].add(named)

    def uses(self, lemmas: Sequence[str], labelled: Sequence[Sequence[int]]) -> Iterator[tuple[int, ...]]:
        """Where a text has one of them next to each other and unlabelled: the longest first, no word in two."""
        taken = {token for tokens in labelled for token in tokens}
        for start, lemma in enumerate(lemmas):
            for named in sorted(self._by_first.get(lemma, ()), key=len, reverse=True):
                places = tuple(range(start, start + len(named)))
                if tuple(lemmas[start : start + len(named)]) == named and taken.isdisjoint(places):
                    taken |= set(places)
                    yield places
                    break


def views_of(instances: Sequence[Instance]) -> list[Seen]:
    """The parts that these instances have, the whole first and nothing last."""
    found = [Seen.WHOLE]
    if any(one.expression for one in instances):
        found += [Seen.EXPRESSION, Seen.MASKED]
    if any(len(one.texts) == 2 for one in instances):
        found += [Seen.FIRST, Seen.SECOND, Seen.OVERLAP]
    return [*found, Seen.MAJORITY]


def features(one: Instance, seen: Seen) -> list[str]:
    """What a classifier counts of an instance. The whole has what all of its parts have."""
    return [name for part in _PARTS.get(seen, (seen,)) for name in _FEATURES[part](one)]


def _expression(one: Instance) -> Iterator[str]:
    for word in (one.texts[0][place] for place in one.expression):
        yield f"e:{word}"
        spelt = f"<{word}>"
        for size in _LETTERS:
            yield from (f"e~{spelt[at : at + size]}" for at in range(len(spelt) - size + 1))


def _context(one: Instance) -> Iterator[str]:
    """Words and pairs of words, with the mask for the expression. Nothing of instances made from two texts."""
    if len(one.texts) == 1:
        inside = set(one.expression)
        words = [_MASK if place in inside else word for place, word in enumerate(one.texts[0])]
        yield from _words("c", words)


def _text(number: int) -> Callable[[Instance], Iterator[str]]:
    return lambda one: _words(str(number), one.texts[number]) if len(one.texts) == 2 else iter(())


def _words(name: str, words: Sequence[str]) -> Iterator[str]:
    yield from (f"{name}:{word}" for word in words)
    yield from (f"{name}:{word} {after}" for word, after in pairwise(words))


def _overlap(one: Instance) -> Iterator[str]:
    """How many words of the second text the first one has, in tenths, and how much longer it is."""
    if len(one.texts) == 2:
        first, second = (set(words) for words in one.texts)
        shared = len(first & second) / len(second) if second else 0.0
        yield f"shared:{round(10 * shared)}"
        yield f"new:{min(len(second - first), 10)}"
        yield f"longer:{max(-10, min(10, len(one.texts[0]) - len(one.texts[1])))}"


_FEATURES: Mapping[Seen, Callable[[Instance], Iterator[str]]] = {
    Seen.EXPRESSION: _expression,
    Seen.MASKED: _context,
    Seen.FIRST: _text(0),
    Seen.SECOND: _text(1),
    Seen.OVERLAP: _overlap,
}
_PARTS: Mapping[Seen, Sequence[Seen]] = {Seen.WHOLE: tuple(_FEATURES)}
