"""Where the published corpora lie, if they lie beside the checkout; tests that need them skip otherwise."""

from __future__ import annotations

from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[1]
SHARED = REPOSITORY.parent / "shared"
META4XNLI = SHARED / "data" / "meta4xnli"
MUNCH = SHARED / "data" / "munch"

needs_meta4xnli = pytest.mark.skipif(
    not META4XNLI.is_dir(), reason=f"the published corpus is not at {META4XNLI}; put it there to run this test"
)


def shared_corpus(name: str) -> Path:
    """Where a published corpus lies; the test that asks is skipped where it is not there."""
    folder = SHARED / "data" / name
    if not folder.is_dir():
        pytest.skip(f"the published corpus is not at {folder}; put it there to run this test")
    return folder


needs_munch = pytest.mark.skipif(
    not MUNCH.is_dir(), reason=f"the published files are not at {MUNCH}; put them there to run this test"
)
