"""Files against the rows that name them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from annotator.core.files.storage import site_files
from annotator.core.files.stored import sha256_of, stored_files
from annotator.integrity.findings import Finding
from annotator.integrity.named_files import NamedFile, named_files

_RESTORE = "Copy it from a site backup into the storage."
# Files are written before their rows: a younger one may be named soon.
STRAY_AFTER = timedelta(hours=1)
# Where every file has a row. Models have files of their own, and beside them what aligners keep for themselves.
_NAMED_FOLDERS = ("releases", "archives", "uploads")
_DRAFTS = "uploads/drafts/"


def check_files(*, contents: bool, now: datetime) -> Iterator[Finding]:
    """Files that rows name are in the storage, as large as the rows say.

    With `contents` every file is read and compared. A file that no row names is a warning.
    """
    known: set[str] = set()
    for file in named_files():
        # A draft has files beside those that it names.
        known.add(file.name.rpartition("/")[0] + "/" if file.name.startswith(_DRAFTS) else file.name)
        problem = _problem(file, contents)
        if problem and file.is_still_named:
            yield Finding(f"{file.name} ({file.says})", problem, _RESTORE)
    for folder in _NAMED_FOLDERS:
        for stored in stored_files(folder):
            name = stored.name
            is_known = name in known or (name.startswith(_DRAFTS) and name.rpartition("/")[0] + "/" in known)
            if not is_known and stored.modified < now - STRAY_AFTER:
                yield Finding(name, "No row refers to it.", "Delete it if nobody needs it.", is_warning=True)


def _problem(file: NamedFile, contents: bool) -> str:
    if file.is_folder:
        return "" if any(stored_files(file.name)) else "is missing."
    if not site_files().exists(file.name):
        return "is missing."
    try:
        size = site_files().size(file.name)
        if file.size is not None and size != file.size:
            return f"has {size} bytes, but its row says {file.size}."
        if contents and file.sha256 and sha256_of(file.name) != file.sha256:
            return "has other bytes than were stored: its SHA-256 differs."
    except FileNotFoundError:
        return "is missing."
    return ""
