"""The picture of a workflow: a row per language, a column per step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext, pgettext_lazy

from annotator.core.kind import kind_named
from annotator.core.presets import ADJUDICATE, INTERPRETATION, StageSpec
from annotator.core.starts import workflow


@dataclass(frozen=True)
class WorkflowTable:
    """`columns`: headings; `rows`: a language ("" and "*": not named yet) and whether it has each step."""

    columns: list[Any]
    rows: list[tuple[str, list[str]]]


_LABEL, _REVIEW, _REST, _PAIRS, _DECIDE = "label", "review", "rest", "pairs", "decide"
_WORDS = {
    _LABEL: pgettext_lazy("step", "Label"),
    _REVIEW: pgettext_lazy("step", "Review projections"),
    _REST: pgettext_lazy("step", "Label the rest"),
    _PAIRS: pgettext_lazy("step", "Tag pairs"),
    _DECIDE: pgettext_lazy("step", "Adjudicate"),
}
_TWICE = _("by two people, blind")


def _place(stage: StageSpec) -> str:
    if stage.answers_wanted == 1:
        return "✓"
    if stage.kind == workflow().label:
        return str(_TWICE)
    return ngettext("by %(number)d person", "by %(number)d people", stage.answers_wanted) % {
        "number": stage.answers_wanted
    }


def workflow_table(stages: Sequence[StageSpec], languages: Sequence[str]) -> WorkflowTable:
    """Where the stages stand in the picture."""
    steps = workflow()
    projected = {stage.language for stage in stages if stage.kind == steps.review}
    cells: dict[tuple[str, str], str] = {}
    for stage in stages:
        if stage.kind == steps.label:
            column = _REST if stage.language in projected else _LABEL
        elif stage.kind == steps.review:
            column = _REVIEW
        elif stage.kind == steps.tag:
            column = _PAIRS
        elif stage.kind == ADJUDICATE:
            column = _DECIDE
        else:
            column = stage.kind
        if stage.kind == ADJUDICATE and stage.layer == INTERPRETATION:
            continue
        cells[stage.language, column] = _place(stage)
    there = {column for _language, column in cells}
    kinds = [stage.kind for stage in stages if stage.kind in there - _WORDS.keys()]
    order = [*(column for column in _WORDS if column != _DECIDE), *dict.fromkeys(kinds), _DECIDE]
    columns = [column for column in order if column in there]
    rows = [(language, [cells.get((language, column), "") for column in columns]) for language in languages]
    return WorkflowTable([_WORDS.get(column) or kind_named(column).title for column in columns], rows)
