"""The site's files in an S3 object store, for machines without a shared disk (extra `s3`)."""

from __future__ import annotations

import io
import os
import shutil
import time
import uuid
import weakref
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from boto3.exceptions import Boto3Error
from boto3.s3.transfer import TransferConfig
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError
from django.core.files import File
from storages.backends.s3 import S3Storage

from annotator.core.files.storage import StorageError, StoredFile, checked

# Seconds until an unused copy on this machine is deleted: longer than any job.
COPY_KEPT = 24 * 3600.0
# Seconds between two searches for such copies by a process.
SWEEP_EVERY = 3600.0
# Files transferred at the same time; an import can have 10,000.
AT_ONCE = 8
# Bytes of an object read in one request.
PIECE = 8 * 1024 * 1024
# Objects deleted per request, the maximum of S3.
MAX_DELETED = 1000
_PATIENCE = Config(
    connect_timeout=3,
    read_timeout=20,
    retries={"mode": "standard", "max_attempts": 2},
    max_pool_connections=2 * AT_ONCE,
    # Servers other than Amazon's do not all know the newer checksums.
    request_checksum_calculation="when_required",
    response_checksum_validation="when_required",
)


@contextmanager
def _as_os_errors() -> Iterator[None]:
    """Raise the store's errors as errors of files."""
    try:
        yield
    except ClientError as error:
        if error.response["ResponseMetadata"].get("HTTPStatusCode") == 404:
            raise FileNotFoundError(str(error)) from error
        raise StorageError(f"The storage refused: {error}") from error
    except (BotoCoreError, Boto3Error) as error:
        raise StorageError(f"The storage does not answer: {error}") from error


class _Reader(io.RawIOBase):
    """An object, read in pieces from any position."""

    def __init__(self, get: Callable[[str], bytes], size: int) -> None:
        self._get, self._size, self._at = get, size, 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        origin = {os.SEEK_SET: 0, os.SEEK_CUR: self._at, os.SEEK_END: self._size}[whence]
        self._at = max(0, origin + offset)
        return self._at

    def readinto(self, buffer: Any) -> int:
        end = min(self._at + len(buffer), self._size)
        if end <= self._at:
            return 0
        found = self._get(f"bytes={self._at}-{end - 1}")
        buffer[: len(found)] = found
        self._at += len(found)
        return len(found)


class ObjectStorage(S3Storage):
    """A bucket. `copies`: a folder of this machine for what is written before it is published, and for copies of what
    is read again and again (drafts, models); a copy goes a day after it was last used."""

    def __init__(self, *, copies: str, **options: Any) -> None:
        style = Config(s3={"addressing_style": options.pop("addressing_style", "auto")})
        super().__init__(client_config=_PATIENCE.merge(style), **options)
        self._copies = Path(copies)
        self._swept_at = -SWEEP_EVERY
        self._forget_connections()
        forget = weakref.WeakMethod(self._forget_connections)
        os.register_at_fork(after_in_child=lambda: (found := forget()) and found())

    def _forget_connections(self) -> None:
        # One client for all threads, which may share it: each costs megabytes, and a web process has many threads.
        # A process that was forked must not write to its parent's sockets.
        self._connections = SimpleNamespace()
        self._bucket = None

    @property
    def place(self) -> str:
        return f"s3://{self.bucket_name}"

    @property
    def _client(self) -> Any:
        return self.connection.meta.client

    def _open(self, name: str, mode: str = "rb") -> File:
        if mode != "rb":
            raise ValueError("Files are written with `here` and `publish`.")
        client = self._client
        place = {"Bucket": self.bucket_name, "Key": checked(name)}
        with _as_os_errors():
            size = client.head_object(**place)["ContentLength"]

        def get(part: str) -> bytes:
            with _as_os_errors():
                found: bytes = client.get_object(**place, Range=part)["Body"].read()
            return found

        return File(io.BufferedReader(_Reader(get, size), PIECE), name)

    def _save(self, name: str, content: Any) -> str:
        with _as_os_errors():
            saved: str = super()._save(name, content)
        return saved

    def exists(self, name: str) -> bool:
        with _as_os_errors():
            return bool(super().exists(name))

    def size(self, name: str) -> int:
        with _as_os_errors():
            return int(super().size(name))

    def listdir(self, name: str) -> tuple[list[str], list[str]]:
        with _as_os_errors():
            found: tuple[list[str], list[str]] = super().listdir(name)
        return found

    def delete(self, name: str) -> None:
        """Delete a file, and this machine's copy of it."""
        with _as_os_errors():
            super().delete(checked(name))
        (self._copies / name).unlink(missing_ok=True)

    def here(self, name: str) -> Path:
        path = self._copies / checked(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        return path

    def publish(self, *names: str, keep: bool = False) -> None:
        self._sweep()
        self._each(self._upload, names)
        if not keep:
            for name in names:
                self.here(name).unlink(missing_ok=True)

    def fetch(self, *names: str) -> list[Path]:
        paths = {name: self.here(name) for name in names}
        missing = [name for name, path in paths.items() if not _used(path)]
        if missing:
            self._sweep()
            self._each(self._download, missing)
        return list(paths.values())

    def publish_folder(self, folder: str) -> None:
        here = self.here(folder)
        names = [f"{folder}/{path.relative_to(here).as_posix()}" for path in here.rglob("*") if path.is_file()]
        self._delete_objects(file.name for file in self.files(folder) if file.name not in names)
        self.publish(*names)
        # Fetched only when needed, so that it is the last published version.
        shutil.rmtree(here, ignore_errors=True)

    def fetch_folder(self, folder: str) -> Path:
        found = list(self.files(folder))
        if not found:
            raise FileNotFoundError(folder)
        for file in found:
            # Left by an unfinished training.
            if (path := self.here(file.name)).is_file() and path.stat().st_size != file.size:
                path.unlink()
        self.fetch(*(file.name for file in found))
        return self.here(folder)

    def rename(self, old: str, new: str) -> None:
        with _as_os_errors():
            self._client.copy({"Bucket": self.bucket_name, "Key": checked(old)}, self.bucket_name, checked(new))
        self.delete(old)

    def files(self, folder: str) -> Iterator[StoredFile]:
        pages = self._client.get_paginator("list_objects_v2").paginate(
            Bucket=self.bucket_name, Prefix=f"{checked(folder)}/"
        )
        with _as_os_errors():
            for page in pages:
                for one in page.get("Contents", ()):
                    yield StoredFile(one["Key"], one["Size"], one["LastModified"])

    def delete_folder(self, folder: str) -> None:
        self._delete_objects(file.name for file in self.files(folder))
        shutil.rmtree(self.here(folder), ignore_errors=True)

    def _each(self, work: Callable[[str], None], names: Iterable[str]) -> None:
        with ThreadPoolExecutor(AT_ONCE) as pool, _as_os_errors():
            list(pool.map(work, names))

    def _upload(self, name: str) -> None:
        path = self.here(name)
        self._client.upload_file(str(path), self.bucket_name, name, Config=_transfer(path.stat().st_size))

    def _download(self, name: str) -> None:
        path = self.here(name)
        part = path.with_name(f".{uuid.uuid4().hex}.part")
        try:
            self._client.download_file(self.bucket_name, name, str(part), Config=_transfer(0))
            os.replace(part, path)
        finally:
            part.unlink(missing_ok=True)

    def _delete_objects(self, names: Iterable[str]) -> None:
        keys = [{"Key": name} for name in names]
        with _as_os_errors():
            for begin in range(0, len(keys), MAX_DELETED):
                batch = {"Objects": keys[begin : begin + MAX_DELETED], "Quiet": True}
                self._client.delete_objects(Bucket=self.bucket_name, Delete=batch)

    def _sweep(self) -> None:
        """Delete copies that nobody has used for a day."""
        if time.monotonic() < self._swept_at + SWEEP_EVERY:
            return
        self._swept_at = time.monotonic()
        before = time.time() - COPY_KEPT
        # Innermost folders first.
        for folder, _folders, files in os.walk(self._copies, topdown=False):
            for name in files:
                with suppress(FileNotFoundError):
                    path = Path(folder, name)
                    if path.stat().st_mtime < before:
                        path.unlink()
            with suppress(OSError):
                # Not where something is left in it; nor is a folder in which a file is about to be made a fresh one.
                if Path(folder).stat().st_mtime < before:
                    os.rmdir(folder)


def _transfer(size: int) -> TransferConfig:
    """Several pieces at once of a large file; for small ones, threads of their own would cost more than they save."""
    return TransferConfig(use_threads=size > PIECE)


def _used(path: Path) -> bool:
    """Whether there is a copy here; if so, keep it for another day."""
    try:
        if path.stat().st_mtime < time.time() - SWEEP_EVERY:
            os.utime(path)
    except FileNotFoundError:
        return False
    return True
