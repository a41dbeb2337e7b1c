"""A worker that Celery starts alone would take all messages and do nothing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.forks import ROOT
from tests.site import Site


@pytest.mark.parametrize("more", [(), ("--queues", "default,ml"), ("--pool", "threads")])
def test_it_refuses_to_start_and_says_how(tmp_path: Path, migrated_file: Path, more: tuple[str, ...]) -> None:
    site = Site(tmp_path / "site")
    command = [sys.executable, "-m", "celery", "-A", "annotator", "worker", "--concurrency", "2", *more]

    ended = subprocess.run(command, cwd=ROOT, env=site.env, capture_output=True, text=True, timeout=120, check=False)

    assert ended.returncode != 0
    assert "python manage.py worker" in ended.stderr
    assert "Traceback" not in ended.stderr
