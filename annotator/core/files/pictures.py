"""Pictures of guidelines: recognised by their content, and stored under names derived from it, so that they never
change."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from typing import IO

from annotator.core.files.part_file import PartFile, written

MEDIA_TYPES = {"png": "image/png", "jpg": "image/jpeg", "gif": "image/gif", "webp": "image/webp"}
# Their folder in the storage.
PICTURES = "guidelines"
# The path of a picture in a text: pages and releases have this folder beside the text.
_NAME = r"[0-9a-f]{32}\.(?:png|jpg|gif|webp)"
_SHOWN = re.compile(rf"\(pictures/({_NAME})[\s)]")


def picture_type(data: bytes) -> str | None:
    """The ending of such a picture, one of MEDIA_TYPES; None for anything else."""
    if data[:8] == b"\x89PNG\r\n\x1a\n" and data[12:16] == b"IHDR":
        return "png"
    if data[:3] == b"\xff\xd8\xff":
        return "jpg"
    if data[:6] in (b"GIF87a", b"GIF89a"):
        return "gif"
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "webp"
    return None


def is_picture_name(name: str) -> bool:
    """Whether this is a valid name of a picture."""
    return re.fullmatch(_NAME, name) is not None


def name_of(data: bytes, ending: str) -> str:
    """The name of a picture with these bytes."""
    return f"{hashlib.sha256(data).hexdigest()[:32]}.{ending}"


def pictures_of(project: int) -> str:
    """The folder of a project's (id) pictures in the storage."""
    return f"{PICTURES}/{project}"


def picture_file(project: int, name: str) -> str:
    """The name in the storage of a project's (id) picture."""
    return f"{pictures_of(project)}/{name}"


def pictures_in(texts: Iterable[str]) -> list[str]:
    """The pictures that texts show, each once."""
    return list(dict.fromkeys(name for text in texts for name in _SHOWN.findall(text)))


def picture_part(data: bytes) -> PartFile:
    """A file with these bytes, to be given the name of a picture."""

    def write(target: IO[bytes]) -> None:
        target.write(data)

    return written(write)
