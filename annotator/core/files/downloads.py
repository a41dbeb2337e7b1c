"""Sending a file of the storage to a person."""

from __future__ import annotations

from django.http import FileResponse, Http404
from django.utils.translation import gettext as _

from annotator.core.files.storage import site_files


class MissingFileError(Http404):
    """The storage lacks a file that a row names. The message names it and the remedy."""


def download(name: str, *, called: str, sha256: str = "") -> FileResponse:
    """Send a file of the storage in pieces, as a download named `called`; `sha256` of one that never changes is its
    ETag. Raises MissingFileError."""
    try:
        file = site_files().open(name)
    except FileNotFoundError as error:
        raise MissingFileError(
            _("The file %(name)s is missing on this site. Tell a site administrator.") % {"name": called}
        ) from error
    headers = {"ETag": f'"{sha256}"'} if sha256 else {}
    return FileResponse(file, as_attachment=True, filename=called, headers=headers)


def inline(name: str, *, media_type: str) -> FileResponse:
    """Send a picture of the storage for a page: its content never changes, and its type is not guessed.
    Raises Http404."""
    try:
        file = site_files().open(name)
    except FileNotFoundError as error:
        raise Http404(_("The project does not have this picture.")) from error
    return FileResponse(
        file,
        content_type=media_type,
        headers={
            "X-Content-Type-Options": "nosniff",
            "Content-Security-Policy": "default-src 'none'; sandbox",
            "Cache-Control": "private, max-age=31536000, immutable",
        },
    )
