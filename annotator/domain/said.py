"""Sentences for people that the domain says in English, with gaps, so that a page can say them in its language.

A text is the key of the catalogues, as everywhere; `gettext_noop` marks it for `make messages` and does nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field


def gettext_noop(text: str) -> str:
    """The text as it is: for the catalogues."""
    return text


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence or a part of one; `gaps` fills what is written `%(name)s`. As text, it is in English."""

    text: str
    gaps: Mapping[str, object] = field(default_factory=dict, hash=False)

    def __str__(self) -> str:
        return self.translated(str)

    def translated(self, gettext: Callable[[str], str]) -> str:
        """The sentence as `gettext` says it; so are parts of it that fill gaps."""
        text = gettext(self.text)
        if not self.gaps:
            return text
        return text % {
            name: gap.translated(gettext) if isinstance(gap, Said) else gap for name, gap in self.gaps.items()
        }


Sentence = str | Said
"""A sentence, or data that reads the same in every language."""


def say(text: str, /, **gaps: object) -> Said:
    """A sentence with what fills its gaps."""
    return Said(text, gaps)


def said_by(error: BaseException) -> Sentence:
    """What an error says: a sentence where it is one of ours."""
    return error.said if isinstance(error, SaidError) else str(error)


class SaidError(ValueError):
    """An error whose text is a sentence for the person: `said`, which can be translated."""

    def __init__(self, text: str | Said, **gaps: object) -> None:
        # All that was given goes to the base class, or the error could not be pickled on its way out of a worker.
        self.said = text if isinstance(text, Said) else Said(text, gaps)
        super().__init__(self.said)
