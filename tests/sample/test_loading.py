"""The sample project."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from annotator.models import Event, JobState, Project

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def folders(tmp_path: Path, settings: Any) -> None:
    settings.MEDIA_ROOT = tmp_path


def test_the_sample_is_loaded_once_and_shows_something_everywhere() -> None:
    call_command("load_sample")

    project = Project.objects.get(slug="sample")
    counts = {
        "sentences": project.sentences.count(),
        "annotations": project.annotations.count(),
        "events": Event.objects.count(),
        "jobs": project.jobs.count(),
        "releases": project.releases.count(),
    }
    assert counts["sentences"] == 200
    assert not project.jobs.exclude(state=JobState.DONE).exists()
    assert counts["releases"] == 1
    current = project.suggestions.filter(is_current=True)
    waiting = current.filter(kind="projection", unit__annotations=None)
    assert waiting.count() >= 10
    labels = project.annotations.filter(layer=project.label_layer)
    assert labels.filter(user__username="ben", mode="blind").count() == 31
    assert project.golds.filter(layer=project.label_layer, unit__language="es").count() >= 10
    undecided = labels.filter(user__username="ben", unit__golds=None)
    assert undecided.count() >= 3, "nothing is left to adjudicate"
    assert current.filter(unit__language="en", kind="transfer").exists()

    call_command("load_sample")

    assert counts == {
        "sentences": project.sentences.count(),
        "annotations": project.annotations.count(),
        "events": Event.objects.count(),
        "jobs": project.jobs.count(),
        "releases": project.releases.count(),
    }
