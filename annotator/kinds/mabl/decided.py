"""What is decided on figurative pairs. Its layers are known by what they hold: their names are the project's."""

from __future__ import annotations

from django.db.models import QuerySet

from annotator.domain.content import CATEGORIES, VERDICT
from annotator.domain.figurative_pairs import UNIT_KIND
from annotator.models import Gold, Project


def verdicts(project: Project) -> QuerySet[Gold]:
    """Gold that says whether a pair is valid."""
    return _on_pairs(project, VERDICT.slug)


def categories(project: Project) -> QuerySet[Gold]:
    """Gold that categorises both sentences of a pair."""
    return _on_pairs(project, CATEGORIES.slug)


def _on_pairs(project: Project, content_type: str) -> QuerySet[Gold]:
    return Gold.objects.filter(project=project, layer__content_type=content_type, layer__unit_kind=UNIT_KIND)
