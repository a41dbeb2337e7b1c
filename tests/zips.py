"""Zips in memory."""

from __future__ import annotations

import io
from collections.abc import Mapping

from annotator.releases.actions.releases import write_zip


def zipped(files: Mapping[str, bytes]) -> bytes:
    """A zip of `files` (path: content)."""
    buffer = io.BytesIO()
    write_zip(buffer, files)
    return buffer.getvalue()
