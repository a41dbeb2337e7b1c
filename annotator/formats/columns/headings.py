"""Whether the first row of a table names its columns, where no name is one that we know."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

_LONGEST = 60
_MAX_WORDS = 4
_ENDS = ".!?…。！？｡؟"
_CLOSING = "\"'”’»)]}」』"
# A cell of text has as many words, on average.
_TEXT = 3.0
# Columns are seldom without exception.
_MAJORITY = 0.9
_HALF = 0.5
# Of texts of one word, hardly any are the same.
_VARIED = 0.75
_ANSWERS = {"true", "false", "yes", "no", "sí", "si", "y", "n", "t", "f", "verdadero", "falso"}
# Letters of scripts that write no spaces, so that a sentence is one word by them.
UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
)


def could_be_heading(first: Sequence[str]) -> bool:
    """Whether a first row could be a heading: its cells are short, and neither sentences nor numbers."""
    cells = [cell.strip() for cell in first if cell.strip()]
    return bool(cells) and not any(not _is_short(cell) or _is_sentence(cell) or _is_number(cell) for cell in cells)


def looks_like_heading(first: Sequence[str], body: Sequence[Sequence[str]]) -> bool:
    """Whether the first row is plainly something else than those below it.

    Its cells are short, and none of them is a sentence or a number. Above a column of numbers that is enough; above
    columns of text they must differ from each of them. Without rows below, nothing is plain.
    """
    cells = [cell.strip() for cell in first]
    if not body or not any(cells) or not all(_is_short(cell) for cell in cells if cell):
        return False
    columns = [[row[index].strip() for row in body if index < len(row)] for index in range(len(cells))]
    numbers = [index for index, column in enumerate(columns) if _share(column, _is_number) >= _MAJORITY]
    if numbers:
        return not any(_is_number(cells[index]) for index in numbers) and any(cells[index] for index in numbers)
    texts = [index for index, column in enumerate(columns) if _words(column) >= _TEXT]
    return bool(texts) and all(cells[index] and _differs(cells[index], columns[index]) for index in texts)


def are_sentences(cells: Sequence[str]) -> bool:
    """Whether most cells have several words, end as sentences do, or are of a script that writes no spaces."""
    return _share(cells, _is_like_a_sentence) >= _HALF


def end_as_sentences(cells: Sequence[str]) -> bool:
    """Whether hardly any cell does not end as sentences do."""
    return _share(cells, _is_sentence) >= _MAJORITY


def are_texts(cells: Sequence[str], *, beside: bool, varied: bool) -> bool:
    """Whether cells are texts, be it of one word each: yes and no alone are none. `beside`: what has one word each may
    be ids as well; `varied`: what is often the same is not text."""
    if all(cell.lower() in _ANSWERS for cell in cells):
        return False
    if are_sentences(cells):
        return True
    words = sum(cell.replace("'", "").replace("’", "").isalpha() for cell in cells)
    is_varied = len(set(cells)) >= _VARIED * len(cells)
    return not beside and words >= _MAJORITY * len(cells) and (is_varied or not varied)


def _is_like_a_sentence(cell: str) -> bool:
    words = sum(any(character.isalpha() for character in word) for word in cell.split())
    return words > 1 or (words == 1 and (_is_sentence(cell) or len(UNSPACED.findall(cell)) > 1))


def _is_short(cell: str) -> bool:
    return len(cell) < _LONGEST and len(cell.split()) <= _MAX_WORDS


def _differs(cell: str, column: Sequence[str]) -> bool:
    """Whether a cell ends otherwise than the sentences below it, or has fewer words than nearly all of them."""
    if _is_sentence(cell):
        return False
    words = len(cell.split())
    is_shorter = words <= _words(column) / 2 and _share(column, lambda other: len(other.split()) > words) >= _MAJORITY
    return is_shorter or _share(column, _is_sentence) >= _MAJORITY


def _is_sentence(cell: str) -> bool:
    return cell.rstrip(_CLOSING).endswith(tuple(_ENDS))


def _is_number(cell: str) -> bool:
    return bool(cell) and cell.replace(".", "").replace(",", "").isdecimal()


def _words(column: Sequence[str]) -> float:
    return sum(len(cell.split()) for cell in column) / len(column) if column else 0.0


def _share(column: Sequence[str], is_so: Callable[[str], bool]) -> float:
    filled = [cell for cell in column if cell]
    return sum(map(is_so, filled)) / len(filled) if filled else 0.0
