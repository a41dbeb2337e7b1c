"""The lock of a whole project."""

from __future__ import annotations

from annotator.models import Project


def lock_project(project: Project) -> None:
    """Wait until nobody else writes across the whole project, and make others wait until the transaction ends.

    For what looks at many rows and then adds more: a button pressed twice must not do it twice. People who
    label are not held up.
    """
    Project.objects.select_for_update(no_key=True).get(pk=project.pk)
