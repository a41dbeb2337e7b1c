"""Sentences for people that the domain says in English, with gaps, so that a page can say them in its language.

A text is the key of the catalogues, as everywhere; `gettext_noop` marks it for `make messages` and does nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

# What the gaps of our own sentences look like. A width, as in %(name)99999999d, would fill the memory.
_GAP = re.compile(r"%(?:%|\(\w+\)(?:s|d|\.\df))")


def gettext_noop(text: str) -> str:
    """The text as it is: for the catalogues."""
    return text


_ = gettext_noop
_QUOTED = _("“%(text)s”")


class Quoted(str):
    """Data in quotation marks: as text in those of English, else in those of the language in which it is said."""

    __slots__ = ()

    def translated(self, gettext: Callable[[str], str]) -> str:
        """It, in the quotation marks that `gettext` knows."""
        return gettext(_QUOTED) % {"text": self[1:-1]}


@dataclass(frozen=True, slots=True)
class Message:
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
            name: gap.translated(gettext) if isinstance(gap, Message | Quoted) else gap
            for name, gap in self.gaps.items()
        }

    def to_json(self) -> dict[str, Any]:
        """For a row that keeps it; gaps that are neither text nor numbers are kept as text."""
        return {"text": self.text, "gaps": {name: _stored(gap) for name, gap in self.gaps.items()}}

    @classmethod
    def from_json(cls, data: Any) -> Message:
        """What `to_json` wrote. Raises ValueError for anything else: rows also come from archives."""
        try:
            text, gaps = data["text"], data["gaps"]
            found = cls(
                text, {name: cls.from_json(gap) if isinstance(gap, dict) else gap for name, gap in gaps.items()}
            )
            if not isinstance(text, str) or not text or (gaps and "%" in _GAP.sub("", text)):
                raise ValueError(f"no sentence with gaps: {text}")
            str(found)
        except (AttributeError, KeyError, OverflowError, RecursionError, TypeError) as error:
            raise ValueError(f"no sentence with gaps: {error}") from error
        return found


def _stored(gap: object) -> Any:
    if isinstance(gap, Message):
        return gap.to_json()
    if isinstance(gap, Quoted):
        return Message(_QUOTED, {"text": gap[1:-1]}).to_json()
    return gap if isinstance(gap, int | float) else str(gap)


Sentence = str | Message
"""A sentence, or data that reads the same in every language."""


def message(text: str, /, **gaps: object) -> Message:
    """A sentence with what fills its gaps."""
    return Message(text, gaps)


def by_number(number: int, one: str, several: str) -> str:
    """That of two sentences which fits a number: "1 cell", "2 cells". Both are keys of the catalogues."""
    return one if number == 1 else several


def joined(parts: Sequence[Sentence], between: str = ", ") -> Message:
    """Sentences, or parts of one, after each other."""
    names = [f"part{number}" for number in range(1, len(parts) + 1)]
    return Message(between.join(f"%({name})s" for name in names), dict(zip(names, parts, strict=True)))


def in_marks(text: str) -> Quoted:
    """Data in quotation marks."""
    return Quoted(_QUOTED % {"text": text})


def message_of(error: BaseException) -> Sentence:
    """What an error says: a sentence where it is one of ours."""
    found = getattr(error, "message", None)
    return found if isinstance(found, str | Message) else str(error)


class UserError(Exception):
    """An error whose message is for a person: `message`, a text as it is, or a sentence that can be translated."""

    def __init__(self, message: Sentence = "") -> None:
        # All that was given goes to the base class, or the error could not be pickled on its way out of a worker.
        super().__init__(message)
        self.message = message


class InvalidError(UserError, ValueError):
    """An error whose text is a sentence for the person: `message`, which can be translated."""

    message: Message

    def __init__(self, text: str | Message, **gaps: object) -> None:
        super().__init__(text if isinstance(text, Message) else Message(text, gaps))
