"""Whether the languages of an import go together line by line: a line that one lacks must not shift the rest."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypedDict

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotator.core.processes.child_process import Child
from annotator.imports.reading.findings import Findings
from annotator.imports.reading.problems import ERROR, WARNING, Problem
from annotator.imports.reading.source import Terms
from annotator.imports.reading.staging import StagingStore, Texts, compared_in

if TYPE_CHECKING:
    from annotator.domain.parallel_check import Finding, ParallelReport

# What is missing or too much, and what stops an import.
SHIFTS = ("left_out", "doubled")
FAULTS = (*SHIFTS, "apart")
# Findings of two languages that are listed.
MAX_LISTED = 100
# Lines; to compare more takes too long for a request.
MAX_COMPARED = 1000
# Characters of a line that is shown with a finding.
MAX_LINE = 300


class FindingShown(TypedDict):
    """A place where two languages seem to go apart; see `annotator.domain.parallel_check.Finding`."""

    kind: str
    side: str
    line_a: int
    line_b: int
    count: int
    expected: str
    confidence: float
    # The lines between which the fault is, in the file that has it; the same where the place is not in doubt.
    first_line: int
    last_line: int
    # Where the two are, "file:line"; "" for a text of the project.
    place_a: str
    place_b: str
    # The two lines, so that one sees whether it is true; empty where there is none.
    text_a: str
    text_b: str


class ParallelShown(TypedDict):
    """How two languages go together, line by line. `checked` is False where that takes too long for a request.

    `acceptable`: saying that the lines go together lets them come in. It does not where one has more lines than
    the other, or where ids say what goes together.
    """

    a: str
    b: str
    checked: bool
    in_step: bool
    acceptable: bool
    findings: list[FindingShown]


def compare(findings: Findings, store: StagingStore, terms: Terms) -> list[ParallelShown]:
    """Compare the first language with each other one, in a request: of more than MAX_COMPARED lines nothing is.

    What does not fit is among the problems then. Lines that are left out or doubled, and stretches that hardly go
    together, are errors where sentences have no ids, unless they were accepted: sentences would go with the wrong ones.
    """
    if findings.compared > MAX_COMPARED:
        return [
            {"a": a, "b": b, "checked": False, "in_step": True, "acceptable": _acceptable(findings), "findings": []}
            for a, b in _languages(findings)
        ]
    return Comparison(findings, store, terms).result()


class Comparison:
    """As `compare`, of any number of lines: of many in a process of its own, since it takes as long as writing what is
    compared. To be used in a `with` block."""

    def __init__(self, findings: Findings, store: StagingStore, terms: Terms) -> None:
        self._findings = findings
        self._store = store
        self._terms = terms
        self._work = (store.path, _languages(findings), findings.compared, findings.is_uneven)
        self._child: Child[list[ParallelReport]] | None = None
        if findings.compared > MAX_COMPARED:
            self._child = Child(compared_in, *self._work)

    def __enter__(self) -> Comparison:
        return self

    def __exit__(self, *error: object) -> None:
        if self._child is not None:
            self._child.__exit__(*error)

    def result(self, report: Callable[[], None] = lambda: None) -> list[ParallelShown]:
        """How the languages go together, as it is shown; it is among the problems then. `report` is called while
        waiting for it."""
        reports = compared_in(*self._work) if self._child is None else self._child.wait(lambda _done, _all: report())
        return [self._shown(a, b, one) for (a, b), one in zip(_languages(self._findings), reports, strict=True)]

    def _shown(self, a: str, b: str, report: ParallelReport) -> ParallelShown:
        found, store = self._findings, self._store
        first, second = store.texts(a, found.compared), store.texts(b, found.compared)
        findings = [one for one in report.findings if not (found.is_cut and _at_end(one, found.compared))]
        for one in findings:
            found.problems.add(self._problem(one, a, b))
        return {
            "a": a,
            "b": b,
            "checked": True,
            "in_step": report.in_step,
            "acceptable": _acceptable(found),
            "findings": [_shown(one, first, second, store, (a, b)) for one in findings[:MAX_LISTED]],
        }

    def _problem(self, finding: Finding, a: str, b: str) -> Problem:
        file, line = _place(finding, self._store, (a, b))
        is_accepted = self._terms.accept_shifts or _have_ids(self._findings)
        is_fault = finding.kind in FAULTS and not is_accepted
        text = _expected(finding, a, b)
        if (lines := _lines(finding, self._store, (a, b))) != (line, line):
            text = f"{text} {unclear_place(*lines)}"
        return Problem(ERROR if is_fault else WARNING, file, line, text)


def _languages(findings: Findings) -> list[tuple[str, str]]:
    return [(findings.languages[0], other) for other in findings.languages[1:]]


def _acceptable(findings: Findings) -> bool:
    return not findings.is_cut and not findings.is_uneven and not _have_ids(findings)


def _have_ids(findings: Findings) -> bool:
    """Whether ids say of every sentence what it goes with; those of one file say nothing of the lines of another."""
    return bool(findings.counts.with_ids) and findings.counts.with_ids == findings.counts.records


def _at_end(finding: Finding, number: int) -> bool:
    """Whether it is but the other side of a shift before it: the files continued where the reading stopped."""
    return finding.kind in SHIFTS and max(finding.line_a, finding.line_b) + finding.count >= number


def _place(finding: Finding, store: StagingStore, languages: tuple[str, str], later: int = 0) -> tuple[str, int]:
    """File and line of a finding, or of a place so many lines later; in the file that has the fault.

    A text of the project has no file: then it is told where the other one stands.
    """
    sides = [(languages[1], finding.line_b + later), (languages[0], finding.line_a + later)]
    places = (store.place(*side) for side in (sides if finding.side != "a" else sides[::-1]))
    return next((place for place in places if place[0]), ("", 0))


def _lines(finding: Finding, store: StagingStore, languages: tuple[str, str]) -> tuple[int, int]:
    """The lines between which a finding is."""
    first, last = (_place(finding, store, languages, later)[1] for later in (-finding.earlier, finding.later))
    return first, last


def unclear_place(first: int, last: int) -> str:
    """Where to look for a fault whose line is in doubt."""
    return _("The exact line is unclear: look at lines %(first)d to %(last)d.") % {"first": first, "last": last}


def _expected(finding: Finding, a: str, b: str) -> str:
    here, there = (a, b) if finding.side == "a" else (b, a)
    lines = {"here": here, "there": there, "number": finding.count}
    number = finding.count
    if finding.kind == "left_out":
        text = ngettext(
            "%(number)d sentence in %(here)s seems to be missing here, so the next ones do not match those in "
            "%(there)s.",
            "%(number)d sentences in %(here)s seem to be missing here, so the next ones do not match those in "
            "%(there)s.",
            number,
        )
    elif finding.kind == "doubled":
        text = ngettext(
            "%(number)d sentence in %(here)s seems to be repeated here, so the next ones do not match those in "
            "%(there)s.",
            "%(number)d sentences in %(here)s seem to be repeated here, so the next ones do not match those in "
            "%(there)s.",
            number,
        )
    elif finding.kind == "apart":
        text = _("The next %(number)d sentences in %(here)s and %(there)s hardly match.")
    elif finding.kind == "swapped":
        text = _("Sentences in %(here)s and %(there)s seem to be swapped here.")
    else:
        text = ngettext(
            "%(number)d sentence in %(here)s does not look like a translation of the one in %(there)s.",
            "%(number)d sentences in %(here)s do not look like translations of those in %(there)s.",
            number,
        )
    return text % lines


def _shown(finding: Finding, a: Texts, b: Texts, store: StagingStore, languages: tuple[str, str]) -> FindingShown:
    places = [store.place(*side) for side in zip(languages, (finding.line_a, finding.line_b), strict=True)]
    place_a, place_b = (f"{file}:{line}" if file else "" for file, line in places)
    first_line, last_line = _lines(finding, store, languages)
    return {
        "kind": finding.kind,
        "side": finding.side,
        "line_a": finding.line_a,
        "line_b": finding.line_b,
        "count": finding.count,
        "expected": finding.expected,
        "confidence": round(float(finding.confidence), 3),
        "first_line": first_line,
        "last_line": last_line,
        "place_a": place_a,
        "place_b": place_b,
        "text_a": _line(a, finding.line_a),
        "text_b": _line(b, finding.line_b),
    }


def _line(texts: Texts, number: int) -> str:
    found = texts[number : number + 1]
    return " ".join(found[0])[:MAX_LINE] if found else ""
