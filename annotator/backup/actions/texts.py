"""Texts of a project backup that are spelt in one way: short names, names of files, times."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any

from django.core.validators import slug_re

from annotator.backup.actions.shapes import Shape, expected, line, text
from annotator.domain.messages import gettext_noop as _
from annotator.imports.reading.fit import can_be_id

# Outside of these a time cannot be told in every zone, nor are there any.
_YEARS = range(1970, 3000)
_TIME = re.compile(r"(\d{4})-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00", re.ASCII)
_CODE = re.compile(r"[a-z][a-z0-9-]*")
# Becomes part of the names of files and folders in releases.
_FOLDER = re.compile(r"\w[^/\\\x00-\x1f]*")
_HASH = re.compile(r"[0-9a-f]{64}")
_LONGEST_SLUG = 50


def spelt(pattern: re.Pattern[str], most: int, what: str) -> Shape:
    """A text that is spelt in this way; `what` says how."""
    checked = text(most)

    def check(value: Any) -> str:
        found: str = checked(value)
        if not pattern.fullmatch(found):
            raise expected(what, value)
        return found

    return check


code = spelt(_CODE, _LONGEST_SLUG, _("a code"))
slug = spelt(slug_re, _LONGEST_SLUG, _("a short name"))
folder = spelt(_FOLDER, 100, _("the name of a dataset"))
sha256 = spelt(_HASH, 64, _("a checksum"))


def file_name(value: Any) -> str:
    """The name of a file that was imported, with the folders in which it lay: it leads nowhere else."""
    found: str = line(1000, 1)(value)
    if found.startswith("/") or "\\" in found or ".." in found.split("/"):
        raise expected(_("the name of a file"), value)
    return found


def time(value: Any) -> str:
    """A time as archives spell it."""
    found = _TIME.fullmatch(value) if type(value) is str else None
    try:
        if found is None or int(found[1]) not in _YEARS:
            raise ValueError
        datetime.fromisoformat(value)
    except ValueError:
        # There is no such day, or hour.
        raise expected(_("a date and time"), value) from None
    return str(value)


def identity(value: Any) -> str:
    """The id of a segment or a pair."""
    found: str = text(200, 1)(value)
    if not can_be_id(found):
        raise expected(_("a text without line breaks and control characters"), value)
    return found
