"""What is wrong with files that are imported: named by file and line, counted, and listed in a file."""

from __future__ import annotations

import csv
import uuid
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from io import TextIOWrapper
from pathlib import Path
from typing import TextIO

from annotator.core.errors import translate
from annotator.core.files.part_file import PARTS
from annotator.core.files.storage import site_files
from annotator.domain.messages import Message, Sentence, by_number, message
from annotator.domain.messages import gettext_noop as _
from annotator.formats.common.errors import ContentRefused, FormatError, FormatWarning
from annotator.formats.common.records import PairRecord, Record
from annotator.models import ImportDraft

ERROR = "error"
WARNING = "warning"
# The list's name in the draft's folder.
_LIST = "problems.csv"
COLUMNS = ("severity", "file", "line", "expected", "got")
# What is shown, and what is kept at hand, of a list of any length.
SHOWN = 100
MAX_KEPT = 1000
# Warnings that the file lists: each names its file, and a packed file of blank lines has any number of them.
MAX_LISTED = 10_000


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong (an error) or unusual (a warning). Without `got`, `expected` is the whole sentence.

    `line` counts from 1, and is 0 where no line is at fault.
    """

    severity: str
    file: str
    line: int
    expected: Sentence
    got: Sentence = ""

    @property
    def message(self) -> Message:
        """All of it in one sentence."""
        place = f"{self.file}:{self.line}: " if self.line else f"{self.file}: " if self.file else ""
        problem = (
            message(_("expected %(expected)s, got %(got)s"), expected=self.expected, got=self.got)
            if self.got
            else self.expected
        )
        return message("%(place)s%(problem)s", place=place, problem=problem)

    def __str__(self) -> str:
        return translate(self.message)


def problem_of(read: FormatError | FormatWarning) -> Problem:
    """What a reader found."""
    if isinstance(read, FormatWarning):
        return Problem(WARNING, read.path, read.line, read.what)
    is_whole = bool(read.got) or isinstance(read, ContentRefused)
    expected = read.expected if is_whole else message(_("expected %(expected)s"), expected=read.expected)
    return Problem(ERROR, read.path, read.line, expected, read.got)


class Problems:
    """Takes problems as they are found: counts all, keeps the first ones, and lists them in a file where there is one.

    Errors come first among those that are kept. The file's last row says how many warnings it does not list.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.errors: list[Problem] = []
        self.warnings: list[Problem] = []
        self.error_count = 0
        self.warning_count = 0
        self._file: TextIO | None = None
        self._said: set[tuple[str | None, str, str]] = set()
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = path.open("w", encoding="utf-8", newline="")
            self._rows = csv.writer(self._file)
            self._rows.writerow(COLUMNS)

    def add(self, problem: Problem) -> None:
        """One more."""
        if problem.severity == ERROR:
            self.error_count += 1
            listed = self.errors
        else:
            self.warning_count += 1
            listed = self.warnings
        if len(listed) < MAX_KEPT:
            listed.append(problem)
        if self._file is not None and (problem.severity == ERROR or self.warning_count <= MAX_LISTED):
            self._list(problem)

    def error(self, read: Record | PairRecord | None, expected: str, got: str = "", *, once: str | None = None) -> None:
        """Something is wrong at a record; with `once`, said only the first time about that: what a whole column or
        language has in common."""
        file, line = (read.file, read.line) if read is not None else ("", 0)
        key = (once, expected, got)
        if once is None or key not in self._said:
            self._said.add(key)
            self.add(Problem(ERROR, file, line, expected, got))

    def warn(self, read: Record, expected: str) -> None:
        """Something is unusual at a record."""
        self.add(Problem(WARNING, read.file, read.line, expected))

    def note(self, notes: Sequence[str]) -> None:
        """Warnings about all of the files, which are not lost among many of single lines."""
        del self.warnings[max(MAX_KEPT - len(notes), 0) :]
        for what in notes:
            self.add(Problem(WARNING, "", 0, what))

    def first(self) -> list[Problem]:
        """Those that are shown."""
        return [*self.errors[:SHOWN], *self.warnings[:SHOWN]][:SHOWN]

    def close(self) -> None:
        if self._file is None:
            return
        if self.warning_count > MAX_LISTED:
            more = self.warning_count - MAX_LISTED
            what = by_number(
                more, _("one more warning, which is not listed"), _("%(more)s more warnings, which are not listed")
            )
            self._list(Problem(WARNING, "", 0, message(what, more=f"{more:,}")))
        self._file.close()
        self._file = None

    def _list(self, problem: Problem) -> None:
        expected, got = translate(problem.expected), translate(problem.got)
        self._rows.writerow([problem.severity, problem.file, problem.line, expected, got])


@contextmanager
def kept_problems(draft: ImportDraft) -> Iterator[Problems]:
    """Takes what is wrong with a draft's files. The list is the draft's then, in the place of an earlier one."""
    files = site_files()
    part = f"{PARTS}/{uuid.uuid4().hex}"
    try:
        with closing(Problems(files.here(part))) as problems:
            yield problems
    finally:
        files.publish(part)
        files.rename(part, draft.file(_LIST))


def problems_csv(draft: ImportDraft) -> Iterator[str]:
    """All that is wrong with the draft's files, as the lines of a CSV file: severity, file, line, expected, got.

    Of a preview of large files that is not whole, only what is at hand.
    """
    with (
        suppress(FileNotFoundError),
        site_files().open(draft.file(_LIST)) as file,
        TextIOWrapper(file, encoding="utf-8", newline="") as lines,
    ):
        yield from lines
