"""What `pip install` gives: the pages, their files and the command, without the repository."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.forks import ROOT


def tracked(*folders: str) -> list[str]:
    """The files of the repository below these folders; where it has no history, those that are there."""
    found = subprocess.run(["git", "ls-files", *folders], cwd=ROOT, capture_output=True, text=True, check=False)
    names = found.stdout.split("\n") if found.returncode == 0 else []
    there = [str(one.relative_to(ROOT)) for folder in folders for one in (ROOT / folder).rglob("*") if one.is_file()]
    return [name for name in names if name] or [name for name in there if "__pycache__" not in name]


@pytest.mark.processes
def test_a_wheel_holds_all_that_the_program_reads(tmp_path: Path) -> None:
    source = tmp_path / "source"
    folders = ("annotator", "api", "mlworkers", "templates", "static", "docs/manual", "docs/examples", "CHANGELOG.md")
    for name in [*tracked(*folders), "pyproject.toml", "README.md", "LICENSE", "NOTICE"]:
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_bytes((ROOT / name).read_bytes())
    command = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--quiet",
        "--no-deps",
        "--no-build-isolation",
        "-w",
        tmp_path,
        ".",
    ]
    done = subprocess.run(command, cwd=source, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr

    with zipfile.ZipFile(next(tmp_path.glob("*.whl"))) as wheel:
        held = set(wheel.namelist())
        (commands,) = [name for name in held if name.endswith("entry_points.txt")]
        assert "translatio = annotator.__main__:main" in wheel.read(commands).decode()

    sited = {
        name if name.split("/")[0] in ("annotator", "api", "mlworkers") else f"annotator/site/{name}"
        for name in tracked(*folders)
    }
    assert sorted(sited - held) == []
