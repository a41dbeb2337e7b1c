"""How much is read of what is sent to a page that takes files. `BodyMiddleware` asks before anything is read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from django.conf import settings
from django.http import HttpRequest

from annotator.core.access import project_for
from annotator.core.files.room import check_room
from annotator.core.files.uploaded import size_of
from annotator.core.permissions import Permission

_View = TypeVar("_View", bound=Callable[..., Any])
Most = Callable[..., int]


def takes_files(most: Most) -> Callable[[_View], _View]:
    """Mark a page as one that takes files.

    `most` is called with the request and the parts of the address. It returns how many bytes may be sent, or raises
    Http404 or PermissionDenied for the person who may send none.
    """

    def mark(view: _View) -> _View:
        view.most_bytes = most  # type: ignore[attr-defined]  # read by the middleware
        return view

    return mark


def files_of_import(request: HttpRequest, slug: str, draft: int = 0, **_address: Any) -> int:
    """A manager may send what an import may hold, and as much again: a corpus that is too large is told so."""
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    # What is sent may take the place of what is there.
    there = access.project.import_drafts.filter(pk=draft).first()
    check_room(by=access.user, more=size_of(request), instead_of=there.size if there else 0)
    return settings.DATA_UPLOAD_MAX_MEMORY_SIZE + 2 * settings.IMPORT_MAX_BYTES
