"""The places in the index of lemmas that an import brings: sorted over many sentences, written a few at a time.

Those of a transaction then stand beside each other in the two large indexes, and few pages change. How many they are
goes by the time that they take, since on SQLite anyone who saves waits until the transaction ends.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from annotator.core.database.bulk import Insert
from annotator.models import LemmaPlace
from annotator.work.lexicon.actions.lemmas import PLACE

# In a transaction. In steps, since each number of rows is a statement that is prepared and kept.
MAX_CHUNK, STEP = 5000, 250
# What the rows of a transaction may take.
SECONDS = 0.003
SORTED_TOGETHER = 50_000

_Row = tuple[Any, ...]


class Places:
    """Keeps rows until there are many, and gives them to `write`, each part for a transaction."""

    def __init__(self, write: Callable[[Insert], None]) -> None:
        self._write = write
        # By language and lemma.
        self._unsorted: dict[tuple[str, str], list[_Row]] = {}
        self._number = 0
        self._sorted: list[_Row] = []
        self._written = 0
        self._fitting = float(MAX_CHUNK)

    @property
    def at_once(self) -> int:
        """Rows of the next transaction."""
        return max(int(self._fitting) // STEP, 1) * STEP

    def add(self, rows: Sequence[_Row]) -> None:
        """Keep these, and write some of those that came before."""
        for row in rows:
            self._unsorted.setdefault((row[1], row[2]), []).append(row)
        self._number += len(rows)
        if self._number >= SORTED_TOGETHER:
            self._sort()
        # Twice as many as come, so that none are left when the next ones are sorted.
        self._write_until(self._written + 2 * len(rows) + 1)

    def finish(self) -> None:
        """Write all that are left."""
        self._sort()
        self._write_until(len(self._sorted))

    def took(self, seconds: float) -> None:
        """Say how long the rows of the last transaction took, by which the next ones become more or fewer."""
        fitting = self.at_once * SECONDS / max(seconds, 1e-6)
        # Halfway there: one transaction in which the process was held up says little.
        self._fitting = max(STEP, min(MAX_CHUNK, (self._fitting + fitting) / 2))

    def _sort(self) -> None:
        self._write_until(len(self._sorted))
        self._sorted = [row for _lemma, rows in sorted(self._unsorted.items()) for row in rows]
        self._unsorted.clear()
        self._number = 0

    def _write_until(self, end: int) -> None:
        while self._written < min(end, len(self._sorted)):
            some = self._sorted[self._written : self._written + self.at_once]
            self._written += len(some)
            self._write(Insert(LemmaPlace, PLACE, some))
        if self._written == len(self._sorted):
            # Not kept while the next ones come.
            self._sorted, self._written = [], 0
