"""Whether the shipped encoder can run here."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

from mlworkers.engines.base import DATA

needs_encoder = pytest.mark.skipif(
    find_spec("onnxruntime") is None or not (DATA / "encoder" / "model.json").exists(),
    reason="the encoder cannot run: onnxruntime is not installed, or this checkout has no weights in "
    "mlworkers/engines/data/encoder (bench/pack_encoder.py makes them)",
)
