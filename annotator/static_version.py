"""A hash of all static files: a part of their address, so that browsers can cache them forever.

The scripts of pages import each other by relative path. With the name in the path of all of them, not in that of each
file, these imports hold.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path

# Packages with static files.
PACKAGES = ("django", "djangorestframework", "drf-spectacular-sidecar")
LENGTH = 12


def static_version(folders: Iterable[Path]) -> str:
    """The same on all machines that have the same files: neither times nor places count."""
    found = hashlib.blake2b(repr([version(package) for package in PACKAGES]).encode())
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                contents = path.read_bytes()
                found.update(f"{path.relative_to(folder).as_posix()} {len(contents)}\n".encode() + contents)
    return found.hexdigest()[:LENGTH]
