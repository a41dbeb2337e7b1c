"""Marked expressions: units that are a sentence with some of its tokens marked, to be rated or compared.

The end of a segment's uid names the tokens ("news-4:rated:labels:3-4.7"). How they come about: `derivation.py`.
"""

from __future__ import annotations

from collections.abc import Collection

from annotator.core.unit_kinds import Closed, Reworded
from annotator.domain.text.revision import moved_tokens
from annotator.domain.text.tokens import bare, text_of
from annotator.models import Unit

UNIT_KIND = "marked-expression"
# Four of them, to be compared.
TUPLE_KIND = "marked-tuple"
# Why an expression is closed, as events say it.
CHANGED = "marked expression changed"


def key_of(tokens: Collection[int]) -> str:
    """Tokens as the end of a uid: runs of them.

    >>> key_of([7, 3, 4])
    '3-4.7'
    """
    return ".".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in _runs(tokens))


def tokens_of(unit: Unit) -> list[int]:
    """The tokens of an expression, in order. The unit comes with its segment."""
    found: list[int] = []
    for run in end_of(unit).split("."):
        first, _sign, last = run.partition("-")
        found += range(int(first), int(last or first) + 1)
    return found


def words_of(unit: Unit, between: str = " ") -> str:
    """The words of an expression, without the punctuation around each; `between`: what stands for others in between."""
    pieces = (" ".join(filter(None, (bare(unit.tokens[token]) for token in run))) for run in _runs(tokens_of(unit)))
    return between.join(filter(None, pieces))


def with_brackets(unit: Unit) -> str:
    """The sentence as lists name it: `Prices [have climbed] again.`"""
    marked = set(tokens_of(unit))
    tokens = [
        f"{'[' if at in marked and at - 1 not in marked else ''}{token}"
        f"{']' if at in marked and at + 1 not in marked else ''}"
        for at, token in enumerate(unit.tokens)
    ]
    return text_of(tokens, unit.spaces)


def wording(unit: Unit, before: Unit, after: Unit) -> Reworded | Closed:
    """A sentence with the expression where its words stand now; closed where one of them is another word."""
    moved = moved_tokens(before.tokens, after.tokens)
    positions = tokens_of(unit)
    found = [moved[place] for place in positions if place in moved]
    if len(found) < len(positions):
        return Closed(CHANGED)
    return Reworded(tuple(after.tokens), tuple(after.spaces), key=key_of(found))


def _runs(tokens: Collection[int]) -> list[list[int]]:
    """Tokens that follow each other, together."""
    runs: list[list[int]] = []
    for token in sorted(set(tokens)):
        if runs and token == runs[-1][-1] + 1:
            runs[-1].append(token)
        else:
            runs.append([token])
    return runs


def end_of(unit: Unit) -> str:
    """The key of an expression. The unit comes with its segment."""
    return unit.segment.uid.rpartition(":")[2]
