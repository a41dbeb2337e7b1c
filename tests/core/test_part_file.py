"""Files that a job writes before it knows whether they are wanted, and what a killed one leaves."""

from __future__ import annotations

import os
import time
from datetime import timedelta
from pathlib import Path
from typing import IO

from django.utils import timezone

from annotator.core.files.part_file import PARTS, STRAY_AFTER, sweep_parts, written
from annotator.core.files.storage import site_files


def left(*, ago: timedelta = timedelta()) -> Path:
    """What a writer who was killed leaves, last written so long ago."""
    path = site_files().here(f"{PARTS}/0123")
    path.write_bytes(b"half")
    at = time.time() - ago.total_seconds()
    os.utime(path, (at, at))
    return path


def hello(file: IO[bytes]) -> None:
    file.write(b"hello")


def test_the_next_file_takes_away_what_a_killed_writer_left(stored: Path) -> None:
    stray = left(ago=STRAY_AFTER + timedelta(seconds=1))

    written(hello).name("releases/one.zip")

    assert not stray.exists()
    assert [path for path in stored.rglob("*") if path.is_file()] == [stored / "releases" / "one.zip"]


def test_what_somebody_may_be_writing_stays(stored: Path) -> None:
    another = left()

    written(hello)

    # It got no name.
    assert list((stored / PARTS).iterdir()) == [another]


def test_workers_take_it_away_where_nothing_more_is_written(stored: Path) -> None:
    stray = left()

    assert sweep_parts(now=timezone.now()) == 0
    assert sweep_parts(now=timezone.now() + STRAY_AFTER + timedelta(minutes=1)) == 1
    assert not stray.exists()
