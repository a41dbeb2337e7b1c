"""An installation without the extra says how to get it."""

from __future__ import annotations

import sys

import pytest

from mlworkers.engines.base import EngineError
from mlworkers.engines.registry import load_detector


def test_the_error_says_how_to_install_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("torch", "transformers", "huggingface_hub"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(EngineError, match=r"package torch, which is not installed.*\.\[transformers\]"):
        load_detector("transformers:mdeberta-base-metaphor-detection-es", language="es")
