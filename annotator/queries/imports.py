"""What came into a project, and what of it may be published."""

from __future__ import annotations

from django.db.models import Count, Exists, OuterRef, QuerySet

from annotator.models import Import, Project, Segment, Unit


def imports_of(project: Project) -> QuerySet[Import]:
    """The imports that are published, newest first."""
    return project.imports.filter(published_at__isnull=False).select_related("project", "created_by").order_by("-pk")


def published_by(imported: Import) -> dict[str, int]:
    """By language, how many sentences are in releases or left out of them by what this import says alone.

    Sentences that another import withholds as well (`queries.corpus.withheld`) stay out, whatever this one says.
    """
    other = Unit.objects.filter(
        segment=OuterRef("segment"), language=OuterRef("language"), imported__publishable=False
    ).exclude(imported=imported)
    rows = Unit.objects.filter(~Exists(other), imported=imported, kind=Segment.SENTENCE)
    counted = rows.order_by().values_list("language").annotate(Count("segment", distinct=True))
    found = dict(counted)
    return {language: found[language] for language in imported.project.languages if language in found}
