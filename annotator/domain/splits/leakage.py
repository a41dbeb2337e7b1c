"""Leakage between parts of a split: groups, texts that are equal or nearly so, translations, expressions.

Two texts are nearly the same when at least NEAR of the different words of both are in both. Words are compared as
dictionaries have them. No text is compared with all others: of each, only the rarest words are looked up, as many as
two texts that are so alike cannot do without (a prefix filter, see Chaudhuri et al. 2006), so none is missed.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from annotator.domain.splits.items import NO_PART, Codes, Numbers, Places, number_of
from annotator.domain.text.tokens import word_of

# The share of words in common from which two texts are nearly the same (Jaccard).
NEAR = 0.8
# Texts that one text is compared with for one word, and comparisons that are made at once.
MAX_COMPARED = 200
CHUNK = 20_000
# Texts whose words are sorted at once.
SORTED = 20_000
# Rare words of texts among which pairs are looked for at once.
SLICE = 500_000
EXAMPLES = 10
# Of a number that names a word and an item, the bits of the item.
_ITEM_BITS = np.uint64(32)
_ITEM = np.uint64(2**32 - 1)


@dataclass(frozen=True, slots=True)
class Leak:
    """Leakage between two parts (places): `shared` names (groups, texts, expressions), or pairs of texts that are
    nearly the same; how many items of each part that concerns, and some of them (places of items)."""

    parts: tuple[int, int]
    shared: int
    items: tuple[int, int]
    examples: Sequence[tuple[int, int]] = ()


@dataclass(frozen=True, slots=True)
class Leakage:
    """One sort of leak. `names`: of which there are so many in any part, `spread`: so many in more than one.
    `uncompared`: texts that share a word with too many others to be compared with all of them."""

    names: int
    spread: int
    leaks: Sequence[Leak] = ()
    uncompared: int = 0

    def to_json(self) -> dict[str, Any]:
        leaks = [
            {"parts": leak.parts, "shared": leak.shared, "items": leak.items, "examples": leak.examples}
            for leak in self.leaks
        ]
        return {"names": self.names, "spread": self.spread, "leaks": leaks, "uncompared": self.uncompared}


def common_names(names: Numbers, items: Places, parts: Places, count: int) -> Leakage:
    """What `count` parts have in common of what items are called. `names` and `items` go side by side, an item as often
    as it has names; `parts`: by item, negative for items that are in none."""
    names, items = _in_parts(names, items, parts)
    number, rows = _differing(names, parts[items])
    items = items[rows]
    kinds, places = np.unique(names[rows], return_inverse=True)
    places = places.reshape(-1)
    there = np.zeros((len(kinds), count), bool)
    there[places, parts[items]] = True
    found = []
    for one, other in combinations(range(count), 2):
        both = there[:, one] & there[:, other]
        if both.any():
            found.append(_leak((one, other), both, places, items, parts))
    return Leakage(number, len(kinds), found)


def _in_parts(names: Numbers, items: Places, parts: Places) -> tuple[Numbers, Places]:
    inside = parts[items] >= 0
    return (names, items) if inside.all() else (names[inside], items[inside])


def _differing(names: Numbers, values: NDArray[Any]) -> tuple[int, Places]:
    """How many names there are, and the rows, ascending, of those that have different values."""
    if not len(names):
        return 0, np.zeros(0, np.int64)
    order = np.argsort(names)
    begins = _begins(names[order])
    values = values[order]
    differ = np.minimum.reduceat(values, begins) != np.maximum.reduceat(values, begins)
    rows: Places = np.sort(order[np.repeat(differ, np.diff(begins, append=len(names)))])
    return len(begins), rows


def _begins(values: NDArray[Any]) -> Places:
    """Where each value begins among sorted ones."""
    begins: Places = np.flatnonzero(np.concatenate([np.ones(min(len(values), 1), bool), values[1:] != values[:-1]]))
    return begins


def _leak(pair: tuple[int, int], shared: NDArray[np.bool_], places: Places, items: Places, parts: Places) -> Leak:
    mine = shared[places]
    of_part = [np.flatnonzero(mine & (parts[items] == part)) for part in pair]
    # The first item of each part for the first names, in the order of the items.
    shown = []
    for name in np.unique(places[of_part[1]][: EXAMPLES * 10])[:EXAMPLES] if len(of_part[1]) else ():
        ends = [int(items[rows[places[rows] == name][0]]) for rows in of_part]
        shown.append((ends[0], ends[1]))
    numbers = [len(np.unique(items[rows])) for rows in of_part]
    return Leak(pair, int(shared.sum()), (numbers[0], numbers[1]), sorted(shown))


def same_translations(sources: Numbers, translations: Numbers, parts: Places, count: int) -> Leakage:
    """Translations (numbers, by item) that parts have in common, of sources that differ."""
    items = np.arange(len(parts))
    names, where = _in_parts(translations, items, parts)
    _number, rows = _differing(names, sources[where])
    return common_names(names[rows], where[rows], parts, count)


# Most tokens of a corpus are among its most frequent ones, and a look at each character takes a while.
_word = lru_cache(50_000)(word_of)


@dataclass
class Texts:
    """Texts of one language, added item by item in their order: the text as a whole, and its words. Once they are
    compared, none can be added.

    `equal`: a number for each text, the same for texts that differ in case and punctuation alone.
    """

    _known: dict[str, int] = field(default_factory=dict)
    _whole: array[int] = field(default_factory=lambda: array("Q"))
    _words: array[int] = field(default_factory=lambda: array("i"))
    _starts: array[int] = field(default_factory=lambda: array("q", [0]))

    def add(self, tokens: Sequence[str], item: int) -> None:
        """Add the text of an item; without a word, it is like no other. `item`: its place, which names it then."""
        words = [word for token in tokens if (word := _word(token))]
        self._whole.append(number_of(" ".join(words) or f"item {item}"))
        self._words.extend({self._known.setdefault(word, len(self._known)) for word in words})
        self._starts.append(len(self._words))

    @property
    def equal(self) -> Numbers:
        return np.frombuffer(self._whole, np.uint64)

    def near(self, parts: Places, count: int) -> Leakage:
        """Texts of different parts that are nearly the same, and not equal. Equal ones of a part are compared once."""
        weights = self._weights(parts, count)
        words, starts = self._by_rarity()
        compared = _Compared(words, starts, self.equal, np.where(weights > 0, parts, NO_PART).astype(np.int8))
        pairs = compared.pairs()
        found = []
        for one, other in combinations(range(count), 2):
            first_part, second_part = parts[pairs[:, 0]], parts[pairs[:, 1]]
            ahead = pairs[(first_part == one) & (second_part == other)]
            behind = pairs[(first_part == other) & (second_part == one)]
            mine = np.concatenate([ahead, behind[:, ::-1]])
            if len(mine):
                mine = mine[np.lexsort((mine[:, 1], mine[:, 0]))]
                ends = [int(weights[np.unique(mine[:, side])].sum()) for side in (0, 1)]
                shown = [(int(a), int(b)) for a, b in mine[:EXAMPLES]]
                found.append(Leak((one, other), len(mine), (ends[0], ends[1]), shown))
        of_parts = int((weights[parts >= 0] > 0).sum())
        return Leakage(of_parts, len(np.unique(pairs)), found, compared.uncompared)

    def _weights(self, parts: Places, count: int) -> Codes:
        """The number of equal texts of a part, at the first of them; 0 at the others."""
        keys = self.equal * np.uint64(2 * count + 1) + (parts + 1).astype(np.uint64)
        order = np.argsort(keys, kind="stable")
        begins = _begins(keys[order])
        weights = np.zeros(len(parts), np.int32)
        weights[order[begins]] = np.diff(begins, append=len(keys))
        return weights

    def _by_rarity(self) -> tuple[Codes, Places]:
        """The words of each text, the rarest first, numbered by how rare they are. They take the place of the words as
        they were added."""
        words = np.frombuffer(self._words, np.int32)
        starts = np.frombuffer(self._starts, np.int64)
        frequency = np.zeros(int(words.max(initial=-1)) + 1, np.int64)
        for begin in range(0, len(words), SLICE):
            frequency += np.bincount(words[begin : begin + SLICE], minlength=len(frequency))
        rank = np.empty(len(frequency), np.int32)
        rank[np.argsort(frequency, kind="stable")] = np.arange(len(frequency), dtype=np.int32)
        self._known.clear()
        # Some texts at a time: sorting all at once takes several times the memory of all.
        for begin in range(0, len(starts) - 1, SORTED):
            some = starts[begin : begin + SORTED + 1]
            mine = rank[words[some[0] : some[-1]]]
            owners = np.repeat(np.arange(len(some) - 1, dtype=np.int32), np.diff(some))
            words[some[0] : some[-1]] = mine[np.lexsort((mine, owners))]
        return words, starts


class _Compared:
    """Comparison of texts with words in common. `uncompared`: how many were not compared with all that they share a
    rare word with."""

    def __init__(self, words: Codes, starts: Places, equal: Numbers, parts: NDArray[np.int8]) -> None:
        self.words, self.starts, self.equal, self.parts = words, starts, equal, parts
        self.lengths = np.diff(starts).astype(np.int32)
        self.signatures = self._signatures()
        self.uncompared = 0

    def pairs(self) -> Places:
        """The pairs of items of different parts whose texts are nearly the same, each once."""
        found = [self._alike(pairs) for pairs in self._candidates()]
        rows = np.concatenate([np.zeros((0, 2), np.int64), *found])
        return np.unique(rows, axis=0)

    def _candidates(self) -> Iterator[Places]:
        """Pairs that share one of their rarest words, some at a time; a pair may come several times."""
        keys = self._rare_words()
        keys.sort()
        cut = np.zeros(len(self.parts), bool)
        begin = 0
        while begin < len(keys):
            # Whole words, so that all texts that have one are together.
            last = keys[min(begin + SLICE, len(keys)) - 1] >> _ITEM_BITS
            end = int(np.searchsorted(keys, (last + np.uint64(1)) << _ITEM_BITS))
            words = (keys[begin:end] >> _ITEM_BITS).astype(np.int32)
            yield from self._sharing(words, (keys[begin:end] & _ITEM).astype(np.int64), cut)
            begin = end
        self.uncompared = int(cut.sum())

    def _signatures(self) -> Numbers:
        """By text, 64 bits, of which each word sets one."""
        signatures = np.zeros(len(self.lengths), np.uint64)
        for begin in range(0, len(signatures), SORTED):
            starts = self.starts[begin : begin + SORTED + 1]
            some = np.flatnonzero(self.lengths[begin : begin + SORTED])
            if len(some):
                bits = np.uint64(1) << (self.words[starts[0] : starts[-1]] % 64).astype(np.uint64)
                signatures[begin + some] = np.bitwise_or.reduceat(bits, starts[some] - starts[0])
        return signatures

    def _rare_words(self) -> Numbers:
        """The rarest words of the texts, each as a number: the word, and below it the item."""
        needed = np.ceil(NEAR * self.lengths - 1e-9).astype(np.int32)
        prefixes = np.where((self.lengths > 0) & (self.parts >= 0), self.lengths - needed + 1, 0)
        keys = np.empty(int(prefixes.sum()), np.uint64)
        filled = 0
        for begin in range(0, len(prefixes), SORTED):
            some = np.flatnonzero(prefixes[begin : begin + SORTED]) + begin
            numbers = prefixes[some]
            items = np.repeat(some, numbers)
            offsets = np.arange(len(items)) - np.repeat(np.cumsum(numbers) - numbers, numbers)
            mine = self.words[np.repeat(self.starts[some], numbers) + offsets]
            keys[filled : filled + len(items)] = (mine.astype(np.uint64) << _ITEM_BITS) | items.astype(np.uint64)
            filled += len(items)
        return keys

    def _sharing(self, words: Codes, items: Places, cut: NDArray[np.bool_]) -> Iterator[Places]:
        """Pairs of items that have a word in common. `cut`: by item, whether it has more than are looked at."""
        lengths = self.lengths[items]
        order = np.lexsort((items, lengths, words))
        words, items, lengths = words[order], items[order], lengths[order]
        parts, equal, signatures = self.parts[items], self.equal[items], self.signatures[items]
        waiting: list[Places] = []
        number = 0
        places = np.arange(len(items))
        for apart in range(1, MAX_COMPARED + 1):
            # Sorted by word and length: what no longer fits at this distance fits at none.
            places = places[places + apart < len(items)]
            after = places + apart
            fits = (words[places] == words[after]) & (NEAR * lengths[after] <= lengths[places] + 1e-9)
            places, after = places[fits], after[fits]
            if not len(places):
                break
            # A bit that one text alone has set is a word that it alone has, and near texts have few such words.
            apart_most = (1 - NEAR) / (1 + NEAR) * (lengths[places] + lengths[after]) + 1e-6
            differ = np.bitwise_count(signatures[places] ^ signatures[after]) <= apart_most
            differ &= (parts[places] != parts[after]) & (equal[places] != equal[after])
            waiting.append(np.stack([items[places[differ]], items[after[differ]]], axis=1))
            number += int(differ.sum())
            if number >= CHUNK:
                yield np.concatenate(waiting)
                waiting, number = [], 0
        else:
            cut[items[places]] = True
        if waiting:
            yield np.concatenate(waiting)

    def _alike(self, pairs: Places) -> Places:
        """Those of the pairs whose texts are nearly the same, the lower item first."""
        pairs = np.unique(np.sort(pairs, axis=1), axis=0)
        kept = [self._near(pairs[begin : begin + CHUNK]) for begin in range(0, len(pairs), CHUNK)]
        return np.concatenate([np.zeros((0, 2), np.int64), *kept])

    def _near(self, pairs: Places) -> Places:
        width = int(self.words.max(initial=0)) + 1
        keys = [self._keys(pairs[:, side], width) for side in (0, 1)]
        # Both are sorted: a pair's keys follow each other, and within it the words.
        where = np.searchsorted(keys[1], keys[0])
        where[where == len(keys[1])] = 0
        both = keys[1][where] == keys[0] if len(keys[1]) else np.zeros(len(keys[0]), bool)
        common = np.bincount(keys[0][both] // width, minlength=len(pairs))
        union = self.lengths[pairs[:, 0]] + self.lengths[pairs[:, 1]] - common
        near: Places = pairs[common >= NEAR * union - 1e-9]
        return near

    def _keys(self, items: Places, width: int) -> Places:
        lengths = self.lengths[items]
        rows = np.repeat(np.arange(len(items)), lengths)
        offsets = np.arange(len(rows)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        keys: Places = rows * width + self.words[np.repeat(self.starts[items], lengths) + offsets]
        return keys
