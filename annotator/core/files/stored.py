"""The files of the site, by the names that they have in the storage."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from annotator.core.files.pictures import PICTURES
from annotator.core.files.storage import StoredFile, site_files

# Below these lies what people brought and made; of models, in folders that rows name, beside what was downloaded.
# Exports are none of it: they can be made again, and go after a week.
MODELS = "models"
KEPT_FOLDERS = ("releases", "archives", MODELS, "uploads", PICTURES)
READ_BYTES = 1024 * 1024


def stored_files(folder: str) -> Iterator[StoredFile]:
    """All files below a folder of the storage, without hidden ones (".…"), which are unfinished or left by a dead
    process."""
    return (file for file in site_files().files(folder) if not any(part[0] == "." for part in file.name.split("/")))


def sha256_of(name: str) -> str:
    """The SHA-256 of a file in the storage."""
    found = hashlib.sha256()
    with site_files().open(name) as file:
        while chunk := file.read(READ_BYTES):
            found.update(chunk)
    return found.hexdigest()
