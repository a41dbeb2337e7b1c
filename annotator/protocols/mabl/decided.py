"""What is decided on figurative pairs. Its layers are known by what they hold: their names are the project's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models import QuerySet

from annotator.domain.content import CATEGORIES, VERDICT
from annotator.domain.content.verdict import CORRECT
from annotator.domain.pairs.figurative_pairs import UNIT_KIND, FigurativePair
from annotator.models import Gold, Project, Unit


def verdicts(project: Project) -> QuerySet[Gold]:
    """Gold that says whether a pair is valid."""
    return _on_pairs(project, VERDICT.slug)


def pair_of(unit: Unit, verdict: Mapping[str, Any] | None) -> FigurativePair:
    """A pair as it goes out: as it was corrected, where gold is a correction."""
    pair = FigurativePair.of_text(unit.text)
    if verdict is None or verdict["verdict"] != CORRECT:
        return pair
    first, second, *literal = verdict["texts"]
    return pair.corrected((first, second), (literal[0], literal[1]))


def categories(project: Project) -> QuerySet[Gold]:
    """Gold that categorises both sentences of a pair."""
    return _on_pairs(project, CATEGORIES.slug)


def _on_pairs(project: Project, content_type: str) -> QuerySet[Gold]:
    return Gold.objects.filter(project=project, layer__content_type=content_type, layer__unit_kind=UNIT_KIND)
