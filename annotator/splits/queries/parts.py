"""The table of a split's parts, as pages and files have it: the stored rows, and their sums."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from annotator.domain.statistics import ALL
from annotator.models import Split
from annotator.reports.queries.reports import Report, share
from annotator.splits.queries.stored import LABELLED, UNDECIDED, UNLABELLED, TableRow, table_of

_STATES = (LABELLED, UNLABELLED, UNDECIDED)


def parts_report(split: Split) -> Report:
    """Items, tokens and gold of each part in each language, and of all parts. Shares are in per cent: of items in those
    of all parts, of labelled tokens in tokens, of labelled items or each tag in items."""
    rows = list(_with_sums(table_of(split)))
    found = {state for row in rows for state in row.states}
    # What has values to choose from is never labelled or without a label.
    states = [state for state in _STATES if state in found] + sorted(found - {*_STATES})
    names = ["part", "language", *(name for name in ("role", "inference") if any(getattr(row, name) for row in rows))]
    tokens = any(row.tokens for row in rows)
    columns = [*names, "items", "%", *(("labelled_tokens", "tokens", "%") if tokens else ())]
    shared = {state for state in states if state not in (UNLABELLED, UNDECIDED)}
    columns += [column for state in states for column in (state, *(("%",) if state in shared else ()))]
    # The last row of a language is all of it.
    whole = {row.language: row.items for row in rows}
    as_json, cells = [], []
    for row in rows:
        counted: dict[str, Any] = {"items": row.items}
        shown = [*(getattr(row, name) for name in names), str(row.items), share(row.items, whole[row.language])]
        if tokens:
            counted |= {"labelled_tokens": row.labelled_tokens, "tokens": row.tokens}
            shown += [str(row.labelled_tokens), str(row.tokens), share(row.labelled_tokens, row.tokens)]
        for state in states:
            number = row.states.get(state, 0)
            counted[f"gold_{state}"] = number
            shown += [str(number), *([share(number, row.items)] if state in shared else [])]
        as_json.append({**{name: getattr(row, name) for name in names}, **counted})
        cells.append(tuple(shown))
    return Report(tuple(as_json), tuple(columns), tuple(cells))


def _with_sums(rows: Sequence[TableRow]) -> Iterator[TableRow]:
    """The rows of each language by part, those of a part followed by their sum where there are several, and then the
    same of all parts."""
    for language in dict.fromkeys(row.language for row in rows):
        mine = [row for row in rows if row.language == language]
        groups = [(part, [row for row in mine if row.part == part]) for part in dict.fromkeys(row.part for row in mine)]
        for part, some in [*groups, (ALL, mine)]:
            cells = list(dict.fromkeys((row.role, row.inference) for row in some))
            for cell in cells:
                yield _sum(part, cell, [row for row in some if (row.role, row.inference) == cell])
            if len(cells) > 1:
                role, inference = (ALL if any(cell[place] for cell in cells) else "" for place in (0, 1))
                yield _sum(part, (role, inference), some)


def _sum(part: str, cell: tuple[str, str], rows: Sequence[TableRow]) -> TableRow:
    states: Counter[str] = Counter()
    for row in rows:
        states.update(row.states)
    return TableRow(
        part,
        rows[0].language,
        *cell,
        sum(row.items for row in rows),
        sum(row.tokens for row in rows),
        sum(row.labelled_tokens for row in rows),
        states,
    )
