"""What became of labels in another language; the page's script is held to the same cases (tests/js/review.test.js)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from annotator.domain.labels.spans import Span
from annotator.domain.projection.carry import NotCarried, Outcome, SourceOutcome
from annotator.domain.projection.outcomes import fates

CASES = json.loads((Path(__file__).parent.parent / "content_cases" / "outcomes.json").read_text("utf-8"))
M = "METAPHOR"


def outcome(
    source: list[int],
    target: list[int] | None = None,
    outcome: str = "",
    label: str = M,
    left_out: list[int] | None = None,
) -> SourceOutcome:
    arrived = Outcome.UNALIGNED if target is None else Outcome.PROJECTED
    return SourceOutcome(
        Span(tuple(source), label),
        Outcome(outcome) if outcome else arrived,
        None,
        None if target is None else Span(tuple(target), label),
        tuple((token, NotCarried.OVERLAP) for token in left_out or ()),
    )


def standing(given: list[Any]) -> list[Span]:
    return [Span(tuple(one), M) if isinstance(one, list) else Span.from_json(one) for one in given]


@pytest.mark.parametrize("case", CASES, ids=[case["case"] for case in CASES])
def test_spans_are_matched_one_to_one(case: dict[str, Any]) -> None:
    outcomes, reviewed = [outcome(**one) for one in case["outcomes"]], standing(case["reviewed"])

    found = fates(outcomes, reviewed, case.get("lost", ()))

    assert [fate.value for fate in found.of_sources] == case["fates"]
    assert [list(span.tokens) for span in found.gained] == case["gained"]
    lost = case["fates"].count("lost")
    assert len(outcomes) - lost + len(found.gained) == len(reviewed)
