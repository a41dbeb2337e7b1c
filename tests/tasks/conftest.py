from __future__ import annotations

import importlib

import pytest


@pytest.fixture(autouse=True)
def handlers() -> None:
    """What a worker process has loaded."""
    importlib.import_module("annotator.tasks")
    importlib.import_module("mlworkers.tasks")
