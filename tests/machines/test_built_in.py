"""Which detector a language starts with."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

from annotator.domain.labels.schemes import Scheme
from annotator.machines.queries import training
from annotator.machines.queries.engines import Engines
from annotator.machines.queries.training import built_in, has_detector
from annotator.models import Project
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
def test_only_what_can_run_is_offered(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    project = make_project()
    monkeypatch.setattr("annotator.machines.queries.engines.has_torch", lambda: False)
    assert Engines(project).detectors("es") == ["encoder", "crf"]
    without_runtime(monkeypatch)
    assert Engines(project).detectors("es") == ["crf"]
    assert Engines(project).detectors("ca") == []
    settings.CHECKPOINTS = ["/models/mine"]
    assert Engines(project).detectors("ca") == ["transformers:/models/mine"]
    assert Engines(project).trainers() == ["crf", "transformers:/models/mine"]
    monkeypatch.setattr("annotator.machines.queries.engines.has_torch", lambda: True)
    assert "transformers:mdeberta-base-metaphor-detection-es" in Engines(project).detectors("es")


@pytest.mark.django_db
def test_the_built_in_ones_are_not_offered_to_schemes_without_their_label(monkeypatch: pytest.MonkeyPatch) -> None:
    project = make_project()
    monkeypatch.setattr("annotator.machines.queries.engines.has_torch", lambda: False)
    layer = project.label_layer
    layer.scheme_data = Scheme(labels=("IRONY",)).to_json()
    layer.save()
    assert Engines(Project.objects.get(pk=project.pk)).detectors("es") == []


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
