"""How much an account keeps on the disk, and all accounts together: drafts, uploads, projects, backups, releases.

Sizes are those of the files that were imported or go out; a project's are those of its rows and long events, too.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db.models import Model, Q, QuerySet, Sum

from annotator.models import Archive, ArchiveUpload, ImportDraft, Project, Release, User

# Each has `created_by` and `size`; which of its rows have files.
_KEPT: tuple[tuple[type[Model], Q], ...] = (
    (ImportDraft, Q(imported=None)),
    (ArchiveUpload, Q(ended_at=None)),
    (Project, Q()),
    (Archive, Q()),
    (Release, Q()),
)
_NOBODYS = Q(created_by=None) | Q(created_by__placeholder_of__isnull=False)


def bytes_of(user: User | None) -> int:
    """What this person brought and had made, in bytes; for None, what everybody did."""
    whose = Q() if user is None else Q(created_by=user)
    # Of a restored project, releases without an account count for the person who restored it.
    restored = whose if user is None else whose | Q(project__created_by=user, job=None) & _NOBODYS
    rows: list[QuerySet[Any]] = [
        model._default_manager.filter(restored if model is Release else whose, which) for model, which in _KEPT
    ]
    return sum(row.order_by().aggregate(size=Sum("size"))["size"] or 0 for row in rows)


def account_bytes_left(user: User) -> int | None:
    """How much more this person can keep; None for site admins, whom the site's own limit holds alone."""
    return None if user.is_superuser else settings.ACCOUNT_MAX_BYTES - bytes_of(user)


def site_bytes_left() -> int:
    """How much more the site can keep."""
    return int(settings.SITE_MAX_BYTES) - bytes_of(None)


def projects_made_by(user: User) -> int:
    """How many projects this person created that are still there, those that are being deleted included."""
    return Project.objects.filter(created_by=user).count()
