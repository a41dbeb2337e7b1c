"""What brat's places count: characters, as brat itself does, or what other programs make of them.

The words that stand beside each label tell: programs in Java and JavaScript count UTF-16 units, some count a line break
of two characters as one, and some the byte order mark.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate

from annotator.domain.messages import Sentence, message
from annotator.domain.messages import gettext_noop as _
from annotator.formats.common.lines import read_bytes
from annotator.formats.common.protocol import SourceFile

Places = tuple[tuple[int, int], ...]
# Places of a label, and the words that stand beside them; None where none do.
Given = tuple[Places, str | None]


def found_places(file: SourceFile, text: str, given: Sequence[Given]) -> tuple[list[Places | None], Sentence]:
    """The places in `text`, the document with one character a line break; None for a label whose words do not stand
    there. And what is to be said of how they were counted, "" where they count characters.
    """
    best: list[Places | None] = [None] * len(given)
    best_note: Sentence = ""
    for where, note in _ways(file, text):
        found = [_placed(places, words, where, text) for places, words in given]
        if sum(map(bool, found)) > sum(map(bool, best)):
            best, best_note = found, note
        if all(best):
            break
    return best, best_note


def _ways(file: SourceFile, text: str) -> Iterator[tuple[Sequence[int], Sentence]]:
    """For each way of counting, where a place lies in the text."""
    raw = read_bytes(file.path, file.name).decode(file.encoding, errors="replace")
    bare = raw.removeprefix("\ufeff")
    # What each character of the file takes in the text: of CR LF the one is nothing.
    steps = [0 if raw[at : at + 2] == "\r\n" else 1 for at in range(len(raw))] if "\r\n" in raw else [1] * len(raw)
    steps = steps[len(raw) - len(bare) :]
    as_is = [0, *accumulate(steps)]
    yield as_is, ""
    yield list(range(len(text) + 1)), ""
    yield [0, *as_is], ""
    what = message(_("positions count UTF-16 units, because only then do they match the words"))
    wide = [2 if character > "\uffff" else 1 for character in bare]
    yield _widened(as_is, wide), what
    yield _widened(range(len(text) + 1), [2 if character > "\uffff" else 1 for character in text]), what


def _widened(where: Sequence[int], widths: Sequence[int]) -> list[int]:
    found = [where[0]]
    for at, width in enumerate(widths):
        # Inside a character there is no place.
        found += [-1] * (width - 1) + [where[min(at + 1, len(where) - 1)]]
    return found


def _placed(places: Places, words: str | None, where: Sequence[int], text: str) -> Places | None:
    if any(end >= len(where) for _begin, end in places):
        return None
    found = tuple((where[begin], where[end]) for begin, end in places)
    if any(begin < 0 or end < 0 for begin, end in found):
        return None
    there = " ".join(text[begin:end] for begin, end in found)
    return found if words is None or "".join(there.split()) == "".join(words.split()) else None
