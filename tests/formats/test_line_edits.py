"""Edits of a file's lines: what was done can be done again, undone, and read piece by piece."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.formats.common.errors import FormatWarning
from annotator.formats.common.line_edits import DROP, INSERT, KINDS, MERGE, SWAP, EditedLines, LineEdit, merged

LINES = ["one", "two", "three", "four", "five", "six"]


def naive(lines: list[str], edits: list[LineEdit]) -> list[str]:
    """As somebody would do it in an editor."""
    found = list(lines)
    for edit in edits:
        at = edit.line - 1
        if edit.what == DROP:
            del found[at]
        elif edit.what == INSERT:
            found.insert(at, "")
        elif edit.what == SWAP:
            found[at], found[at + 1] = found[at + 1], found[at]
        else:
            found[at : at + 2] = [merged(found[at : at + 2])]
    return found


def read(lines: list[str], edits: list[LineEdit]) -> list[str]:
    return [text for _number, text in EditedLines(edits).read(enumerate(lines, 1))]


@st.composite
def edited(draw: Any) -> tuple[list[str], list[LineEdit]]:
    lines = draw(st.lists(st.text("abc", min_size=1, max_size=3), min_size=1, max_size=12))
    number, edits = len(lines), []
    for _ in range(draw(st.integers(0, 12))):
        what = draw(st.sampled_from(KINDS))
        last = {INSERT: number + 1, DROP: number}.get(what, number - 1)
        if last < 1:
            continue
        edits.append(LineEdit(what, draw(st.integers(1, last))))
        number += {INSERT: 1, DROP: -1, MERGE: -1}.get(what, 0)
    return lines, edits


@given(edited())
def test_it_reads_what_an_editor_would_have_written(case: tuple[list[str], list[LineEdit]]) -> None:
    lines, edits = case
    assert read(lines, edits) == naive(lines, edits)
    assert EditedLines(edits).count(len(lines)) == len(naive(lines, edits))


@given(edited())
def test_undoing_one_by_one_gives_the_file_as_it_came(case: tuple[list[str], list[LineEdit]]) -> None:
    lines, edits = case
    for kept in range(len(edits), -1, -1):
        assert read(lines, edits[:kept]) == naive(lines, edits[:kept])
    assert read(lines, []) == lines


@given(edited(), st.integers(1, 15), st.integers(1, 5))
def test_a_window_is_a_part_of_the_whole(case: tuple[list[str], list[LineEdit]], start: int, count: int) -> None:
    lines, edits = case
    whole = naive(lines, edits)
    origins = EditedLines(edits).origins(start, min(count, max(len(whole) - start + 1, 0)))
    assert [merged([lines[number - 1] for number in origin]) for origin in origins] == whole[start - 1 :][:count]


@given(edited())
def test_each_line_of_the_file_is_found_where_it_is_now(case: tuple[list[str], list[LineEdit]]) -> None:
    lines, edits = case
    now = EditedLines(edits)
    origins = now.origins(1, now.count(len(lines)))
    for place, origin in enumerate(origins, 1):
        for number in origin:
            assert now.line_of(number) == place


def test_a_line_keeps_the_number_that_it_has_in_the_file() -> None:
    edits = [LineEdit(DROP, 2), LineEdit(INSERT, 2), LineEdit(MERGE, 4), LineEdit(SWAP, 4)]
    assert list(EditedLines(edits).read(enumerate(LINES, 1))) == [
        (1, "one"), (1, ""), (3, "three"), (6, "six"), (4, "four five"),
    ]  # fmt: skip


def test_what_comes_with_the_lines_is_passed_on_at_the_end() -> None:
    warning = FormatWarning("a.txt", 6, "odd")
    assert list(EditedLines([LineEdit(DROP, 6)]).read([*enumerate(LINES, 1), warning]))[-1] is warning


def test_a_million_lines_are_not_held() -> None:
    now = EditedLines([LineEdit(DROP, 500_000), LineEdit(SWAP, 700_000)])
    assert now.origins(499_999, 3) == [(499_999,), (500_001,), (500_002,)]
    assert now.origins(700_000, 2) == [(700_002,), (700_001,)]
    assert now.count(1_000_000) == 999_999


@pytest.mark.parametrize(
    ("texts", "one"), [(["a", "b"], "a b"), (["a", ""], "a"), (["", ""], ""), ([], ""), ([" a "], " a ")]
)
def test_merging_puts_a_space_between_texts(texts: list[str], one: str) -> None:
    assert merged(texts) == one
