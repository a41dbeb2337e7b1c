"""Where small parallel files are not parallel: 14 and 16 lines in several languages (`parallel_lines/`), which teach
next to nothing. A place is named only as exactly as it is known, and what is right is not found fault with."""

from __future__ import annotations

from itertools import permutations

import pytest

from annotator.domain.parallel_check import Finding, check
from tests.domain.parallel_lines import TEXTS, Lines, lines_of
from tests.domain.test_parallel_check import made_up

PAIRS = [("market", "es", "en"), ("market", "eu", "fr"), ("letters", "de", "ca"), ("letters", "en", "pl")]


@pytest.mark.parametrize("text", TEXTS)
def test_small_files_that_are_right_have_nothing_wrong(text: str) -> None:
    languages = lines_of(text)

    wrong = {(a, b): check(languages[a], languages[b]).findings for a, b in permutations(languages, 2)}

    assert {pair: found for pair, found in wrong.items() if found} == {}


@pytest.mark.parametrize(("text", "first", "second"), PAIRS)
def test_a_line_that_is_missing_is_within_the_lines_that_are_named(text: str, first: str, second: str) -> None:
    a, b = lines_of(text)[first], lines_of(text)[second]

    named = [the_only(check(a, b[:line] + b[line + 1 :]).findings, "left_out", "b") for line in range(len(b))]

    within = [low <= line <= high for line, (low, _best, high) in enumerate(named)]
    assert sum(within) >= len(b) - 1
    # Where one line alone is named, it is the right one.
    assert all(line == best for line, (low, best, high) in enumerate(named) if low == high)
    # Neither all lines nor one alone would help.
    assert sum(high - low for low, _best, high in named) <= 6 * len(b)


@pytest.mark.parametrize(("text", "first", "second"), PAIRS)
def test_a_line_too_many_is_within_the_lines_that_are_named(text: str, first: str, second: str) -> None:
    a, b = lines_of(text)[first], lines_of(text)[second]

    stranger = lines_of("letters" if text == "market" else "market")[first][3]
    named = [the_only(check([*a[:line], stranger, *a[line:]], b).findings, "left_out", "b") for line in range(len(a))]

    assert sum(low <= line <= high for line, (low, _best, high) in enumerate(named)) >= len(a) - 2


def test_two_lines_on_one_are_within_the_lines_that_are_named() -> None:
    a, b = lines_of("market")["es"], lines_of("market")["en"]

    named = [
        the_only(check(a, [*b[:line], b[line] + b[line + 1], *b[line + 2 :]]).findings, "left_out", "b")
        for line in range(len(b) - 1)
    ]

    assert all(low <= line + 1 and line <= high for line, (low, _best, high) in enumerate(named))


def test_lines_that_are_clearly_swapped_are_said_to_be() -> None:
    a, b = lines_of("letters")["es"], lines_of("letters")["ca"]

    (finding,) = check(a, [*b[:4], b[5], b[4], *b[6:]]).findings

    assert (finding.kind, finding.line_a, finding.earlier, finding.later) == ("swapped", 4, 0, 0)


def test_a_place_that_is_not_in_doubt_is_one_line() -> None:
    a, b = made_up(400)

    (finding,) = check(a, b[:120] + b[121:]).findings

    assert (finding.line_a, finding.earlier, finding.later) == (120, 0, 0)


def test_the_lines_named_stay_within_the_files() -> None:
    a: Lines = [["same"]] * 6
    (finding,) = check(a, a[:-1]).findings

    assert finding.line_a - finding.earlier >= 0
    assert finding.line_a + finding.later <= 6


def the_only(findings: list[Finding], kind: str, side: str) -> tuple[int, int, int]:
    """The lines of a between which the only thing that is wrong is, and the likeliest one."""
    (finding,) = findings
    assert (finding.kind, finding.side) == (kind, side)
    return finding.line_a - finding.earlier, finding.line_a, finding.line_a + finding.later
