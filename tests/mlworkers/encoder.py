"""Whether the shipped encoder can run here."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

needs_encoder = pytest.mark.skipif(
    find_spec("onnxruntime") is None,
    reason="the encoder cannot run: onnxruntime is not installed, since it has no wheel for this platform",
)
