"""Leases, failures and sharing, with workers played in this process."""

from __future__ import annotations

import threading
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from annotator.jobs import running as jobs
from annotator.jobs import workers
from annotator.jobs.actions import cancel_job, retry_job, start_job
from annotator.jobs.queries import progress_of, waiting_reason, worker_listening
from annotator.jobs.running import LEASE, MAX_ATTEMPTS, added, run_job
from annotator.jobs.workers import free_dead_workers, named_worker, waiting_jobs
from annotator.models import ChunkState, Job, JobKind, JobState, Project, Suggestion, Worker
from mlworkers.tasks import Predict
from tests.factories import make_project, make_sentence

pytestmark = pytest.mark.django_db

SENTENCES = 12


@pytest.fixture
def project() -> Project:
    made = make_project()
    for _number in range(SENTENCES):
        make_sentence(made, "La noticia cayó como una bomba en la ciudad")
    return made


def predict(project: Project, **params: object) -> Job:
    return start_job(project=project, kind=JobKind.PREDICT, params={"language": "es", "chunk": 2, **params}, by=None)


def test_a_job_is_done_chunk_by_chunk_to_its_end(project: Project) -> None:
    job = predict(project)

    run_job(job.pk, worker="one")

    job.refresh_from_db()
    assert (job.state, job.done, job.total, job.error) == (JobState.DONE, SENTENCES, SENTENCES, "")
    assert job.chunks.filter(state=ChunkState.DONE).count() == SENTENCES // 2
    assert project.suggestions.filter(is_current=True).count() == SENTENCES
    assert job.result["sentences"] == SENTENCES
    assert job.result["tokens"] == SENTENCES * 9


def test_a_finished_job_is_left_alone(project: Project) -> None:
    job = predict(project)
    run_job(job.pk, worker="one")
    before = Job.objects.values().get(pk=job.pk)

    run_job(job.pk, worker="two")

    assert Job.objects.values().get(pk=job.pk) == before
    assert project.suggestions.count() == SENTENCES


def test_a_job_without_anything_to_do_is_done_at_once() -> None:
    job = predict(make_project())

    run_job(job.pk, worker="one")

    job.refresh_from_db()
    assert (job.state, job.total) == (JobState.DONE, 0)
    assert progress_of(job).percent == 100


@pytest.mark.parametrize("kind", JobKind)
def test_each_kind_of_job_is_done_by_something(kind: JobKind) -> None:
    assert jobs.handler_of(kind).user_errors


class _Interrupted(Predict):
    """Predicts, but something happens between the work and the storing."""

    def __init__(self, happens) -> None:  # type: ignore[no-untyped-def]
        super().__init__()
        object.__setattr__(self, "happens", happens)

    def work(self, job: Job, items: list[int], engine, report):  # type: ignore[no-untyped-def]
        outcome = super().work(job, items, engine, report)
        self.happens(job, items)  # type: ignore[attr-defined]
        return outcome


def test_two_workers_share_a_job(transactional_db: None, project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    job = predict(project, chunk=1)
    both_hold_one = threading.Barrier(2)
    began: set[int] = set()
    errors: list[BaseException] = []

    def wait_for_the_other(job: Job, items: list[int]) -> None:
        if threading.get_ident() not in began:
            began.add(threading.get_ident())
            both_hold_one.wait(30)

    monkeypatch.setattr(jobs, "handler_of", {JobKind.PREDICT: _Interrupted(wait_for_the_other)}.__getitem__)

    def worker(name: str) -> None:
        try:
            run_job(job.pk, worker=name)
        except BaseException as error:
            errors.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=worker, args=(name,)) for name in ("one", "two")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)

    assert errors == []
    job.refresh_from_db()
    assert (job.state, job.done, job.error) == (JobState.DONE, SENTENCES, "")
    assert set(job.chunks.values_list("worker", flat=True)) == {"one", "two"}
    assert set(job.chunks.values_list("attempts", flat=True)) == {1}
    assert project.suggestions.count() == SENTENCES


def test_results_are_thrown_away_when_the_lease_was_lost(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    job = predict(project, chunk=SENTENCES)
    takers = []

    def somebody_else_takes_it(job: Job, items: list[int]) -> None:
        if not takers:
            takers.append("two")
            job.chunks.update(lease_until=timezone.now() - timedelta(seconds=1))
            run_job(job.pk, worker="two")

    monkeypatch.setattr(jobs, "handler_of", {JobKind.PREDICT: _Interrupted(somebody_else_takes_it)}.__getitem__)

    run_job(job.pk, worker="one")

    job.refresh_from_db()
    assert (job.state, job.done) == (JobState.DONE, SENTENCES)
    assert job.result["sentences"] == SENTENCES
    assert [chunk.worker for chunk in job.chunks.all()] == ["two"]
    assert project.suggestions.count() == SENTENCES


def test_a_chunk_under_lease_is_not_taken_and_an_expired_one_is(project: Project) -> None:
    job = predict(project, chunk=SENTENCES)
    stopped = iter([True])
    run_job(job.pk, worker="one", stop=lambda: next(stopped))
    job.chunks.update(state=ChunkState.RUNNING, worker="one", lease_until=timezone.now() + LEASE, attempts=1)

    run_job(job.pk, worker="two")
    assert project.suggestions.count() == 0
    assert waiting_jobs("ml") == []

    job.chunks.update(lease_until=timezone.now() - timedelta(seconds=1))
    assert waiting_jobs("ml") == [job.pk]
    run_job(job.pk, worker="two")
    job.refresh_from_db()
    assert job.state == JobState.DONE


def test_cancelling_throws_away_what_is_being_worked_on(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    job = predict(project)
    cancelled = _Interrupted(
        lambda job, items: job.chunks.filter(state=ChunkState.DONE) and cancel_job(job=job, by=None)
    )
    monkeypatch.setattr(jobs, "handler_of", {JobKind.PREDICT: cancelled}.__getitem__)

    run_job(job.pk, worker="one")

    job.refresh_from_db()
    assert (job.state, job.done) == (JobState.CANCELLED, 2)
    assert project.suggestions.count() == 2

    monkeypatch.undo()
    retry_job(job=job, by=None)
    run_job(job.pk, worker="one")
    job.refresh_from_db()
    assert (job.state, job.done, job.result["sentences"]) == (JobState.DONE, SENTENCES, SENTENCES)
    assert project.suggestions.count() == SENTENCES


def test_an_unexpected_error_fails_the_job_with_a_sentence_and_is_logged(
    project: Project, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    job = predict(project)

    def breaks(job: Job, items: list[int]) -> None:
        raise ZeroDivisionError("a secret detail")

    monkeypatch.setattr(jobs, "handler_of", {JobKind.PREDICT: _Interrupted(breaks)}.__getitem__)

    run_job(job.pk, worker="one")

    job.refresh_from_db()
    assert job.state == JobState.FAILED
    assert "Something unexpected went wrong" in job.error
    assert "secret" not in job.error
    assert "a secret detail" in caplog.text
    assert not job.chunks.filter(state=ChunkState.RUNNING).exists()
    assert project.suggestions.count() == 0


def test_a_detector_for_other_labels_is_refused_in_words(project: Project) -> None:
    layer = project.label_layer
    layer.scheme_data = {**layer.scheme_data, "labels": ["IRONY"]}
    layer.save()
    job = predict(project)

    run_job(job.pk, worker="one")

    job.refresh_from_db()
    assert job.state == JobState.FAILED
    assert "METAPHOR" in job.error
    assert "IRONY" in job.error
    assert not Suggestion.objects.exists()


def test_a_chunk_that_kills_its_workers_fails_the_job_in_the_end(project: Project) -> None:
    job = predict(project, chunk=SENTENCES)
    stopped = iter([True])
    run_job(job.pk, worker="one", stop=lambda: next(stopped))
    job.chunks.update(attempts=MAX_ATTEMPTS)

    run_job(job.pk, worker="one")

    job.refresh_from_db()
    assert job.state == JobState.FAILED
    assert f"begun {MAX_ATTEMPTS} times" in job.error

    retry_job(job=job, by=None)
    run_job(job.pk, worker="one")
    job.refresh_from_db()
    assert job.state == JobState.DONE


class _Deadly(Predict):
    """Kills its worker while the model is loaded: nothing that Python could tidy up is left to do."""

    def prepare(self, job: Job) -> None:
        raise KeyboardInterrupt


@pytest.mark.parametrize("kind", [JobKind.PREDICT, JobKind.FILL], ids=["ml", "default"])
def test_a_preparation_that_kills_its_workers_fails_the_job_after_five_tries(
    project: Project, monkeypatch: pytest.MonkeyPatch, kind: JobKind
) -> None:
    monkeypatch.setattr(jobs, "handler_of", {kind: _Deadly()}.__getitem__)
    params = {"language": "es", "detector": "crf", "only_unprojected": False, "chunk": 2}
    job = Job.objects.create(project=project, kind=kind, params=params)

    for _time in range(MAX_ATTEMPTS):
        with pytest.raises(KeyboardInterrupt):
            run_job(job.pk, worker="one")
        job.chunks.update(lease_until=timezone.now() - timedelta(seconds=1))
    run_job(job.pk, worker="one")

    job.refresh_from_db()
    assert job.state == JobState.FAILED
    assert f"begun {MAX_ATTEMPTS} times" in job.error


def test_a_preparation_is_done_once_for_all_chunks(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    prepared: list[int] = []

    class Counted(Predict):
        def prepare(self, job: Job):  # type: ignore[no-untyped-def]
            prepared.append(job.chunks.filter(state=ChunkState.RUNNING).count())
            return super().prepare(job)

    monkeypatch.setattr(jobs, "handler_of", {JobKind.PREDICT: Counted()}.__getitem__)
    job = predict(project)

    run_job(job.pk, worker="one")

    job.refresh_from_db()
    assert job.state == JobState.DONE
    assert prepared == [1]


@pytest.mark.parametrize(("silent", "freed"), [(False, 0), (True, 1)])
def test_workers_of_other_hosts_are_told_by_their_last_sign_of_life(project: Project, silent: bool, freed: int) -> None:
    """Their proof lies in a folder that hosts share, and nobody here holds its lock."""
    job = predict(project, chunk=SENTENCES)
    stopped = iter([True])
    run_job(job.pk, worker="x", stop=lambda: next(stopped))
    name = "elsewhere:17:0a1b2c3d"
    (workers._proofs() / name).touch()
    now = timezone.now()
    seen_at = now - workers.FORGET_WORKERS_AFTER if silent else now
    Worker.objects.create(name=name, queues=["ml"], started_at=seen_at, seen_at=seen_at)
    job.chunks.update(state=ChunkState.RUNNING, worker=name, lease_until=now + timedelta(hours=1))

    for _round in range(MAX_ATTEMPTS + 1):
        assert free_dead_workers() == freed
        freed = 0

    assert job.chunks.get().state == (ChunkState.PENDING if silent else ChunkState.RUNNING)
    assert Worker.objects.filter(name=name).exists()


def test_a_command_on_another_host_gives_no_sign_and_keeps_what_it_holds(project: Project) -> None:
    job = predict(project, chunk=SENTENCES)
    stopped = iter([True])
    run_job(job.pk, worker="x", stop=lambda: next(stopped))
    name = "elsewhere:18:0a1b2c3d"
    (workers._proofs() / name).touch()
    job.chunks.update(state=ChunkState.RUNNING, worker=name, lease_until=timezone.now() + timedelta(minutes=15))

    assert free_dead_workers() == 0
    assert job.chunks.get().state == ChunkState.RUNNING


def test_what_a_dead_process_of_this_machine_held_is_free_at_once(project: Project) -> None:
    job = predict(project, chunk=SENTENCES)
    stopped = iter([True])
    run_job(job.pk, worker="x", stop=lambda: next(stopped))
    with named_worker() as alive:
        job.chunks.update(state=ChunkState.RUNNING, worker=alive, lease_until=timezone.now() + timedelta(hours=1))
        assert free_dead_workers() == 0
        assert job.chunks.get().state == ChunkState.RUNNING
    # Leaving gave it back; now one that could not.
    assert job.chunks.get().state == ChunkState.PENDING
    with named_worker() as name:
        pass
    from annotator.jobs.workers import _proofs

    (_proofs() / name).touch()
    now = timezone.now()
    Worker.objects.create(name=name, queues=["ml"], started_at=now, seen_at=now)
    job.chunks.update(state=ChunkState.RUNNING, worker=name, lease_until=now + timedelta(hours=1))

    assert free_dead_workers() == 1
    assert job.chunks.get().state == ChunkState.PENDING
    assert not Worker.objects.exists()


def test_a_worker_does_its_duty_again_after_it_failed(
    transactional_db: None, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(workers, "DUTY_SECONDS", 0.01)
    calls: list[int] = []
    again = threading.Event()

    def duty() -> None:
        calls.append(len(calls))
        if len(calls) == 1:
            raise ZeroDivisionError("only once")
        again.set()

    presence = workers.WorkerRuntime("one", [], duty=duty)
    presence.start()
    try:
        assert again.wait(30)
    finally:
        presence.stop()

    assert "only once" in caplog.text
    assert not Worker.objects.exists()


def test_people_are_told_when_no_worker_listens(project: Project) -> None:
    job = predict(project)
    now = timezone.now()
    assert "No worker listens" in waiting_reason(job)

    Worker.objects.create(name="other", queues=["default"], started_at=now, seen_at=now)
    Worker.objects.create(name="old", queues=["ml"], started_at=now, seen_at=now - timedelta(minutes=5))
    assert "No worker listens" in waiting_reason(job)
    assert worker_listening("default")

    Worker.objects.create(name="new", queues=["default", "ml"], started_at=now, seen_at=now)
    assert waiting_reason(job) == ""


def test_speed_and_time_left_are_computed_from_the_start(project: Project) -> None:
    now = timezone.now()
    job = Job(
        project=project,
        kind=JobKind.PREDICT,
        state=JobState.RUNNING,
        total=100,
        done=25,
        started_at=now - timedelta(seconds=10),
    )
    progress = progress_of(job, now=now)
    assert (progress.percent, progress.per_second, progress.seconds_left) == (25, 2.5, 30)

    job.done, job.started_at = 0, None
    progress = progress_of(job, now=now)
    assert (progress.percent, progress.per_second, progress.seconds_left) == (0, None, None)


def test_results_of_chunks_add_up() -> None:
    first = {"sentences": 2, "skipped": {"gold": 1}, "datasets": [{"dataset": "a"}], "detector": "crf", "ok": True}
    second = {"sentences": 3, "skipped": {"gold": 1, "text": 4}, "datasets": [{"dataset": "b"}], "detector": "crf"}
    assert added(first, second) == {
        "sentences": 5,
        "skipped": {"gold": 2, "text": 4},
        "datasets": [{"dataset": "a"}, {"dataset": "b"}],
        "detector": "crf",
        "ok": True,
    }
