"""Zips in memory."""

from __future__ import annotations

import io
from collections.abc import Mapping

from annotator.releases.actions.releases import write_zip
from annotator.releases.folder import ReleaseFolder


def folder_of(files: Mapping[str, bytes]) -> ReleaseFolder:
    """Files (path: content) as a release has them while it is made."""
    folder = ReleaseFolder()
    folder.update(files)
    return folder


def zipped(files: Mapping[str, bytes]) -> bytes:
    """A zip of `files` (path: content)."""
    buffer = io.BytesIO()
    write_zip(buffer, folder_of(files))
    return buffer.getvalue()
