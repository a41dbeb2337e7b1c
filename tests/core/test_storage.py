"""Files of the site in a folder, and in an object store that several machines share: the same names, the same rules."""

from __future__ import annotations

import os
import time
import zipfile
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from annotator.core.faults import passes
from annotator.core.files.storage import SiteStorage, StorageError, site_files
from tests.storage import ObjectServer


@pytest.fixture(params=["folder", pytest.param("bucket", marks=pytest.mark.processes)])
def storage(request: pytest.FixtureRequest, stored: Path) -> SiteStorage:
    """Each of the two."""
    if request.param == "bucket":
        request.getfixturevalue("bucket")
    return site_files()


def write(storage: SiteStorage, name: str, content: bytes, **how: Any) -> None:
    storage.here(name).write_bytes(content)
    storage.publish(name, **how)


def read(storage: SiteStorage, name: str) -> bytes:
    with storage.open(name) as file:
        content: bytes = file.read()
    return content


def names(storage: SiteStorage, folder: str) -> list[str]:
    return sorted(file.name for file in storage.files(folder))


def test_what_is_published_is_read_from_any_place(storage: SiteStorage) -> None:
    with zipfile.ZipFile(storage.here("releases/a/a-1.zip"), "w") as packed:
        packed.writestr("first.txt", "x" * 100_000)
        packed.writestr("second.txt", "y")
    size = storage.here("releases/a/a-1.zip").stat().st_size
    storage.publish("releases/a/a-1.zip")

    with storage.open("releases/a/a-1.zip") as file, zipfile.ZipFile(file) as packed:
        assert packed.read("second.txt") == b"y"
        assert packed.read("first.txt") == b"x" * 100_000
    assert (storage.exists("releases/a/a-1.zip"), storage.size("releases/a/a-1.zip")) == (True, size)


def test_what_is_not_there_is_said(storage: SiteStorage) -> None:
    assert not storage.exists("releases/a/a-1.zip")
    for ask in (storage.open, storage.size, storage.fetch, storage.fetch_folder):
        with pytest.raises(FileNotFoundError):
            ask("releases/a/a-1.zip")
    storage.delete("releases/a/a-1.zip")
    storage.delete_folder("releases/a")
    assert names(storage, "releases/a") == []


def test_a_file_takes_the_place_of_another(storage: SiteStorage) -> None:
    write(storage, "releases/a/a-1.zip", b"old")
    write(storage, "parts/1", b"new")

    storage.rename("parts/1", "releases/a/a-1.zip")

    assert read(storage, "releases/a/a-1.zip") == b"new"
    assert names(storage, "parts") == []


def test_a_folder_goes_with_all_that_is_in_it_and_nothing_beside_it(storage: SiteStorage) -> None:
    for name in ("models/1/a/b", "models/1/c", "models/11/c"):
        write(storage, name, b"x")
    now = timezone.now()
    assert all(abs(file.modified - now) < timedelta(minutes=1) for file in storage.files("models/1"))

    storage.delete_folder("models/1")

    assert (names(storage, "models/1"), names(storage, "models/11")) == ([], ["models/11/c"])


@pytest.mark.parametrize("name", ["", "releases/", "releases/../archives", "../secret", "/etc/passwd", "a//b", "./a"])
def test_no_name_leads_elsewhere(storage: SiteStorage, name: str) -> None:
    for ask in (storage.here, storage.fetch, storage.fetch_folder, storage.delete_folder):
        with pytest.raises(ValueError, match="is not the name of a file"):
            ask(name)


@pytest.fixture
def other_machine(bucket: ObjectServer, stored: Path) -> SiteStorage:
    """What another machine, with a folder of its own, has of the same bucket."""
    return bucket.storage(stored.parent / "elsewhere")


@pytest.mark.processes
class TestSeveralMachines:
    """Machines that share a bucket and no disk."""

    def test_what_one_publishes_the_other_reads(self, other_machine: SiteStorage) -> None:
        write(site_files(), "uploads/drafts/1/a.txt", b"Ana sows doubt.", keep=True)

        [path] = other_machine.fetch("uploads/drafts/1/a.txt")

        assert path.read_bytes() == b"Ana sows doubt."
        assert path != site_files().here("uploads/drafts/1/a.txt")

    def test_a_folder_is_what_was_published_last(self, other_machine: SiteStorage) -> None:
        mine = site_files()
        other_machine.here("models/1/2/model").write_bytes(b"half")
        for round_ in (b"first, which is longer", b"second"):
            mine.here("models/1/2/more/weights").write_bytes(round_)
            mine.here("models/1/2/model").write_bytes(round_)
            if round_ != b"second":
                mine.here("models/1/2/old").write_bytes(round_)
            mine.publish_folder("models/1/2")

        folder = other_machine.fetch_folder("models/1/2")

        assert (folder / "model").read_bytes() == (folder / "more" / "weights").read_bytes() == b"second"
        assert not (folder / "old").exists()

    def test_copies_go_a_day_after_they_were_used(self, bucket: ObjectServer, stored: Path) -> None:
        for name in ("uploads/drafts/1/a", "uploads/drafts/2/b"):
            write(site_files(), name, b"x")
        machine = bucket.storage(stored.parent / "elsewhere")
        unused, used = machine.fetch("uploads/drafts/1/a", "uploads/drafts/2/b")
        before = time.time() - 25 * 3600
        for path in (unused, unused.parent, used, used.parent):
            os.utime(path, (before, before))
        machine.fetch("uploads/drafts/2/b")

        write(bucket.storage(stored.parent / "elsewhere"), "parts/1", b"a process that has just begun to look")

        assert (unused.exists(), used.exists()) == (False, True)
        assert machine.fetch("uploads/drafts/1/a") == [unused]


@pytest.mark.processes
def test_a_store_that_does_not_answer_is_a_fault_that_passes(bucket: ObjectServer, stored: Path) -> None:
    nobody = bucket.storage(stored, endpoint="http://127.0.0.1:9")
    for ask in (nobody.open, nobody.exists, nobody.size, nobody.fetch, nobody.delete, nobody.delete_folder):
        with pytest.raises(StorageError) as raised:
            ask("releases/a/a-1.zip")
        assert passes(raised.value)
