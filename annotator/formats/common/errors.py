"""What readers say about files: errors that stop them, and warnings that do not."""

from __future__ import annotations

import re
from dataclasses import dataclass

from annotator.domain.messages import Message, Quoted, Sentence, in_marks, message
from annotator.domain.messages import gettext_noop as _

_WITH_COMMA = re.compile(r"[-+]?\d*,\d+")


class FormatError(Exception):
    """A file that cannot be read: nothing of it was taken over.

    `line` counts from 1, and is 0 where no line is at fault (a file that is not there).
    `str` gives "file:line: expected …, got …" in English; `expected` and `got` may be sentences to be translated.
    `ends_file`: whether more of that file would follow, which cannot be understood; set by `base.up_to_its_end`.
    """

    ends_file = False

    def __init__(self, path: str, line: int, expected: Sentence, got: Sentence = "") -> None:
        # All arguments go to Exception, or the error could not be pickled on its way out of a worker.
        super().__init__(path, line, expected, got)
        self.path = path
        self.line = line
        self.expected = expected
        self.got = got

    @property
    def message(self) -> Message:
        """All of it in one sentence."""
        problem = (
            message(_("expected %(expected)s, got %(got)s"), expected=self.expected, got=self.got)
            if self.got
            else message(_("expected %(expected)s"), expected=self.expected)
        )
        place = f"{self.path}:{self.line}" if self.line else self.path
        return message("%(place)s: %(problem)s", place=place, problem=problem)

    def __str__(self) -> str:
        return str(self.message)


class UnevenError(FormatError):
    """Files that belong together, or a file and the dataset that it goes with, have different numbers of sentences."""


class ContentRefused(FormatError):
    """What somebody could not write on a page either: `expected` is the whole sentence that says so there."""

    @property
    def message(self) -> Message:
        return message("%(place)s: %(problem)s", place=f"{self.path}:{self.line}", problem=self.expected)


@dataclass(frozen=True)
class FormatWarning:
    """Something unusual in a file that was read nevertheless; `line` counts from 1."""

    path: str
    line: int
    what: Sentence

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.what}"


def quote(text: str, limit: int = 300) -> Quoted:
    """A piece of a file for a message: in quotes, invisible characters escaped, long ones cut with "…"."""
    cut = text if len(text) <= limit else text[:limit] + "…"
    shown = "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in cut)
    return in_marks(shown)


def quote_number(text: str) -> Sentence:
    """What stands where a number was expected; of one with a decimal comma, what to do about it."""
    if _WITH_COMMA.fullmatch(text.strip()):
        return message(_("%(number)s, which has a decimal comma: use a point"), number=quote(text, 80))
    return quote(text, 80)
