"""Whether the languages of an import go together line by line: a line that one lacks must not shift the rest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypedDict

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotator.core.processes.child_process import Child
from annotator.imports.reading.check import Check
from annotator.imports.reading.problems import ERROR, WARNING, Problem
from annotator.imports.reading.staging import Scratch, Texts, compared_in

if TYPE_CHECKING:
    from annotator.domain.parallel_check import Finding, ParallelReport

# What is missing or too much, and what stops an import.
SHIFTS = ("left_out", "doubled")
FAULTS = (*SHIFTS, "apart")
# Findings of two languages that are listed.
LISTED = 100
# Characters of a line that is shown with a finding.
LONGEST_LINE = 300


class FindingShown(TypedDict):
    """A place where two languages seem to go apart; see `annotator.domain.parallel_check.Finding`."""

    kind: str
    side: str
    line_a: int
    line_b: int
    count: int
    expected: str
    confidence: float
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


def compare(check: Check, seen: Scratch, *, most: int) -> list[ParallelShown]:
    """Compare the first language with each other one; what does not fit is among the check's problems.

    Lines that are left out or doubled, and stretches that hardly go together, are errors where sentences have no ids,
    unless they were accepted: sentences would go with the wrong ones. Of more than `most` lines nothing is compared.
    """
    if check.number > most:
        return [
            {"a": a, "b": b, "checked": False, "in_step": True, "acceptable": _acceptable(check), "findings": []}
            for a, b in _compared_languages(check)
        ]
    done = compared_in(seen.path, _compared_languages(check), check.number, check.uneven)
    return compared(check, seen, done)


def comparing(check: Check, seen: Scratch) -> Child[list[ParallelReport]]:
    """As `compare`, of any number of lines, in a process of its own: it takes as long as writing what is compared.
    What it returns is for `compared`."""
    return Child(compared_in, seen.path, _compared_languages(check), check.number, check.uneven)


def compared(check: Check, seen: Scratch, done: Sequence[ParallelReport]) -> list[ParallelShown]:
    """What was found, as it is shown; it is among the check's problems then."""
    found: list[ParallelShown] = []
    for (a, b), report in zip(_compared_languages(check), done, strict=True):
        first, second = seen.texts(a, check.number), seen.texts(b, check.number)
        findings = [finding for finding in report.findings if not (check.cut and _at_end(finding, check.number))]
        for finding in findings:
            check.problems.add(_problem(check, seen, finding, a, b))
        found.append(
            {
                "a": a,
                "b": b,
                "checked": True,
                "in_step": report.in_step,
                "acceptable": _acceptable(check),
                "findings": [_shown(finding, first, second, seen, (a, b)) for finding in findings[:LISTED]],
            }
        )
    return found


def _compared_languages(check: Check) -> list[tuple[str, str]]:
    languages = check.compared()
    return [(languages[0], other) for other in languages[1:]]


def _acceptable(check: Check) -> bool:
    return not check.cut and not check.uneven and not check.counts.with_ids


def _at_end(finding: Finding, number: int) -> bool:
    """Whether it is but the other side of a shift before it: the files went on where the reading stopped."""
    return finding.kind in SHIFTS and max(finding.line_a, finding.line_b) + finding.count >= number


def _problem(check: Check, seen: Scratch, finding: Finding, a: str, b: str) -> Problem:
    # A text of the project has no file: then it is told where the other one stands.
    sides = [(b, finding.line_b), (a, finding.line_a)]
    places = (seen.place(*side) for side in (sides if finding.side != "a" else sides[::-1]))
    file, line = next((place for place in places if place[0]), ("", 0))
    is_fault = finding.kind in FAULTS and not check.accepts_shifts and not check.counts.with_ids
    return Problem(
        ERROR if is_fault else WARNING,
        file,
        line,
        _expected(finding, a, b),
    )


def _expected(finding: Finding, a: str, b: str) -> str:
    here, there = (a, b) if finding.side == "a" else (b, a)
    lines = {"here": here, "there": there, "number": finding.count}
    number = finding.count
    if finding.kind == "left_out":
        said = ngettext(
            "%(number)d sentence in %(here)s seems to be missing here; the next ones go with others in %(there)s.",
            "%(number)d sentences in %(here)s seem to be missing here; the next ones go with others in %(there)s.",
            number,
        )
    elif finding.kind == "doubled":
        said = ngettext(
            "%(number)d sentence in %(here)s seems to stand here twice; the next ones go with others in %(there)s.",
            "%(number)d sentences in %(here)s seem to stand here twice; the next ones go with others in %(there)s.",
            number,
        )
    elif finding.kind == "apart":
        said = _("The next %(number)d sentences in %(here)s and %(there)s hardly go together.")
    elif finding.kind == "swapped":
        said = _("Sentences in %(here)s and %(there)s seem to have changed places here.")
    else:
        said = ngettext(
            "%(number)d sentence in %(here)s does not look like a translation of the one in %(there)s here.",
            "%(number)d sentences in %(here)s do not look like translations of those in %(there)s here.",
            number,
        )
    return said % lines


def _shown(finding: Finding, a: Texts, b: Texts, seen: Scratch, languages: tuple[str, str]) -> FindingShown:
    places = [seen.place(*side) for side in zip(languages, (finding.line_a, finding.line_b), strict=True)]
    place_a, place_b = (f"{file}:{line}" if file else "" for file, line in places)
    return {
        "kind": finding.kind,
        "side": finding.side,
        "line_a": finding.line_a,
        "line_b": finding.line_b,
        "count": finding.count,
        "expected": finding.expected,
        "confidence": round(float(finding.confidence), 3),
        "place_a": place_a,
        "place_b": place_b,
        "text_a": _line(a, finding.line_a),
        "text_b": _line(b, finding.line_b),
    }


def _line(texts: Texts, number: int) -> str:
    found = texts[number : number + 1]
    return " ".join(found[0])[:LONGEST_LINE] if found else ""
