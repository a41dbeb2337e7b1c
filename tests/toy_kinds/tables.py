"""A table of texts, and one for those who adjudicate."""

from __future__ import annotations

from annotator.models import Project, Unit
from annotator.reports.queries.reports import Report, plain_report


def count_texts(project: Project) -> Report:
    """How many texts there are."""
    number = Unit.objects.filter(project=project, kind="text").count()
    return plain_report(("name", "texts"), [{"name": "all", "texts": number}] if number else [])


def count_all(project: Project) -> Report:
    """A row, whatever there is."""
    return plain_report(("name",), [{"name": "all"}])
