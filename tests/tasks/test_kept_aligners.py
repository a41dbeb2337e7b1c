"""A text is fixed: the aligner that learnt from the project's text aligns it, and is not trained anew."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from annotator.jobs.actions import start_job
from annotator.jobs.running import run_job
from annotator.models import Job, JobKind, JobState, Project, Suggestion, Unit
from annotator.revisions.revisions import revise_text
from mlworkers.kept_aligners import kept as kept_aligner
from tests.factories import make_annotation, make_member, make_project, make_segment, make_sentence, span

pytestmark = pytest.mark.django_db

TEXTS = [
    ("La duda roe la casa", "Doubt gnaws the house"),
    ("La casa duerme", "The house sleeps"),
    ("La noche canta", "The night sings"),
]


@pytest.fixture(autouse=True)
def models(settings: Any, tmp_path: Path) -> Path:
    settings.MEDIA_ROOT = tmp_path
    return tmp_path / "models"


@pytest.fixture
def project() -> Project:
    made = make_project()
    for texts in TEXTS:
        segment = make_segment(made)
        for language, text in zip(made.languages, texts, strict=True):
            make_sentence(made, text, language=language, segment=segment)
    make_annotation(sentence(made, 0), make_member(made), [span(2)])
    return made


def sentence(project: Project, number: int, language: str = "es") -> Unit:
    return project.sentences.filter(language=language, is_current=True).order_by("segment__position")[number]


def finished(job: Job | None) -> Job:
    assert job is not None
    run_job(job.pk, worker="one")
    job.refresh_from_db()
    assert job.state == JobState.DONE, job.error
    return job


def run(project: Project) -> Suggestion:
    finished(start_job(project=project, kind=JobKind.PROJECT, params={"source": "es", "target": "en"}, by=None))
    return Suggestion.objects.get(is_current=True, unit__is_current=True)


def fix(project: Project, text: str) -> Suggestion:
    target = sentence(project, 0, "en")
    finished(revise_text(project=project, unit=target.pk, text=text, by=None, anybodys=True).job)
    return Suggestion.objects.get(unit=sentence(project, 0, "en"), is_current=True)


def kept(project: Project, models: Path) -> Path:
    [folder] = (models / str(project.pk)).iterdir()
    return folder


def files(project: Project, models: Path) -> list[str]:
    return sorted(path.name for path in kept(project, models).iterdir())


def test_the_model_that_projected_the_text_aligns_a_sentence_that_is_fixed(project: Project, models: Path) -> None:
    before = run(project)
    assert files(project, models) == ["es.en.3.npz"]
    written = (kept(project, models) / "es.en.3.npz").stat().st_mtime_ns

    after = fix(project, "Doubt gnaws a house")

    assert (after.name, after.revision) == ("lexical", before.revision)
    assert [one["tokens"] for one in after.content["spans"]] == [[1]]
    assert (kept(project, models) / "es.en.3.npz").stat().st_mtime_ns == written


def test_what_was_lost_or_damaged_is_trained_again(project: Project, models: Path) -> None:
    before = run(project)
    [path] = kept(project, models).iterdir()
    path.write_bytes(b"no model")
    assert fix(project, "Doubt gnaws a house").revision != before.revision
    path.unlink()
    fix(project, "Doubt gnaws this house")
    assert files(project, models) == ["es.en.3.npz"]


def test_a_project_that_has_grown_trains_it_anew(project: Project, models: Path) -> None:
    before = run(project)
    segment = make_segment(project)
    make_sentence(project, "La lluvia canta", segment=segment)
    make_sentence(project, "The rain sings", language="en", segment=segment)
    assert fix(project, "Doubt gnaws a house").revision != before.revision
    assert files(project, models) == ["es.en.4.npz"]


def test_of_two_projects_each_has_its_own(project: Project, models: Path) -> None:
    run(project)
    other = make_project()
    assert not (models / str(other.pk)).exists()


def test_a_project_with_the_number_of_an_earlier_one_does_not_take_its_model(project: Project) -> None:
    run(project)
    assert kept_aligner(project, source="es", target="en") is not None

    Project.objects.filter(pk=project.pk).update(created_at=project.created_at + timedelta(days=1))
    project.refresh_from_db()

    assert kept_aligner(project, source="es", target="en") is None
