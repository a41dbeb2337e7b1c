"""The lock of a whole project."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import connection

from annotator.models import Membership, Project, User


def lock_project(project: Project) -> None:
    """Wait until nobody else writes across the whole project, and make others wait until the transaction ends.

    For what looks at many rows and then adds more: a button pressed twice must not do it twice. People who
    label are not held up.
    """
    Project.objects.select_for_update(no_key=True).get(pk=project.pk)


def hold_memberships(project: int, users: Iterable[User]) -> None:
    """Claims of these people, and what is assigned to them blind, take turns until the transaction ends."""
    # SQLite has one writer at a time anyway.
    if connection.features.has_select_for_update:
        rows = Membership.objects.filter(project=project, user__in=list(users)).order_by("pk")
        list(rows.select_for_update(no_key=True).values_list("pk"))
