"""What is in whose hands, failures and sharing, with workers played in this process."""

from __future__ import annotations

import errno
import socket
import subprocess
import sys
import threading
from datetime import timedelta

import pytest
from django.db import DatabaseError, OperationalError, connection
from django.utils import timezone

from annotator.jobs import running as jobs
from annotator.jobs import workers
from annotator.jobs.actions import cancel_job, retry_job, start_job
from annotator.jobs.handlers import Plan, added
from annotator.jobs.queries import progress_of, waiting_reason, worker_listening
from annotator.jobs.running import MAX_ATTEMPTS, Taker, run_job, take
from annotator.jobs.steps import Action, Step
from annotator.jobs.sweep import free_dead_workers, sweep
from annotator.jobs.workers import Heart, alive
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
    job = begun(project, chunk=1)
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


def test_results_of_a_worker_that_was_taken_for_dead_are_thrown_away(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = predict(project, chunk=SENTENCES)
    takers = []

    def somebody_else_takes_it(job: Job, items: list[int]) -> None:
        if not takers:
            takers.append("two")
            free_dead_workers()
            run_job(job.pk, worker="two")

    monkeypatch.setattr(jobs, "handler_of", {JobKind.PREDICT: _Interrupted(somebody_else_takes_it)}.__getitem__)

    run_job(job.pk, worker="one")

    job.refresh_from_db()
    assert (job.state, job.done) == (JobState.DONE, SENTENCES)
    assert job.result["sentences"] == SENTENCES
    assert [chunk.worker for chunk in job.chunks.all()] == ["two"]
    assert project.suggestions.count() == SENTENCES


def begun(project: Project, chunk: int = SENTENCES) -> Job:
    """A job that is cut into chunks, which nobody has in hand."""
    job = predict(project, chunk=chunk)
    stopped = iter([True])
    run_job(job.pk, worker="one", stop=lambda: next(stopped))
    return job


def heard_of(name: str, host: str = "elsewhere", pid: int = 17, ago: timedelta = timedelta(0)) -> Worker:
    seen_at = timezone.now() - ago
    return Worker.objects.create(name=name, host=host, pid=pid, queues=["ml"], started_at=seen_at, seen_at=seen_at)


def nothing_in(queue: str) -> int:
    return 0


def long_ago(job: Job) -> None:
    """As if it had been started before the time that a message may take."""
    Job.objects.filter(pk=job.pk).update(created_at=timezone.now() - timedelta(minutes=1))


def test_a_chunk_in_somebodys_hands_is_not_taken_and_that_of_one_who_is_gone_is(project: Project) -> None:
    job = begun(project)
    long_ago(job)
    one = heard_of("one")
    job.chunks.update(state=ChunkState.RUNNING, worker="one", attempts=1)

    run_job(job.pk, worker="two")
    assert project.suggestions.count() == 0
    assert sweep(nothing_in) == []

    one.delete()
    assert [(step.action, step.pk, step.queue) for step in sweep(nothing_in)] == [("work", job.chunks.get().pk, "ml")]
    run_job(job.pk, worker="two")
    job.refresh_from_db()
    assert job.state == JobState.DONE


def test_a_message_that_comes_again_goes_on_with_what_its_dead_process_had(project: Project) -> None:
    """Its worker is alive and has started another process."""
    job = begun(project)
    heard_of("one")
    chunk = job.chunks.get()
    job.chunks.update(state=ChunkState.RUNNING, worker="one", task="this one", attempts=1)

    assert take(Step(Action.WORK, chunk.pk), Taker("one", "another")) == []
    assert project.suggestions.count() == 0

    assert [step.action for step in take(Step(Action.WORK, chunk.pk), Taker("one", "this one"))] == [Action.FINISH]
    assert project.suggestions.count() == SENTENCES
    assert job.chunks.get().attempts == 2


def test_each_step_may_come_twice(project: Project) -> None:
    job = predict(project, chunk=5)
    steps = [Step(Action.BEGIN, job.pk)]
    done = []
    while steps:
        step = steps.pop(0)
        done.append(step.action)
        steps += take(step, Taker("one", str(len(done))))
        assert take(step, Taker("two", "late")) == ([] if step.action != Action.BEGIN else steps)

    assert done == ["begin", "work", "work", "work", "finish"]
    job.refresh_from_db()
    assert (job.state, job.done, job.result["sentences"]) == (JobState.DONE, SENTENCES, SENTENCES)


class TestSweep:
    def test_what_a_broker_lost_is_sent_again_once_its_queue_is_empty(self, project: Project) -> None:
        job = predict(project, chunk=5)
        assert sweep(nothing_in) == [], "its message may be on the way"
        long_ago(job)

        assert sweep({"ml": 7}.__getitem__) == []
        assert sweep(nothing_in) == [Step.of(job, Action.BEGIN)]

        chunks = take(Step.of(job, Action.BEGIN), Taker("one"))
        assert [step.before for step in chunks] == [0, 1, 2]
        assert sweep(nothing_in) == chunks
        for step in chunks:
            take(step, Taker("one"))
        assert sweep(nothing_in) == [Step.of(job, Action.FINISH)]
        take(Step.of(job, Action.FINISH), Taker("one"))
        assert sweep(nothing_in) == []

    def test_a_job_that_is_being_planned_is_left_alone_until_its_worker_is_gone(self, project: Project) -> None:
        job = predict(project)
        long_ago(job)
        one = heard_of("one")
        Job.objects.filter(pk=job.pk).update(state=JobState.RUNNING, worker="one", attempts=1)

        assert sweep(nothing_in) == []
        run_job(job.pk, worker="two")
        assert not job.chunks.exists()
        one.delete()
        assert [step.action for step in sweep(nothing_in)] == [Action.BEGIN]

    def test_a_step_that_takes_longer_than_there_is_time_for_fails_the_job(self, project: Project) -> None:
        job = begun(project)
        heard_of("one")
        since = timezone.now() - timedelta(seconds=JobKind.PREDICT.seconds)
        job.chunks.update(state=ChunkState.RUNNING, worker="one", begun_at=since)
        sweep(nothing_in)
        assert Job.objects.get(pk=job.pk).state == JobState.RUNNING

        job.chunks.update(begun_at=since - timedelta(minutes=10))
        sweep(nothing_in)

        job.refresh_from_db()
        assert job.state == JobState.FAILED
        assert "took too long" in job.error
        assert job.chunks.get().state == ChunkState.PENDING


def test_planning_that_was_overtaken_keeps_nothing_in_hand(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two messages for one job: another worker plans it between this one's look and its taking it."""
    job = predict(project, chunk=SENTENCES)
    take_job, planned = jobs._take_job, []

    def overtaken(row: Job, taker: Taker) -> bool:
        if taker.worker == "slow":
            planned.extend(take(Step(Action.BEGIN, row.pk), Taker("quick")))
        return take_job(row, taker)

    monkeypatch.setattr(jobs, "_take_job", overtaken)

    assert take(Step(Action.BEGIN, job.pk), Taker("slow", "late")) == []

    job.refresh_from_db()
    assert (job.worker, job.attempts) == ("", 0)
    for step in planned:
        assert [take(one, Taker("quick")) for one in take(step, Taker("quick"))] == [[]]
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


def test_a_full_disk_is_waited_for(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    job = begun(project)
    full = [True] * (MAX_ATTEMPTS + 1)

    def no_room(job: Job, items: list[int]) -> None:
        if full and full.pop():
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(jobs, "handler_of", {JobKind.PREDICT: _Interrupted(no_room)}.__getitem__)
    step = Step(Action.WORK, job.chunks.get().pk)

    for retries in range(MAX_ATTEMPTS + 1):
        with pytest.raises(OSError, match="No space"):
            take(step, Taker("one", "message", retries=retries))
        # In hand for that message, so that no sweep sends another one beside it.
        assert (job.chunks.get().state, job.chunks.get().attempts) == (ChunkState.RUNNING, 1)
        assert take(step, Taker("two", "another")) == []
    take(step, Taker("one", "message", retries=MAX_ATTEMPTS + 1))

    assert job.chunks.get().state == ChunkState.DONE
    assert project.suggestions.count() == SENTENCES


def test_a_process_that_dies_after_a_fault_counts_as_a_try(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its message comes again as it was. What the database was away for is nobody's fault, whether it could be told
    then or not."""
    job = begun(project)
    away = [True]

    def database_is_away(job: Job, items: list[int]) -> None:
        if away and away.pop():
            raise OperationalError("server closed the connection unexpectedly")

    monkeypatch.setattr(jobs, "handler_of", {JobKind.PREDICT: _Interrupted(database_is_away)}.__getitem__)
    step = Step(Action.WORK, job.chunks.get().pk)
    with pytest.raises(OperationalError):
        take(step, Taker("one", "message"))

    def dies(*_about: object) -> None:
        raise SystemExit

    def attempts_of_one_that_dies() -> int:
        monkeypatch.setattr(jobs, "_engine", dies)
        with pytest.raises(SystemExit):
            take(step, Taker("one", "message", retries=1))
        return job.chunks.get().attempts

    assert [attempts_of_one_that_dies() for _time in range(MAX_ATTEMPTS)] == [*range(1, MAX_ATTEMPTS + 1)]
    assert take(step, Taker("one", "message", retries=1)) == []
    job.refresh_from_db()
    assert job.state == JobState.FAILED


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
    job = begun(project)
    job.chunks.update(attempts=MAX_ATTEMPTS)

    run_job(job.pk, worker="one")

    job.refresh_from_db()
    assert job.state == JobState.FAILED
    assert f"started {MAX_ATTEMPTS} times" in job.error

    retry_job(job=job, by=None)
    run_job(job.pk, worker="one")
    job.refresh_from_db()
    assert job.state == JobState.DONE


class _DeadlyModel(Predict):
    """Kills its worker while the model is loaded: nothing that Python could tidy up is left to do."""

    def prepare(self, job: Job) -> None:
        raise KeyboardInterrupt


class _DeadlyPlan(Predict):
    """Kills its worker while the job is planned."""

    def plan(self, job: Job) -> Plan:
        raise KeyboardInterrupt


@pytest.mark.parametrize(
    ("kind", "handler", "said"),
    [
        (JobKind.PREDICT, _DeadlyModel(), f"started {MAX_ATTEMPTS} times"),
        (JobKind.FILL, _DeadlyModel(), f"started {MAX_ATTEMPTS} times"),
        (JobKind.PREDICT, _DeadlyPlan(), f"stopped {MAX_ATTEMPTS} times"),
    ],
    ids=["model, ml", "model, default", "plan"],
)
def test_what_kills_its_workers_fails_the_job_after_five_tries(
    project: Project, monkeypatch: pytest.MonkeyPatch, kind: JobKind, handler: Predict, said: str
) -> None:
    monkeypatch.setattr(jobs, "handler_of", {kind: handler}.__getitem__)
    params = {"language": "es", "detector": "crf", "only_unprojected": False, "chunk": 2}
    job = Job.objects.create(project=project, kind=kind, params=params)

    for _time in range(MAX_ATTEMPTS):
        with pytest.raises(KeyboardInterrupt):
            run_job(job.pk, worker="one")
        free_dead_workers()
    run_job(job.pk, worker="one")

    job.refresh_from_db()
    assert job.state == JobState.FAILED
    assert said in job.error


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
    job = begun(project)
    heard_of("theirs", ago=timedelta(minutes=5) if silent else timedelta(0))
    job.chunks.update(state=ChunkState.RUNNING, worker="theirs")

    assert free_dead_workers() == freed
    assert free_dead_workers() == 0

    assert job.chunks.get().state == (ChunkState.PENDING if silent else ChunkState.RUNNING)
    # A worker that had lost the database for a while reports itself again.
    assert Worker.objects.filter(name="theirs").exists()


def test_what_a_dead_process_of_this_machine_had_in_hand_is_free_at_once(project: Project) -> None:
    job = begun(project)
    with alive() as name:
        job.chunks.update(state=ChunkState.RUNNING, worker=name)
        assert free_dead_workers() == 0
        assert job.chunks.get().state == ChunkState.RUNNING
    # Leaving gave it back; now one that could not.
    assert job.chunks.get().state == ChunkState.PENDING
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    heard_of("gone", socket.gethostname(), gone.pid)
    job.chunks.update(state=ChunkState.RUNNING, worker="gone")

    assert free_dead_workers() == 1
    assert job.chunks.get().state == ChunkState.PENDING
    assert not Worker.objects.exists()


def test_a_heart_beats_on_after_the_database_was_away(
    transactional_db: None, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(workers, "BEAT_SECONDS", 0.01)
    calls: list[int] = []
    again = threading.Event()

    def queues() -> list[str]:
        calls.append(len(calls))
        if len(calls) in (2, 3):
            raise DatabaseError("only twice")
        if len(calls) > 4:
            again.set()
        return ["ml"]

    heart = Heart(queues)
    heart.start()
    try:
        assert again.wait(30)
        assert worker_listening("ml")
    finally:
        heart.stop()

    assert caplog.text.count("trying again") == 1
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
