"""What a check finds: how much the files hold, what of it would be new, and what is wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from annotator.formats.common.records import PairRecord
from annotator.imports.reading.counts import Counts
from annotator.imports.reading.problems import Problems
from annotator.imports.reading.source import Entry
from annotator.imports.reading.staging import IncomingAnswer
from annotator.imports.reading.summary import ImportSummary

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
