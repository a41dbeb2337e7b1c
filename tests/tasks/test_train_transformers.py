"""A checkpoint learns from a project: as a job, which goes on where it was left, and becomes active."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from annotator.core.files.storage import site_files
from annotator.jobs import running as jobs
from annotator.jobs.actions import start_job
from annotator.jobs.running import run_job
from annotator.machines.queries.training import examples, tagged
from annotator.models import Job, JobKind, JobState, Project, Suggestion, TrainedDetector
from tests.factories import make_annotation, make_member, make_project, make_segment, make_sentence, span
from tests.mlworkers.checkpoints import NEEDS_EXTRA, make_checkpoint
from tests.mlworkers.encoder import needs_encoder

pytest.importorskip("torch", reason=NEEDS_EXTRA)
pytest.importorskip("transformers", reason=NEEDS_EXTRA)

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _own_folder_and_cpu(settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.MEDIA_ROOT = tmp_path
    monkeypatch.setenv("ENGINE_DEVICE", "cpu")


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_checkpoint(tmp_path_factory.mktemp("pretrained") / "encoder", head="MaskedLM")


@pytest.fixture
def project() -> Project:
    """A language without a built-in detector: the first that is trained becomes active, however good it is."""
    made = make_project(languages=("ca", "en"))
    ana = make_member(made)
    for number in range(100):
        segment = make_segment(made, group=f"group {number}")
        make_annotation(make_sentence(made, "la ola golpea", language="ca", segment=segment), ana, [span(2)])
    make_sentence(made, "la ola golpea", language="ca")
    return made


def train(project: Project, model: Path | str) -> Job:
    params = {"language": "ca", "engine": f"transformers:{model}"}
    return start_job(project=project, kind=JobKind.TRAIN, params=params, by=None)


def test_it_is_trained_measured_and_active(project: Project, encoder: Path) -> None:
    from mlworkers.engines.detectors.recipe import steps

    job = train(project, encoder)

    run_job(job.pk, worker="one")

    job.refresh_from_db()
    assert job.state == JobState.DONE, job.error
    splits = tagged(project, "ca", examples(project, "ca", "METAPHOR").rows)
    assert job.done == job.total == steps(len(splits["train"]))
    detector = TrainedDetector.objects.get()
    assert detector.engine == f"transformers:{encoder}"
    assert detector.sentences == len(splits["train"]) + len(splits["development"])
    assert detector.held_out_sentences == len(splits["held-out"])
    again = start_job(project=project, kind=JobKind.PREDICT, params={"language": "ca"}, by=None)
    run_job(again.pk, worker="one")
    again.refresh_from_db()
    assert again.state == JobState.DONE, again.error
    prediction = Suggestion.objects.get()
    assert prediction.revision == detector.revision
    assert prediction.name.startswith("transformers:")


def test_one_that_was_left_in_its_middle_goes_on(
    project: Project, encoder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from mlworkers.engines.detectors import transformers_training

    monkeypatch.setattr(jobs, "REPORT_SECONDS", 0.0)
    whole = train(project, encoder)
    run_job(whole.pk, worker="one")
    job = train(project, encoder)
    half = Job.objects.get(pk=whole.pk).total // 2 + 2
    asked: list[int] = []

    def in_its_middle() -> bool:
        asked.append(1)
        return len(asked) > half

    run_job(job.pk, worker="one", stop=in_its_middle)
    job.refresh_from_db()
    assert job.state == JobState.RUNNING
    assert 0 < job.done < job.total

    told: list[int] = []
    real = transformers_training.train_transformers

    def listening(*args: Any, progress: Any, **more: Any) -> Any:
        def heard(done: int, total: int) -> None:
            told.append(done)
            progress(done, total)

        return real(*args, progress=heard, **more)

    monkeypatch.setattr(transformers_training, "train_transformers", listening)
    run_job(job.pk, worker="two")

    job.refresh_from_db()
    assert job.state == JobState.DONE, job.error
    assert told[0] > 0
    first, second = TrainedDetector.objects.order_by("pk")
    assert (first.f1, first.held_out_sentences) == (second.f1, second.held_out_sentences)
    # No better than the first, which does the same: it is not active, and its files are gone.
    assert (first.active, second.active) == (True, False)
    assert not site_files().here(second.stored_folder).exists()


@pytest.mark.parametrize(
    ("model", "words"),
    [("/nowhere", "does not exist"), pytest.param("encoder", "not support the language “ca”", marks=needs_encoder)],
)
def test_a_model_that_cannot_be_had_fails_in_words(project: Project, model: str, words: str) -> None:
    job = train(project, model)

    run_job(job.pk, worker="one")

    job.refresh_from_db()
    assert job.state == JobState.FAILED
    assert words in job.error
    assert not TrainedDetector.objects.exists()
