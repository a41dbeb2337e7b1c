"""How much a request brings, and where its files lie while it is read: in one unnamed file, however many they are.

Django's own handlers open a file for each, and a process may have about a thousand open.
"""

from __future__ import annotations

import io
import os
import tempfile
from functools import cached_property
from typing import IO, Any

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.core.files.uploadhandler import FileUploadHandler, SkipFile
from django.http import HttpRequest


def size_of(request: HttpRequest) -> int:
    """How many bytes are announced. Without the header there is no body: Django reads no further than it says."""
    try:
        return max(int(request.META.get("CONTENT_LENGTH") or 0), 0)
    except ValueError:  # as Django takes it
        return 0


class OneFileUploadHandler(FileUploadHandler):
    """Write the files of a request into one temporary file, one after the other."""

    _begin = _end = 0

    @cached_property
    def _store(self) -> IO[bytes]:
        return tempfile.TemporaryFile(dir=settings.FILE_UPLOAD_TEMP_DIR, buffering=0)

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        """Begin where the file before ended."""
        super().new_file(*args, **kwargs)
        self._begin = self._end

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        """Write what came."""
        # On a full disk a part may be written: then the next write fails.
        left = memoryview(raw_data)
        while left:
            written = self._store.write(left)
            self._end += written
            left = left[written:]

    def file_complete(self, file_size: int) -> UploadedFile:
        """The part of the temporary file that is this file."""
        part = io.BufferedReader(_Part(self._store, self._begin, self._end))
        return UploadedFile(
            file=part,
            name=self.file_name,
            content_type=self.content_type,
            size=self._end - self._begin,
            charset=self.charset,
            content_type_extra=self.content_type_extra,
        )


class NoUploadHandler(FileUploadHandler):
    """Write nothing: what most pages do with files that somebody sends to them."""

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        """Skip the file."""
        raise SkipFile

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        """Skip the file."""
        raise SkipFile

    def file_complete(self, file_size: int) -> None:
        """There is none."""


class _Part(io.RawIOBase):
    """Some bytes of an open file. It has a position of its own, so that several parts can be read at once."""

    def __init__(self, store: IO[bytes], begin: int, end: int) -> None:
        self._store, self._begin, self._end = store, begin, end
        self._at = begin

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at - self._begin

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        origin = {os.SEEK_SET: self._begin, os.SEEK_CUR: self._at, os.SEEK_END: self._end}[whence]
        self._at = max(self._begin, origin + offset)
        return self.tell()

    def readinto(self, buffer: Any) -> int:
        wanted = max(0, min(len(buffer), self._end - self._at))
        found = os.pread(self._store.fileno(), wanted, self._at)
        buffer[: len(found)] = found
        self._at += len(found)
        return len(found)
