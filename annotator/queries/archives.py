"""A project's archives, and whether something was changed since one was written."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import QuerySet

from annotator.models import Archive, Project


@dataclass(frozen=True, slots=True)
class LastArchive:
    """The newest archive of a project; `changed`: something happened in the project that is not in it."""

    archive: Archive
    changed: bool


def archives_of(project: Project) -> QuerySet[Archive]:
    """The project's archives, newest first."""
    return project.archives.select_related("created_by")


def last_archive(project: Project) -> LastArchive | None:
    """The newest one; None where there is none."""
    archive = archives_of(project).first()
    if archive is None:
        return None
    return LastArchive(archive, project.events.filter(pk__gt=archive.last_event).exists())
