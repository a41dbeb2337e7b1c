"""Whether lines, or the rows of a table, have a token each: then a sentence continues over several of them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from annotator.domain.text.tokens import is_punctuation
from annotator.formats.columns.headings import UNSPACED
from annotator.formats.text.tagged import as_bio, is_tag

# Fewer tell nothing.
_FEWEST = 3
# So many words, one per line, are not sentences, though nothing else says so.
_MANY = 20
_ONE_WORD = 0.95
_EVEN = 0.9
_MAX_COLUMNS = 60
_FINAL = (".", "!", "?", "…", "؟")
_TAG = re.compile(r"[A-Z][A-Z0-9$+:._-]*|_|O")


def token_rows(lines: Sequence[str]) -> bool:
    """Whether a text has a token per line, by itself or with others beside it in columns."""
    rows, gaps, is_spaced = _split(lines)
    if len(rows) < _FEWEST:
        return False
    width = max(map(len, rows))
    if width == 1:
        words = [row[0] for row in rows]
        if sum(" " not in word.strip() for word in words) < _ONE_WORD * len(words) or _is_unspaced(words):
            return False
        if sum(word.endswith(_FINAL) and not is_punctuation(word) for word in words) * 4 > len(words):
            # “Yes.” is a sentence of one word.
            return False
        marks = sum(map(is_punctuation, words))
        return bool(gaps) or bool(marks) or len(words) >= _MANY
    counts = [len(row) for row in rows]
    usual = max(set(counts), key=counts.count)
    if usual < 2 or usual > _MAX_COLUMNS or counts.count(usual) < _EVEN * len(rows):
        return False
    even = [row for row in rows if len(row) == usual]
    if is_spaced and not _are_tags([row[-1] for row in even]):
        return False
    return is_a_token_a_row(even, gaps=gaps)


def is_a_token_a_row(rows: Sequence[Sequence[str]], *, gaps: int = 0) -> bool:
    """Whether rows of cells have a token each. `gaps`: how often a blank line stands between several of them."""
    width = max(map(len, rows), default=0)
    columns = [[row[at].strip() for row in rows if at < len(row)] for at in range(width)]
    columns = [filled for column in columns if (filled := [cell for cell in column if cell])]
    full = [column for column in columns if len(column) * 2 >= len(rows)]
    if len(rows) < _FEWEST or not full or any(_is_text(column) for column in full):
        return False
    words = [column for column in full if _has_words(column)]
    if not words or _is_unspaced([cell for column in words for cell in column]):
        return False
    marks = any(any(map(is_punctuation, column)) for column in words)
    tags = any(all(is_tag(as_bio(cell)) for cell in column) and len(set(column)) > 1 for column in columns)
    return len(columns) > 1 and (bool(gaps) or marks or tags)


def _split(lines: Sequence[str]) -> tuple[list[list[str]], int, bool]:
    """The rows of cells, how many blank lines stand between groups of several, and whether spaces separate cells."""
    filled = [line for line in lines if line.strip()]
    tabs = sum("\t" in line.strip() for line in filled)
    is_spaced = tabs * 2 < len(filled)
    rows: list[list[str]] = []
    gaps = size = 0
    for line in lines:
        if not line.strip():
            gaps += size > 1
            size = 0
            continue
        size += 1
        if not line.startswith(("#", "-DOCSTART-")):
            rows.append(line.split() if is_spaced else line.rstrip().split("\t"))
    # What stands at the end separates nothing.
    return rows, gaps if size or gaps > 1 else 0, is_spaced


def _are_tags(cells: Sequence[str]) -> bool:
    tags = [cell for cell in cells if _TAG.fullmatch(cell)]
    return len(tags) >= _EVEN * len(cells) and len(set(tags)) * 2 <= max(len(tags), 4)


def _is_text(column: Sequence[str]) -> bool:
    """Whether some of the cells have several words, or lists."""
    several = sum(cell.startswith("[") or sum(map(_is_word, cell.split())) > 1 for cell in column)
    return several > (1 - _ONE_WORD) * len(column)


def _is_word(part: str) -> bool:
    return any(character.isalpha() for character in part)


def _has_words(column: Sequence[str]) -> bool:
    return sum(map(_is_word, column)) * 2 > len(column)


def _is_unspaced(cells: Sequence[str]) -> bool:
    letters = [character for cell in cells for character in cell if character.isalpha()]
    return sum(bool(UNSPACED.match(letter)) for letter in letters) * 2 > len(letters)
