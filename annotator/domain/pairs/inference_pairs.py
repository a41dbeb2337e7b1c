"""Pairs of sentences for inference, as IMPLI has them: how each was made, and which of its files it is in."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from annotator.domain.silver import Rule
from annotator.domain.text.tokens import tokenise, word_of

UNIT_KIND = "inference-pair"
LINES = 2
# What somebody else says of a pair without knowing its label: does the second sentence follow from the first?
FOLLOWS = "follows"
YES, NO = "yes", "no"

MANUAL, MANUAL_ANTONYMS = "manual", "manual_antonyms"
FIGURATIVE, LITERAL = "fig_context", "lit_context"
ADVERSARIAL, ANTONYM = "adversarial_definition", "antonym_definition"
# In the order of tables; the longer ones of those that begin alike first.
_WAYS = (MANUAL_ANTONYMS, MANUAL, FIGURATIVE, LITERAL, ADVERSARIAL, ANTONYM)
_NAME = re.compile(r"[a-z0-9]+(?:[_-][a-z0-9]+)*")
_NAME_BETWEEN = re.compile("[_-]")
_PARTS = re.compile(r"[\s()\[\]]+")


@dataclass(frozen=True, slots=True)
class PairClass:
    """`way`: how it was made ("manual", "fig_context", …); `entailed`: its label."""

    way: str
    entailed: bool

    @property
    def follows(self) -> str:
        """Its label as an answer to whether the second sentence follows."""
        return YES if self.entailed else NO

    def __str__(self) -> str:
        return f"{self.way}_{'e' if self.entailed else 'ne'}"

    def file_name(self, source: str = "") -> str:
        """The published name of the file with such pairs; `source` names where sentences are from.

        >>> PairClass("fig_context", True).file_name("semeval")
        'fig_context_semeval_e.tsv'
        """
        label = "e" if self.entailed else "ne"
        # Of adversarial definitions, the published name has the source last.
        parts = [self.way, label, source] if self.way in (ADVERSARIAL, ANTONYM) else [self.way, source, label]
        return f"{'_'.join(part for part in parts if part)}.tsv"


BY_RULE = {
    Rule.FIGURATIVE_DEFINITION: PairClass(FIGURATIVE, True),
    Rule.LITERAL_DEFINITION: PairClass(LITERAL, False),
    Rule.FIGURATIVE_ADVERSARIAL: PairClass(ADVERSARIAL, False),
    Rule.FIGURATIVE_ANTONYM: PairClass(ANTONYM, False),
}
PARAPHRASE = PairClass(MANUAL, True)
CHANGED = PairClass(MANUAL, False)
OPPOSITE = PairClass(MANUAL_ANTONYMS, False)


def class_of(name: str) -> PairClass | None:
    """The class of the pairs in a file with this name (also with folders); None where the name says none.

    One of its words is "e" or "ne". A way that is not known here is taken as it stands. What file managers add to the
    published name of a copy is skipped: "Copia de manual_e.tsv", "manual_e (1).tsv".
    """
    words = _words(name)
    labels = [word for word in words if word in ("e", "ne")]
    rest = "_".join(word for word in words if word not in ("e", "ne"))
    if len(labels) != 1 or not rest:
        return None
    way = next((way for way in _WAYS if rest == way or rest.startswith(f"{way}_")), rest)
    return PairClass(way, labels[0] == "e")


def has_published_way(name: str) -> bool:
    """Whether a file is called as the published ones are, whatever it says of the label ("manual.tsv", too)."""
    return _is_published(_words(name))


def _words(name: str) -> list[str]:
    """The words of a name; of that of a copy, those of the published name in it. None of one in other characters."""
    stem = PurePosixPath(name).name.split(".")[0].lower()
    if _NAME.fullmatch(stem):
        return _NAME_BETWEEN.split(stem)
    parts = [_NAME_BETWEEN.split(part) for part in _PARTS.split(stem) if _NAME.fullmatch(part)]
    published = [words for words in parts if _is_published(words)]
    return published[0] if len(published) == 1 else []


def _is_published(words: Sequence[str]) -> bool:
    rest = "_".join(word for word in words if word not in ("e", "ne"))
    return any(rest == way or rest.startswith(f"{way}_") for way in _WAYS)


def compared(text: str) -> list[str]:
    """The words of a text as they are compared: without capitals and punctuation."""
    return [word for word in map(word_of, tokenise(text.replace("\n", " "))) if word]
