"""Where the published corpora lie, if they lie beside the checkout; tests that need them skip otherwise."""

from __future__ import annotations

from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[1]
SHARED = REPOSITORY.parent / "shared"
META4XNLI = SHARED / "data" / "meta4xnli"

needs_meta4xnli = pytest.mark.skipif(
    not META4XNLI.is_dir(), reason=f"the published corpus is not at {META4XNLI}; put it there to run this test"
)
