"""Words that would stand in a sentence grammatically and mean something else, each with the sense that it is from:
`{"words": [{"word": "coming", "sense": "the act of drawing near", "synset": "oewn-00"}], "none": false}`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from annotator.domain.content.base import Content, ContentError, Difference, Scheme
from annotator.domain.content.whole import Whole
from annotator.domain.messages import gettext_noop as _
from annotator.domain.text.one_word import WordError, one_word, word_key

MAX_WORDS = 10
MAX_SENSE_LENGTH = 1000
WORDS, FOUND = "words", "found"
_PARTS = ("word", "sense", "synset")
# The difference between those who give words and those who say that there is none. No word has a space.
_ALL = "all words"


class Inapt(Whole):
    """Up to ten words, or that there is none. `sense`: a dictionary's, as free text; `synset`: an id of WordNet."""

    slug = "inapt"
    # Whether there is any, and which.
    dimensions = (FOUND, WORDS)

    def empty(self) -> Content:
        return {"words": [], "none": False}

    def texts_in(self, content: Content) -> list[str]:
        return [one["word"] for one in content["words"]]

    def check(self, content: Any, *, scheme: Scheme, tokens: Sequence[str], done: bool) -> Content:
        if (
            not isinstance(content, dict)
            or content.keys() != {"words", "none"}
            or not isinstance(content["none"], bool)
            or not isinstance(content["words"], list)
        ):
            raise ContentError(_("Inapt words must be an object with a list of words and “none”, true or false."))
        words = [checked for checked in map(_checked, content["words"]) if any(checked.values())]
        if any(not one["word"] for one in words) and done:
            raise ContentError(_("A sense has no word. Write the word, or remove the sense."))
        keys = [word_key(one["word"]) for one in words if one["word"]]
        if len(set(keys)) != len(keys):
            raise ContentError(_("The same word appears twice. Write another one, or keep only one."))
        if len(words) > MAX_WORDS:
            raise ContentError(_("A sentence can have at most %(most)d inapt words."), most=MAX_WORDS)
        if words and content["none"]:
            raise ContentError(_("Write inapt words, or say that there are none, but not both."))
        if done and not words and not content["none"]:
            raise ContentError(_("Write an inapt word, or say that there is none."))
        return {"words": words, "none": content["none"]}

    def key(self, content: Content) -> tuple[Any, ...]:
        rows = {(word_key(one["word"]), one["sense"], one["synset"]) for one in content["words"]}
        return frozenset(rows), content["none"]

    def is_labelled(self, content: Content) -> bool:
        return bool(content["words"])

    def values(self, scheme: Scheme, dimension: str) -> tuple[str, ...]:
        return ("inapt", "none") if dimension == FOUND else ()

    def observations(self, content: Content, *, tokens: Sequence[str], dimension: str) -> list[str]:
        if dimension == FOUND:
            return ["inapt" if content["words"] else "none"]
        return [" + ".join(sorted(map(word_key, self.texts_in(content)))) or "(none)"]

    def agreement(self, one: Content, other: Content, *, tokens: Sequence[str]) -> float:
        """Shared words among all that either wrote; "none" counts as a word."""
        # No word is empty, so that this one stands for "none".
        a, b = (set(map(word_key, self.texts_in(content))) or {""} for content in (one, other))
        return len(a & b) / len(a | b)

    def merge(self, contents: Sequence[Content]) -> Content:
        """The words that all have with the same sense; where there is no such word, "none" if all say so."""
        if not contents:
            return self.empty()
        differing = {difference.key for difference in self.differences(contents, tokens=())}
        if _ALL in differing:
            return self.empty()
        words = [one for one in contents[0]["words"] if word_key(one["word"]) not in differing]
        return {"words": words, "none": not words and all(content["none"] for content in contents)}

    def differences(self, contents: Sequence[Content], *, tokens: Sequence[str]) -> list[Difference]:
        """Word by word; where some say that there is none, all of it is one difference."""
        if len({content["none"] for content in contents}) > 1:
            return [Difference(_ALL)]
        words = {word: None for content in contents for word in map(word_key, self.texts_in(content))}
        return [Difference(word) for word in words if len({_said_of(content, word) for content in contents}) > 1]

    def part(self, content: Content, difference: Difference, *, shared: Content) -> Content:
        if difference.key == _ALL:
            return dict(content)
        return {"words": [one for one in content["words"] if word_key(one["word"]) == difference.key], "none": False}

    def joined(self, shared: Content, parts: Sequence[Content]) -> Content:
        every = (shared, *parts)
        return {"words": [one for each in every for one in each["words"]], "none": any(one["none"] for one in every)}


def _said_of(content: Content, word: str) -> frozenset[tuple[str, str]]:
    """The senses that a content gives a word, by its key."""
    return frozenset((one["sense"], one["synset"]) for one in content["words"] if word_key(one["word"]) == word)


def _checked(given: Any) -> dict[str, str]:
    """One word of a content in its one spelling."""
    if (
        not isinstance(given, Mapping)
        or given.keys() != set(_PARTS)
        or not all(isinstance(text, str) for text in given.values())
    ):
        raise ContentError(_("An inapt word must be an object with the strings word, sense and synset."))
    try:
        word = one_word(given["word"])
    except WordError as error:
        raise ContentError(error.message) from error
    sense, synset = " ".join(given["sense"].split()), given["synset"].strip()
    if max(len(sense), len(synset)) > MAX_SENSE_LENGTH:
        raise ContentError(_("A sense can have at most %(most)d characters."), most=MAX_SENSE_LENGTH)
    return {"word": word, "sense": sense, "synset": synset}


INAPT = Inapt()
