"""Quotas: how much an account and the whole site may keep, and how many projects an account may create.

Commands act for nobody, and are held by none: the person who runs them has the disk anyway.
"""

from __future__ import annotations

from django.conf import settings
from django.db import connection
from django.db.models import F

from annotator.core.errors import ActionError
from annotator.core.files.room_used import account_bytes_left, projects_made_by, site_bytes_left
from annotator.domain.messages import gettext_noop as _
from annotator.domain.messages import message
from annotator.models import ImportDraft, Project, User

MEGABYTE = 1024 * 1024
# Unfinished imports of one account; each is a row and a folder.
MAX_DRAFTS = 100


class NoRoomError(ActionError):
    """A quota is used up."""

    code = "no_room"


def check_room(*, by: User | None, more: int = 1, instead_of: int = 0) -> None:
    """Raise NoRoomError unless a person may keep `more` bytes in the place of `instead_of`.

    Inside a transaction, others of the same account wait until it ends: call it in that which stores the size.
    """
    if by is None:
        return
    _take_turns(by)
    left = account_bytes_left(by)
    if left is not None and more > left + instead_of:
        raise NoRoomError(
            message(
                _(
                    "An account can keep at most %(most)d MB in drafts, projects and backups, and this would "
                    "exceed it. Discard a draft, delete a backup or a project, or ask a site administrator "
                    "to raise ACCOUNT_MAX_BYTES."
                ),
                most=settings.ACCOUNT_MAX_BYTES // MEGABYTE,
            )
        )
    if more > site_bytes_left() + instead_of:
        raise NoRoomError(
            message(
                _(
                    "This site can keep at most %(most)d MB in drafts, projects and backups, and this would "
                    "exceed it. Ask a site administrator to delete something, or to raise SITE_MAX_BYTES."
                ),
                most=settings.SITE_MAX_BYTES // MEGABYTE,
            )
        )


def room_left(*, by: User | None, instead_of: int = 0) -> int | None:
    """How many bytes a person may write before `check_room` refuses them; None: as many as they like."""
    if by is None:
        return None
    left = account_bytes_left(by)
    site = site_bytes_left()
    return instead_of + (site if left is None else min(left, site))


def check_grows(*, project: Project, by: User | None, more: int, instead_of: int = 0) -> None:
    """Raise NoRoomError unless `more` bytes may come into a project: they count for the person who created it."""
    creator = project.created_by_id
    payer = project.created_by if by and creator and creator != by.pk and not by.is_superuser else by
    check_room(by=payer, more=more, instead_of=instead_of)


def grow(*, project: int, by: User | None, more: int, checked: bool) -> None:
    """Count bytes that come into a project, as `check_grows` where it is `checked`. Call it in the transaction that
    stores them."""
    row = Project.objects.filter(pk=project)
    if checked:
        check_grows(project=row.get(), by=by, more=more)
    row.update(size=F("size") + more)


def check_projects(*, by: User | None) -> None:
    """Raise NoRoomError unless a person may create one more project. Call it in the transaction that creates it."""
    if by is None or by.is_superuser:
        return
    _take_turns(by)
    if projects_made_by(by) >= settings.ACCOUNT_MAX_PROJECTS:
        raise NoRoomError(
            message(
                _(
                    "An account can create at most %(most)d projects. Delete one, or ask a site "
                    "administrator to raise ACCOUNT_MAX_PROJECTS."
                ),
                most=settings.ACCOUNT_MAX_PROJECTS,
            )
        )


def check_drafts(*, by: User | None) -> None:
    """Raise NoRoomError unless a person may begin one more import. Call it in the transaction that begins it."""
    if by is None:
        return
    check_room(by=by)
    if ImportDraft.objects.filter(created_by=by, imported=None).count() >= MAX_DRAFTS:
        raise NoRoomError(
            message(
                _("You have %(most)d unfinished imports. Finish or discard one, then start another."), most=MAX_DRAFTS
            )
        )


def _take_turns(by: User) -> None:
    # SQLite has one writer at a time anyway.
    if connection.in_atomic_block and connection.features.has_select_for_update:
        list(User.objects.select_for_update(no_key=True).filter(pk=by.pk).values_list("pk"))
