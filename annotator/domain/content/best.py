"""The best of the words that were written, two equally good ones, or none: `{"words": ["method"], "none": false}`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from annotator.domain.content.base import Content, ContentError, Scheme
from annotator.domain.content.whole import Whole
from annotator.domain.messages import gettext_noop as _

MAX_WORDS = 2


def most_proposed(counted: Sequence[tuple[str, int]]) -> list[str]:
    """Of words with how many people wrote each, the one that most did, or two that equally many did. None where more
    than two share the first place: then somebody chooses among them."""
    most = max((count for _word, count in counted), default=0)
    found = [word for word, count in counted if count == most > 0]
    return found if len(found) <= MAX_WORDS else []


class Best(Whole):
    """Up to two of the unit's tokens, which are the words to choose from. In their order there, whatever was sent."""

    slug = "best"
    dimensions = ("units",)
    together = (("words", "none"),)

    def empty(self) -> Content:
        return {"words": [], "none": False}

    def texts_in(self, content: Content) -> list[str]:
        return list(content["words"])

    def check(self, content: Any, *, scheme: Scheme, tokens: Sequence[str], done: bool) -> Content:
        if (
            not isinstance(content, dict)
            or content.keys() != {"words", "none"}
            or not isinstance(content["none"], bool)
            or not isinstance(content["words"], list)
            or not all(isinstance(word, str) for word in content["words"])
        ):
            raise ContentError(
                _("A choice of the best must be an object with a list of words and “none”, true or false.")
            )
        words, none = content["words"], content["none"]
        for word in words:
            if word not in tokens:
                raise ContentError(
                    _("“%(word)s” is not among the words to choose from: %(words)s."),
                    word=word,
                    words=", ".join(tokens),
                )
        if len(words) > MAX_WORDS or len(set(words)) != len(words):
            raise ContentError(_("Choose the best word, or two different ones that are equally good."))
        if words and none:
            raise ContentError(_("Choose words, or say that none is good, but not both."))
        if done and not words and not none:
            raise ContentError(_("Choose the best word, or say that none is good."))
        return {"words": sorted(words, key=list(tokens).index), "none": none}

    def key(self, content: Content) -> tuple[frozenset[str], bool]:
        return frozenset(content["words"]), content["none"]

    def is_labelled(self, content: Content) -> bool:
        return bool(content["words"])

    def observations(self, content: Content, *, tokens: Sequence[str], dimension: str) -> list[str]:
        # Words differ from unit to unit; in brackets, which no word begins with, is what holds everywhere.
        return [" = ".join(content["words"]) or "(none)"]

    def agreement(self, one: Content, other: Content, *, tokens: Sequence[str]) -> float:
        """Shared words among all that either chose; "none" counts as a word."""
        a, b = (set(content["words"]) or {None} for content in (one, other))
        return len(a & b) / len(a | b)

    def leading(self, contents: Sequence[Content]) -> Content:
        """What has most votes, or two words that share them. Nothing where more do."""
        top = self._top(contents)
        if top == [None]:
            return {"words": [], "none": True}
        words = [word for word in top if word is not None]
        return {"words": words, "none": False} if len(words) == len(top) <= MAX_WORDS else self.empty()

    def winner(self, contents: Sequence[Content]) -> Content | None:
        """What the votes decide: what all chose, or else the word, or "none", with more votes than any other.

        None where votes are equal: that is for a person to decide.
        """
        if contents and len({self.key(content) for content in contents}) == 1:
            return contents[0]
        return self.leading(contents) if len(self._top(contents)) == 1 else None

    def carry(self, content: Content, *, before: Sequence[str], after: Sequence[str]) -> Content:
        """What can still be chosen."""
        return {**content, "words": [word for word in content["words"] if word in after]}

    def lost(self, content: Content, *, before: Sequence[str], after: Sequence[str]) -> list[str]:
        return [word for word in content["words"] if word not in after]

    @staticmethod
    def _top(contents: Sequence[Content]) -> list[str | None]:
        """The words with the most votes; None among them stands for "none". Half a vote each where two were chosen."""
        votes: Counter[str | None] = Counter()
        for content in contents:
            # In halves, so that all of it is whole numbers.
            chosen = content["words"] or ([None] if content["none"] else [])
            for word in chosen:
                votes[word] += 2 // len(chosen)
        return [word for word, count in votes.items() if count == max(votes.values())]


BEST = Best()
