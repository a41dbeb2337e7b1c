"""Whose content stands on the units of a layer; the rule itself is in `domain/effective_content.py`.

For workers, reports and commands: it reads every answer of a language. Requests read what is stored instead
(`LemmaPlace.labelled`, `Item.unlabelled`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import groupby
from typing import Any

from annotator.domain.content import Content
from annotator.domain.effective_content import Answer, Stands
from annotator.domain.effective_content import effective_answer as chosen
from annotator.domain.states import AnnotationState, Mode
from annotator.models import Annotation, Gold, Layer, Project
from annotator.models.corpus_import import PUBLISHED


def effective_content(
    project: Project,
    layer: Layer,
    *,
    language: str,
    units: Collection[int] | None = None,
    gold_only: bool = False,
    reviewed_only: bool = False,
) -> dict[int, Content]:
    """The content that stands, by current unit of the language; units without a decision are not in it.

    Gold, else the finished answer that stands. `units`: only these ids. `gold_only`: gold and nothing else.
    `reviewed_only`: a blind answer does not stand, even where it is the only one. Two queries; one for gold.
    """
    of_language: dict[str, Any] = {
        "project": project,
        "layer": layer,
        "unit__language": language,
        "unit__is_current": True,
    }
    if units is not None:
        of_language["unit__in"] = units
    gold = dict(Gold.objects.filter(**of_language).values_list("unit_id", "content"))
    if gold_only:
        return gold
    found = {unit: answer.content for unit, answer in _answered(of_language, reviewed_only=reviewed_only)}
    return found | gold


def _answered(of_language: dict[str, Any], *, reviewed_only: bool) -> Iterator[tuple[int, Answer]]:
    rows = Annotation.objects.filter(PUBLISHED, **of_language, state=AnnotationState.DONE)
    if reviewed_only:
        rows = rows.filter(mode=Mode.REVIEW)
    ordered = rows.order_by("unit_id", "pk").values_list("unit_id", "mode", "content", "user_id")
    for unit, answers in groupby(ordered.iterator(), key=lambda row: row[0]):
        answer = chosen(Answer(mode, content, user) for _unit, mode, content, user in answers)
        if answer is not None:
            yield unit, answer


def stands_on(layer: Layer, units: Collection[int]) -> dict[int, Stands]:
    """All that can stand on these units (ids), whether they are current or not, and what an import brings from the
    moment that it is written. Two queries, by index."""
    gold = dict(Gold.all_rows.filter(unit__in=units, layer=layer, reopened=False).values_list("unit_id", "content"))
    answers: dict[int, list[Answer]] = {}
    done = Annotation.objects.filter(unit__in=units, layer=layer, state=AnnotationState.DONE).order_by("unit_id", "pk")
    for unit, mode, content, user in done.values_list("unit_id", "mode", "content", "user_id"):
        answers.setdefault(unit, []).append(Answer(mode, content, user))
    return {unit: Stands(gold.get(unit), answers.get(unit, ())) for unit in units}
