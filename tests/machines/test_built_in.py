"""Which detector a language starts with."""

from __future__ import annotations

import subprocess
import sys

import pytest

from annotator.dashboard.forms import PredictForm
from annotator.machines.queries import training
from annotator.machines.queries.training import built_in, has_detector
from tests.factories import make_project
from tests.mlworkers.encoder import needs_encoder


def without_runtime(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training, "RUNTIME", "a_package_that_nobody_has")


@needs_encoder
def test_the_encoder_where_it_knows_the_language() -> None:
    assert [built_in(language) for language in ("es", "es-MX", "en")] == ["encoder"] * 3
    assert built_in("eu") == "crf"


def test_the_crf_where_the_encoder_cannot_run(monkeypatch: pytest.MonkeyPatch) -> None:
    without_runtime(monkeypatch)
    assert built_in("es") == "crf"


@pytest.mark.django_db
def test_a_language_has_one_either_way_or_none(monkeypatch: pytest.MonkeyPatch) -> None:
    project = make_project()
    assert has_detector(project, "es") and not has_detector(project, "eu")
    without_runtime(monkeypatch)
    assert has_detector(project, "es") and not has_detector(project, "eu")


@pytest.mark.django_db
def test_the_form_says_where_the_encoder_cannot_run(monkeypatch: pytest.MonkeyPatch) -> None:
    project = make_project()
    says = "encoder cannot run here: its package onnxruntime is not installed."
    assert says not in PredictForm(project=project).as_p()
    without_runtime(monkeypatch)
    assert says in PredictForm(project=project).as_p()


def test_finding_out_loads_nothing_that_runs_models() -> None:
    code = (
        "import os, sys, django\n"
        "os.environ.setdefault('DJANGO_SETTINGS_MODULE', 'annotator.settings')\n"
        "django.setup()\n"
        "import annotator.urls\n"
        "from annotator.machines.queries.training import built_in\n"
        "print(built_in('es'), sorted({'onnxruntime', 'torch', 'pycrfsuite'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == f"{built_in('es')} []"
