"""The rows of a comparison as they are found: counted by cells, kept in a file, and numbered cell by cell.

A cell is what rows can be filtered by: `state`, `outcome`, `label`, `other_label`, `language`, `dataset`. `results` of
a comparison has `cells` in their order, each with its `count`, and with `rows`, how many of these are stored.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from itertools import accumulate
from typing import IO, Any

from annotator.models import Comparison, ComparisonRow

Json = dict[str, Any]
MAX_LEMMA = 200


@dataclass(frozen=True, slots=True, order=True)
class Cell:
    """The values that rows share. `label` is of the left side or the source, `other_label` of the other one."""

    state: str
    outcome: str = ""
    label: str = ""
    other_label: str = ""
    language: str = ""
    dataset: str = ""


def _file() -> IO[str]:
    return tempfile.TemporaryFile("w+", encoding="utf-8")


@dataclass
class Collector:
    """Cells with their counts, and rows in a temporary file: memory does not grow with the corpus."""

    counts: dict[Cell, int] = field(default_factory=dict)
    stored: dict[Cell, int] = field(default_factory=dict)
    _file: IO[str] = field(default_factory=_file)

    def count(self, cell: Cell) -> None:
        """Count what has no row."""
        self.counts[cell] = self.counts.get(cell, 0) + 1

    def add(self, cell: Cell, content: Json, lemma: str = "", other_lemma: str = "") -> None:
        """Count a row, and keep it."""
        self.count(cell)
        self.stored[cell] = self.stored.get(cell, 0) + 1
        self._file.write(json.dumps([asdict(cell), lemma.lower(), other_lemma.lower(), content]) + "\n")

    @property
    def size(self) -> int:
        return sum(self.stored.values())

    def cells(self) -> list[Json]:
        """The cells in the order of their rows."""
        return [
            {**asdict(cell), "count": self.counts[cell], "rows": self.stored.get(cell, 0)}
            for cell in sorted(self.counts)
        ]

    def rows(self, comparison: Comparison) -> Iterator[ComparisonRow]:
        """The rows with their numbers, those of a cell in the order in which they were found."""
        order = sorted(self.counts)
        begins = [0, *accumulate(self.stored.get(cell, 0) for cell in order)]
        following = dict(zip(order, begins, strict=False))
        self._file.seek(0)
        for line in self._file:
            values, lemma, other_lemma, content = json.loads(line)
            cell = Cell(**values)
            yield ComparisonRow(
                comparison_id=comparison.pk,
                number=following[cell],
                lemma=lemma[:MAX_LEMMA],
                other_lemma=other_lemma[:MAX_LEMMA],
                content=content,
            )
            following[cell] += 1


@dataclass(frozen=True)
class Computed:
    """A comparison that is not stored yet: what its results hold beside the cells, and its rows."""

    collected: Collector
    last_event: int
    results: Json
