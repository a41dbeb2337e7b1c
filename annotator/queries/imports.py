"""What came into a project, and what of it may be published."""

from __future__ import annotations

from django.db.models import QuerySet

from annotator.models import Import, Project


def imports_of(project: Project) -> QuerySet[Import]:
    """The imports that are published, newest first."""
    return project.imports.filter(published_at__isnull=False).select_related("project", "created_by").order_by("-pk")


def published_by(imported: Import) -> dict[str, int]:
    """By language, how many sentences are in releases or left out of them by what this import says: those that came in
    with it, as it counted them. A sentence comes in once in each language, and a text that is fixed stays its import's.
    """
    counts = imported.summary.get("counts", {})
    found = {language: counts.get(f"sentences {language}", {}).get("new", 0) for language in imported.project.languages}
    return {language: number for language, number in found.items() if number}
