"""A sentence with one marked word: `a laid-back <b>approach</b>.`

The word may be a part of what stands between two spaces (`<b>week</b>'s`), and may occur again elsewhere in the
sentence: the mark says which one is meant.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from annotator.domain.messages import InvalidError
from annotator.domain.messages import gettext_noop as _
from annotator.domain.text.invisible_chars import is_seen
from annotator.domain.text.tokens import bare, text_of

OPEN, CLOSE = "<b>", "</b>"
# As `tokens.tokenise`: only U+0020 separates tokens.
_PARTS = re.compile(r" +|[^ ]+")


class MarkError(InvalidError):
    """A sentence whose mark cannot be read; the text is a sentence for the person."""


@dataclass(frozen=True, slots=True)
class Marked:
    """The text before the word, the word, and the text after it, with all white space."""

    before: str
    word: str
    after: str

    @property
    def text(self) -> str:
        return f"{self.before}{self.word}{self.after}"

    def __str__(self) -> str:
        return f"{self.before}{OPEN}{self.word}{CLOSE}{self.after}"

    @property
    def is_part(self) -> bool:
        """Whether letters continue before or after the word: “un<b>real</b>”. So they do in scripts without spaces."""
        return _goes_on(self.before[-1:], self.word[:1]) or _goes_on(self.word[-1:], self.after[:1])

    def check_one_word(self) -> None:
        """Raises MarkError where several words are marked, or spaces around one, or nothing that has a letter."""
        if len(self.word.split()) > 1 or self.word != self.word.strip():
            raise MarkError(_("the marked text “%(word)s” is not one word"), word=self.word)
        if not any(character.isalpha() for character in self.word):
            raise MarkError(_("the marked text “%(word)s” has no letter"), word=self.word)

    def with_word(self, word: str) -> Marked:
        """The sentence with another word in the place of the marked one, and marked."""
        return Marked(self.before, word, self.after)

    def blank(self, blank: str = "____") -> str:
        """The text with a blank in the place of the word."""
        return f"{self.before}{blank}{self.after}"

    def tokens(self) -> tuple[list[str], list[str], int]:
        """Tokens, the white space around them (as `tokens.white_space`), and which token is the word.

        The word is always a token of its own, also where other characters are attached to it.
        """
        before, left = _parts(self.before)
        after, right = _parts(self.after)
        tokens, spaces = [*before, self.word, *after], [*left, *right]
        return tokens, [] if text_of(tokens) == self.text else spaces, len(before)


def _goes_on(left: str, right: str) -> bool:
    return all(one and unicodedata.category(one)[0] in "LMN" for one in (left, right))


def _parts(text: str) -> tuple[list[str], list[str]]:
    """The tokens of a text, and what stands before each of them and after the last one: always one space more."""
    tokens: list[str] = []
    spaces = [""]
    for part in _PARTS.findall(text):
        if part[0] == " ":
            spaces[-1] = part
        else:
            tokens.append(part)
            spaces.append("")
    return tokens, spaces


def read_marked(text: str) -> Marked:
    """The sentence that is written with its mark. Raises MarkError where there is no mark, or more than one."""
    opened, closed = text.count(OPEN), text.count(CLOSE)
    if (opened, closed) != (1, 1) or text.index(OPEN) > text.index(CLOSE):
        if opened == closed == 0:
            raise MarkError(_("no word is marked with <b> and </b>"))
        if opened == closed == 1:
            raise MarkError(_("</b> comes before <b>"))
        raise MarkError(
            _("one word must be marked with one <b> and one </b> after it, but there are %(opened)d and %(closed)d"),
            opened=opened, closed=closed,
        )  # fmt: skip
    before, rest = text.split(OPEN)
    word, after = rest.split(CLOSE)
    if not is_seen(word):
        raise MarkError(_("nothing is marked between <b> and </b>"))
    return Marked(before, word, after)


def marked_at(tokens: Sequence[str], spaces: Sequence[str], position: int) -> Marked:
    """The sentence with its token at `position` marked, all of it: undoes `Marked.tokens`.

    Raises ValueError where there is no such token.
    """
    if not 0 <= position < len(tokens):
        raise ValueError(f"There is no token {position} among {len(tokens)}.")
    around = list(spaces) or ["", *(" " for _ in tokens[1:]), ""]
    # `text_of` of a part: what stands before its first token and after its last one included.
    before = text_of(tokens[:position], around[: position + 1])
    after = text_of(tokens[position + 1 :], around[position + 1 :])
    return Marked(before, tokens[position], after)


def mark_token(tokens: Sequence[str], spaces: Sequence[str], position: int) -> Marked:
    """As `marked_at`, with punctuation that is attached to the word left outside of the mark.

    Raises ValueError for a token that is punctuation only, or is not there.
    """
    whole = marked_at(tokens, spaces, position)
    word = bare(whole.word)
    if not word:
        raise ValueError(f"{whole.word!r} is punctuation only.")
    begin = whole.word.index(word)
    return Marked(whole.before + whole.word[:begin], word, whole.word[begin + len(word) :] + whole.after)
