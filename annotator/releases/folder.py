"""The files of a release while it is made: on the disk, so that a large one needs no more memory than a small one."""

from __future__ import annotations

import hashlib
import shutil
import tempfile
import weakref
from collections.abc import Iterable, Iterator, MutableMapping
from io import BufferedReader, BufferedWriter
from pathlib import Path

_AT_ONCE = 1 << 20


class ReleaseFolder(MutableMapping[str, bytes]):
    """Contents by path, in the order of paths. What may be long is written and read in pieces.

    The folder goes away with this object.
    """

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="translatio-release-"))
        # A path may be no name of a file here: they come from texts of the project.
        self._places: dict[str, Path] = {}
        self._made = 0
        weakref.finalize(self, shutil.rmtree, self._folder, ignore_errors=True)

    def __getitem__(self, path: str) -> bytes:
        return self._places[path].read_bytes()

    def __setitem__(self, path: str, content: bytes) -> None:
        with self.create(path) as file:
            file.write(content)

    def __delitem__(self, path: str) -> None:
        self._places.pop(path).unlink()

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self._places))

    def __len__(self) -> int:
        return len(self._places)

    def create(self, path: str) -> BufferedWriter:
        """A new file to write to, in the place of what has that path. It is closed before it is read."""
        if path not in self._places:
            self._made += 1
            self._places[path] = self._folder / str(self._made)
        return self._places[path].open("wb")

    def open(self, path: str) -> BufferedReader:
        """A file to read from. Raises KeyError where there is none."""
        return self._places[path].open("rb")

    def write(self, path: str, pieces: Iterable[bytes]) -> None:
        """A file of these pieces; none where nothing is in them, which would look as if something were missing."""
        with self.create(path) as file:
            for piece in pieces:
                file.write(piece)
        self.drop_empty([path])

    def drop_empty(self, paths: Iterable[str]) -> None:
        """Remove those of these files that hold nothing."""
        for path in paths:
            if not self.size(path):
                del self[path]

    def size(self, path: str) -> int:
        """Bytes of a file."""
        return self._places[path].stat().st_size

    def sha256(self, path: str) -> str:
        """SHA-256 of a file, in hexadecimal."""
        with self.open(path) as file:
            return hashlib.file_digest(file, "sha256").hexdigest()

    def lines(self, path: str) -> Iterator[bytes]:
        """The lines of a file, one by one; none where there is no such file."""
        if path in self._places:
            with self.open(path) as file:
                yield from file

    def line_count(self, path: str) -> int:
        """How many lines a file has; 0 where there is no such file."""
        if path not in self._places:
            return 0
        with self.open(path) as file:
            return sum(piece.count(b"\n") for piece in iter(lambda: file.read(_AT_ONCE), b""))
