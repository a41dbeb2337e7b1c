"""Whether quotation marks enclose the cells of tables with tabs: what programs write, and what people type."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.formats.common.enclosing import (
    CELLS_IN_MARKS,
    below_enclosed_names,
    enclosing_of,
    unwrapped,
    wrapped,
)

_cell = st.text(st.sampled_from('ab ",1.'), max_size=6)
_rows = st.lists(st.tuples(_cell, _cell), min_size=1, max_size=4)


@given(_rows, st.sampled_from(sorted(CELLS_IN_MARKS)))
def test_what_is_read_is_written_as_it_was(rows: list[tuple[str, str]], name: str) -> None:
    written = [tuple(wrapped(cell, name) for cell in row) for row in rows]
    found = enclosing_of(written)
    if found == "none":
        return
    read = [[unwrapped(cell) or ("" if cell == '""' else cell) for cell in row] for row in written]
    assert [tuple(wrapped(cell, found) for cell in row) for row in read] == written


@given(_rows)
def test_what_the_csv_module_writes_is_read_as_it_was(rows: list[tuple[str, str]]) -> None:
    out = io.StringIO()
    csv.writer(out, delimiter="\t", lineterminator="\n").writerows(rows)
    written = [tuple(line.split("\t")) for line in out.getvalue().split("\n")[:-1]]
    expected = "minimal" if any('"' in cell for row in rows for cell in row) else "none"
    assert enclosing_of(written) == expected


@pytest.mark.parametrize(
    ("rows", "name"),
    [
        ([('"So it goes."', "It goes.")], "none"),
        ([('He said "no".', "He left.")], "none"),
        ([('"He said ""no""."', 'He said "no".')], "none"),
        ([('"He said ""no""."', '"Well, no."'), ("He left.", "He went.")], "excel"),
        ([('"He said ""no""."', "Well, no."), ("He left.", "He went.")], "minimal"),
        ([('"He left."', '"He went."', "0.5"), ('"It rains."', '"It is wet."', "1")], "text"),
        ([('"He left."', '"He went."', '"0.5"')], "all"),
        ([('"He said ""no""."', '"He went."', ""), ('"He left."', '"Gone."', "1")], "filled"),
        ([('"So it goes."', '"So it went."', "")], "none"),
        ([("He left.", "He went.")], "none"),
        # Numbers that nothing encloses are like all others that nothing encloses.
        ([("1", "0.5")], "none"),
    ],
)
def test_the_way_is_told_by_all_cells(rows: list[tuple[str, ...]], name: str) -> None:
    assert enclosing_of(rows) == name


@pytest.mark.parametrize(
    ("rows", "enclosed"),
    [
        ([('"a"', '"b"'), ('"c"', "d")], True),
        ([('"a"', "b"), ('"c"', "d")], False),
        ([('"a"', '"b"'), ('say "c"', "d")], False),
        ([], False),
    ],
)
def test_names_in_marks_tell_it_of_all_below_them(rows: list[tuple[str, ...]], enclosed: bool) -> None:
    assert below_enclosed_names(rows) is enclosed
