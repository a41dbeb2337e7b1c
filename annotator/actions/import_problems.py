"""What is wrong with files that are imported: named by file and line, counted, and listed whole in a file."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from django.utils.translation import gettext as _

from annotator.actions.errors import in_words
from annotator.domain.formats.errors import FormatError, FormatWarning

ERROR = "error"
WARNING = "warning"
COLUMNS = ("severity", "file", "line", "expected", "got")
# What is kept at hand of a list of any length.
SHOWN = 100


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong (an error) or unusual (a warning). Without `got`, `expected` is the whole sentence.

    `line` counts from 1, and is 0 where no line is at fault.
    """

    severity: str
    file: str
    line: int
    expected: str
    got: str = ""

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}: " if self.line else f"{self.file}: " if self.file else ""
        if not self.got:
            return place + self.expected
        return place + _("expected %(expected)s, got %(got)s") % {"expected": self.expected, "got": self.got}


def problem_of(read: FormatError | FormatWarning) -> Problem:
    """What a reader found."""
    if isinstance(read, FormatWarning):
        return Problem(WARNING, read.path, read.line, in_words(read.what))
    expected, got = in_words(read.expected), in_words(read.got)
    return Problem(
        ERROR, read.path, read.line, expected if got else _("expected %(expected)s") % {"expected": expected}, got
    )


class Problems:
    """Takes problems as they are found: counts all, keeps the first ones, and writes all to a file where there is one.

    Errors come first among those that are kept.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.errors: list[Problem] = []
        self.warnings: list[Problem] = []
        self.error_count = 0
        self.warning_count = 0
        self._file: TextIO | None = None
        self._said: set[Problem] = set()
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = path.open("w", encoding="utf-8", newline="")
            self._rows = csv.writer(self._file)
            self._rows.writerow(COLUMNS)

    def add(self, problem: Problem) -> None:
        """One more."""
        if problem.severity == ERROR:
            self.error_count += 1
            kept = self.errors
        else:
            self.warning_count += 1
            kept = self.warnings
        if len(kept) < SHOWN:
            kept.append(problem)
        if self._file is not None:
            self._rows.writerow([getattr(problem, name) for name in COLUMNS])

    def add_once(self, problem: Problem, *, about: str = "") -> None:
        """One more, unless the same was said before: what a whole column or language has in common."""
        key = Problem(problem.severity, about, 0, problem.expected, problem.got)
        if key not in self._said:
            self._said.add(key)
            self.add(problem)

    def first(self) -> list[Problem]:
        """Those that are shown."""
        return [*self.errors, *self.warnings][:SHOWN]

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None


def problem_lines(path: Path) -> Iterator[str]:
    """The list that `Problems` wrote, line by line."""
    with path.open(encoding="utf-8", newline="") as file:
        yield from file
