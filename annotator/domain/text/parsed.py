"""What can be told of words by a parse with parts of speech and dependencies, whichever engine made it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from annotator.domain.text.tokens import offsets, text_of

# What a word is to the one on which it depends, where both are inside one phrase: as Universal Dependencies call it,
# then as spaCy's English models do. Without what follows a colon ("nmod:poss").
_INSIDE = frozenset({"amod", "compound", "det", "fixed", "flat", "goeswith", "nmod", "nummod"})
_INSIDE_IN_SPACY = frozenset({"nn", "poss", "predet", "quantmod"})
# Of those, what a word is to one before it: the phrase is not over before such a word.
_GOES_ON = frozenset({"compound", "fixed", "flat", "goeswith"})
_VERBS = frozenset({"AUX", "VERB"})


@dataclass(frozen=True, slots=True)
class Word:
    """A word as an engine splits a text: characters `begin` to before `end`.

    `tag` is its part of speech as in Universal Dependencies; `head` is the index of the word on which it depends, its
    own for a root, and `relation` is what it is to that word.
    """

    begin: int
    end: int
    tag: str
    head: int
    relation: str


Parse = tuple[Word, ...]


@dataclass(slots=True)
class ParsedParser:
    """Knows of words what an engine's parses say. `parse` is asked for texts that it does not know yet."""

    name: str
    parse: Callable[[Sequence[str]], Sequence[Parse]]
    _known: dict[str, Parse] = field(default_factory=dict)

    def learn(self, texts: Iterable[str]) -> None:
        """Have all that is not known yet parsed at once, which is faster than one by one."""
        missing = [text for text in dict.fromkeys(texts) if text not in self._known]
        if missing:
            self._known.update(zip(missing, self.parse(missing), strict=True))

    def begins_with(self, tokens: Sequence[str], at: int, lemma: str) -> str:
        found = [word for _index, word in self._words(tokens, at)]
        tag = next((word.tag for word in found if word.tag != "PUNCT"), "")
        return "VERB" if tag in _VERBS else tag

    def ends_inside(self, tokens: Sequence[str], end: int) -> bool:
        """Whether a last word depends on one after `end` within a phrase, or the next one so on one before."""
        if end == len(tokens):
            return False
        last, follows = self._words(tokens, end - 1), self._words(tokens, end)
        if not last or not follows or last[-1][1].tag == "PUNCT" or follows[0][1].tag == "PUNCT":
            return False
        first, after = follows[0]
        # Of a preposition that ends an expression ("a cut above the rest"), what it governs is in no phrase with it.
        inside = any(
            word.head >= first and word.tag != "ADP" and _relation(word) in _INSIDE | _INSIDE_IN_SPACY
            for _index, word in last
        )
        return inside or (after.head < first and _relation(after) in _GOES_ON)

    def _words(self, tokens: Sequence[str], at: int) -> list[tuple[int, Word]]:
        """The words in a token, with their indices: of "don't", two."""
        text = text_of(tokens)
        self.learn([text])
        begin, end = offsets(tokens)[at]
        return [(index, word) for index, word in enumerate(self._known[text]) if word.begin < end and begin < word.end]


def _relation(word: Word) -> str:
    return word.relation.partition(":")[0].lower()
