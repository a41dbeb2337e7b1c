"""Files that a job writes before it knows whether they are wanted, and what a killed one leaves."""

from __future__ import annotations

import os
import time
from datetime import timedelta
from pathlib import Path
from typing import IO, Any

import pytest
from django.utils import timezone

from annotator.core.files.part_file import STRAY_AFTER, sweep_unnamed, written


def left(folder: Path, *, seconds: float = 0) -> Path:
    """What a writer who was killed leaves, last written so long ago."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / ".0123.part"
    path.write_bytes(b"half")
    at = time.time() - seconds
    os.utime(path, (at, at))
    return path


def hello(file: IO[bytes]) -> None:
    file.write(b"hello")


def test_the_next_file_takes_away_what_a_killed_writer_left(tmp_path: Path) -> None:
    stray = left(tmp_path, seconds=STRAY_AFTER + 1)

    written(tmp_path, hello).name(tmp_path / "one.zip")

    assert not stray.exists()
    assert [path.name for path in tmp_path.iterdir()] == ["one.zip"]


def test_what_somebody_may_be_writing_stays(tmp_path: Path) -> None:
    another = left(tmp_path)

    written(tmp_path, hello)

    assert another.exists()


@pytest.mark.parametrize("home", ["ARCHIVES_DIR", "RELEASES_DIR"])
def test_workers_take_it_away_where_nothing_more_is_written(tmp_path: Path, settings: Any, home: str) -> None:
    settings.ARCHIVES_DIR, settings.RELEASES_DIR = tmp_path / "archives", tmp_path / "releases"
    stray = left(getattr(settings, home) / "7")
    whole = stray.with_name("1.zip")
    whole.write_bytes(b"whole")

    assert sweep_unnamed(now=timezone.now()) == 0
    assert sweep_unnamed(now=timezone.now() + timedelta(seconds=STRAY_AFTER + 60)) == 1
    assert (stray.exists(), whole.exists()) == (False, True)
