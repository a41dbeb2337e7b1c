"""A text that is fixed: where its tokens begin and end, which of them stayed, and which are to be decided again."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

from annotator.domain.text.tokens import text_of, tokenise

# What separates tokens in a text that somebody typed. No other white space does (`domain/text/tokens.py`).
SEPARATORS = " \t\r\n"
# Characters before times characters after, as far as they differ: beyond that a comparison takes seconds.
MAX_COMPARED = 4_000_000


def moved_tokens(before: Sequence[str], after: Sequence[str]) -> dict[int, int]:
    """Where the tokens that stayed are now: old index to new index."""
    moved: dict[int, int] = {}
    for block in SequenceMatcher(a=list(before), b=list(after), autojunk=False).get_matching_blocks():
        moved |= {block.a + offset: block.b + offset for offset in range(block.size)}
    return moved


def changed_tokens(before: Sequence[str], after: Sequence[str]) -> list[int]:
    """Indices of the tokens of `after` that were not in `before`, in order: nobody has decided on them."""
    stayed = set(moved_tokens(before, after).values())
    return [index for index in range(len(after)) if index not in stayed]


def retokenised(tokens: Sequence[str], spaces: Sequence[str], text: str) -> list[str]:
    """The tokens of a new text. Tokens are split at spaces; where nothing changed, boundaries stay as they were.

    So a comma that was a token of its own stays one, a token with a space in it keeps it, and texts without spaces
    (zh, ja, th) keep their words. What is put in between belongs to the token before it.

    >>> retokenised(["It", "rains", "."], ["", " ", "", ""], "It pours, and rains.")
    ['It', 'pours,', 'and', 'rains', '.']
    """
    old = text_of(tokens, spaces)
    cuts, inside = _boundaries(tokens, spaces)
    if not cuts and not inside and not set(SEPARATORS[1:]) & set(text):
        return list(tokenise(text))
    place = _stayed(old, text)
    inner = {place[at] for at in inside if at in place}
    begins = set()
    for at in cuts:
        if at in place:
            begins.add(place[at])
        elif at - 1 in place:
            begins.add(place[at - 1] + 1)
    found: list[str] = []
    open_ = False
    for at, character in enumerate(text):
        if character in SEPARATORS and at not in inner:
            open_ = False
            continue
        if open_ and at not in begins:
            found[-1] += character
        else:
            found.append(character)
        open_ = True
    return found


def _boundaries(tokens: Sequence[str], spaces: Sequence[str]) -> tuple[list[int], list[int]]:
    """Where one token ends and the next begins with nothing between them, and the separators inside tokens."""
    cuts: list[int] = []
    inside: list[int] = []
    at = 0
    for index, token in enumerate(tokens):
        gap = len(spaces[index]) if spaces else int(index > 0)
        if index and not gap:
            cuts.append(at)
        at += gap
        inside += [at + place for place, character in enumerate(token) if character in SEPARATORS]
        at += len(token)
    return cuts, inside


def _stayed(old: str, new: str) -> dict[int, int]:
    """Where the characters that stayed are now. Where both texts differ in too much, the middle is all new."""
    shortest = min(len(old), len(new))
    head = next((at for at in range(shortest) if old[at] != new[at]), shortest)
    tail = next((at for at in range(shortest - head) if old[-1 - at] != new[-1 - at]), shortest - head)
    place = {at: at for at in range(head)}
    place |= {len(old) - 1 - at: len(new) - 1 - at for at in range(tail)}
    middle, other = old[head : len(old) - tail], new[head : len(new) - tail]
    if len(middle) * len(other) <= MAX_COMPARED:
        for block in SequenceMatcher(a=middle, b=other, autojunk=False).get_matching_blocks():
            place |= {head + block.a + offset: head + block.b + offset for offset in range(block.size)}
    return place
