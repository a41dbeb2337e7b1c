"""What the import contracts in pyproject.toml cannot see: what a running process has loaded."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from django.conf import settings

MODELS = ("torch", "transformers", "simalign", "pycrfsuite", "sklearn")
# Lemmas and content words are worked out once, where sentences are imported; agreement is plain Python.
LANGUAGE_DATA = ("simplemma", "wordfreq", "numpy")


def loaded_by(code: str) -> set[str]:
    """Names of libraries for models and languages, and of Django, that a fresh interpreter has loaded after `code`."""
    names = (*MODELS, *LANGUAGE_DATA, "django", "celery")
    run = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys\nprint(*[n for n in {names!r} if n in sys.modules])"],
        capture_output=True,
        text=True,
        check=True,
        # Settings make the folder that they are told of; it must not be the one where people's data is.
        env={**os.environ, "DATA_DIR": str(settings.DATA_DIR)},
    )
    return set(run.stdout.split())


def test_the_web_process_loads_neither_models_nor_language_data() -> None:
    code = (
        "import os\nos.environ['DJANGO_SETTINGS_MODULE'] = 'annotator.settings'\n"
        "import annotator.wsgi\nfrom django.urls import get_resolver\nget_resolver().url_patterns"
    )
    assert loaded_by(code) & {*MODELS, *LANGUAGE_DATA} == set()


@pytest.mark.parametrize("module", ["annotator.domain.formats.meta4xnli", "annotator.domain.projection"])
def test_the_domain_loads_neither_django_nor_celery(module: str) -> None:
    assert loaded_by(f"import {module}") == set()


def test_engines_load_neither_django_nor_celery_nor_torch() -> None:
    assert loaded_by("import mlworkers.engines.registry") <= {"pycrfsuite", "numpy"}
