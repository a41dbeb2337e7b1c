"""Pre-labelling with a checkpoint: what is stored, what is counted, and what a failing one says."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotator.jobs.actions import start_job
from annotator.jobs.running import run_job
from annotator.models import Job, JobKind, JobState, Project, Suggestion
from tests.factories import make_project, make_sentence
from tests.mlworkers.checkpoints import HITZ_MAP, NEEDS_EXTRA, TEXT, make_checkpoint

pytest.importorskip("torch", reason=NEEDS_EXTRA)
pytest.importorskip("transformers", reason=NEEDS_EXTRA)

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _on_the_cpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENGINE_DEVICE", "cpu")


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_checkpoint(tmp_path_factory.mktemp("job") / "metaphors")


def predict(project: Project, detector: str, chunk: int = 100) -> Job:
    params = {"language": "es", "detector": detector, "chunk": chunk}
    job = start_job(project=project, kind=JobKind.PREDICT, params=params, by=None)
    run_job(job.pk, worker="one")
    job.refresh_from_db()
    return job


def test_each_prediction_names_checkpoint_and_revision(checkpoint: Path) -> None:
    from mlworkers.engines.registry import load_detector

    project = make_project()
    for text in TEXT:
        make_sentence(project, text)
    spec = f"transformers:{checkpoint}:{HITZ_MAP}"

    job = predict(project, spec, chunk=2)

    assert job.state == JobState.DONE, job.error
    detector = load_detector(spec, language="es")
    rows = list(Suggestion.objects.order_by("unit_id"))
    assert {(row.name, row.revision, row.threshold) for row in rows} == {
        ("transformers:metaphors", detector.revision, 0.5)
    }
    expected = detector.predict([line.split() for line in TEXT])
    for row, wanted in zip(rows, expected, strict=True):
        assert row.probabilities == pytest.approx(wanted, abs=2e-4)
        assert [span["label"] for span in row.content["spans"]] == ["METAPHOR"] * sum(
            number >= 0.5 for number in wanted
        )
    assert "notes" not in job.result


def test_workers_in_int8_and_others_do_not_share_a_job(checkpoint: Path) -> None:
    from mlworkers.engines.registry import load_detector

    spec = f"transformers:{checkpoint}:{HITZ_MAP}"
    project = make_project()
    make_sentence(project, TEXT[0])
    job = start_job(project=project, kind=JobKind.PREDICT, params={"language": "es", "detector": spec}, by=None)
    # What a worker in int8 has stored of a part.
    Job.objects.filter(pk=job.pk).update(result={"revision": f"{load_detector(spec, language='es').revision}+int8"})

    run_job(job.pk, worker="one")

    job.refresh_from_db()
    assert job.state == JobState.FAILED
    assert "Set ENGINE_PRECISION=int8 for all workers or for none" in job.error
    assert not Suggestion.objects.exists()


def test_what_the_tokenizer_made_nothing_of_is_counted_over_all_chunks(checkpoint: Path) -> None:
    project = make_project()
    for text in ("ola \u200b", "\ufeff pozo", "ola " * 300):
        make_sentence(project, text.strip(" "))

    job = predict(project, f"transformers:{checkpoint}:{HITZ_MAP}", chunk=1)

    assert job.state == JobState.DONE, job.error
    assert job.result["sentences"] == 3
    assert job.result["notes"] == {
        "tokens that the tokenizer made nothing of": 2,
        "sentences longer than the model's window": 1,
    }


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("transformers:{folder}", "which one is O"),
        ("transformers:{folder}:LABEL_0=B-IRONY,LABEL_1=I-IRONY,LABEL_2=O", "predicts the label IRONY"),
        ("transformers:{folder}/nothing", "does not exist"),
    ],
)
def test_a_detector_that_does_not_fit_fails_the_job_with_its_reason(checkpoint: Path, spec: str, says: str) -> None:
    project = make_project()
    make_sentence(project, TEXT[0])

    job = predict(project, spec.format(folder=checkpoint))

    assert job.state == JobState.FAILED
    assert says in job.error
    assert not Suggestion.objects.exists()
