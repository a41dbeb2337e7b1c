"""What a check finds: how much the files hold, what of it would be new, and what is wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from annotator.formats.common.errors import FormatWarning
from annotator.formats.common.records import PairRecord, Record
from annotator.imports.reading.counts import Counts
from annotator.imports.reading.problems import ERROR, WARNING, Problem, Problems
from annotator.imports.reading.source import Entry
from annotator.imports.reading.staging import IncomingAnswer
from annotator.imports.reading.summary import MAX_LISTED, ImportSummary

# Sentences and pairs that a preview shows.
MAX_FIRST = 20


@dataclass(frozen=True, slots=True)
class FirstRecord:
    """One of the first records: whether the project has it, and by language the answers that come in with it."""

    entry: Entry
    is_known: bool
    answers: Mapping[str, Sequence[IncomingAnswer]]


@dataclass
class Findings:
    """`summary` says what would be new, `problems` what is wrong."""

    summary: ImportSummary
    problems: Problems
    counts: Counts = field(default_factory=Counts)
    first: list[FirstRecord] = field(default_factory=list)
    first_pairs: list[PairRecord] = field(default_factory=list)
    # Uids of records whose segments somebody set aside here.
    aside: list[str] = field(default_factory=list)
    # Whether all of the files was read; whether a part of them could not be understood.
    is_whole: bool = True
    is_cut: bool = False
    # Whether there are more sentences than they are to go with, or fewer.
    is_uneven: bool = False
    # How many records can be compared, language with language, and in which languages.
    compared: int = 0
    languages: list[str] = field(default_factory=list)

    def error(self, read: Record | PairRecord | None, expected: str, got: str = "", *, once: str | None = None) -> None:
        """Something is wrong at a record; with `once`, said only the first time about that."""
        file, line = (read.file, read.line) if read is not None else ("", 0)
        problem = Problem(ERROR, file, line, expected, got)
        if once is None:
            self.problems.add(problem)
        else:
            self.problems.add_once(problem, about=once)

    def add(self, problem: Problem) -> None:
        """List a problem; a warning is kept with what was imported, too."""
        self.problems.add(problem)
        if problem.severity == WARNING and len(self.summary.warnings) < MAX_LISTED:
            self.summary.warnings.append(FormatWarning(problem.file, problem.line, problem.expected))

    def add_notes(self, notes: Sequence[Problem]) -> None:
        """As `add`, for what is said once of all the files: it is not lost among many warnings of single lines."""
        del self.summary.warnings[max(MAX_LISTED - len(notes), 0) :]
        for note in notes:
            self.add(note)

    def differs(self, name: str) -> None:
        """Note that the project's gold on something is not that of the files."""
        _list(self.summary.differing, name)

    def is_outdated(self, name: str) -> None:
        """Note that the text of some labels has a newer revision here."""
        _list(self.summary.outdated, name)


def _list(names: list[str], name: str) -> None:
    if len(names) < MAX_LISTED:
        names.append(name)
