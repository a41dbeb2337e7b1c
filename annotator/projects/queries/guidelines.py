"""Reads of the guidelines."""

from __future__ import annotations

from django.conf import settings

from annotator.models import Project


def guideline_languages(project: Project) -> list[str]:
    """The languages that guidelines can be in: those of the interface, of the data, and any that have a text."""
    return list(dict.fromkeys([*dict(settings.LANGUAGES), *project.languages, *project.guidelines]))
