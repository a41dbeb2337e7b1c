"""Tables for a terminal."""

from __future__ import annotations

from collections.abc import Collection, Sequence


def aligned(rows: Sequence[Sequence[str]], *, text_columns: Collection[int] = (0,)) -> str:
    """The rows as lines: columns as wide as their widest cell, `text_columns` to the left, numbers to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = (
        "  ".join(
            cell.ljust(width) if number in text_columns else cell.rjust(width)
            for number, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    )
    return "\n".join(line.rstrip() for line in lines)


def percent(part: int, whole: int) -> str:
    """Two decimals; "-" of nothing."""
    return f"{100 * part / whole:.2f}" if whole else "-"
