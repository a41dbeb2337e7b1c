"""Which Python `make` installs with (.ci/python)."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.forks import ROOT

VERSION = "{}.{}".format(*sys.version_info)


def program(folder: Path, *, version: str = VERSION, seconds: float, code: int = 0) -> str:
    """Another Python, as far as it is asked: what it says of itself."""
    path = folder / "bin" / "python3"
    path.parent.mkdir()
    path.write_text(f"#!/bin/sh\necho {version} {seconds} {path}\nexit {code}\n")
    path.chmod(0o755)
    return str(path)


def chosen(folder: Path, **more: str) -> str:
    """What is printed with that folder first on the PATH, outside of any environment."""
    env = {name: value for name, value in os.environ.items() if name not in ("VIRTUAL_ENV", "CONDA_PREFIX")}
    done = subprocess.run(
        [sys.executable, ".ci/python"],
        cwd=ROOT,
        env={**env, "PATH": str(folder / "bin"), **more},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


def test_a_build_that_is_clearly_quicker_is_taken(tmp_path: Path) -> None:
    other = program(tmp_path, seconds=0.000001)
    assert chosen(tmp_path) == other


@pytest.mark.parametrize(
    "it", [{"seconds": 60}, {"seconds": 0.000001, "version": "3.99"}, {"seconds": 0.000001, "code": 1}]
)
def test_no_slower_one_nor_one_of_another_version_nor_one_that_fails(tmp_path: Path, it: dict[str, float]) -> None:
    program(tmp_path, **it)  # type: ignore[arg-type]  # the names it takes
    assert chosen(tmp_path) == sys.executable


def test_whoever_is_in_an_environment_has_chosen(tmp_path: Path) -> None:
    program(tmp_path, seconds=0.000001)
    assert chosen(tmp_path, VIRTUAL_ENV=str(tmp_path)) == sys.executable
