from __future__ import annotations

from typing import Any

import pytest

from annotator.core.errors import ActionError
from annotator.jobs.actions import cancel_job, retry_job, start_job
from annotator.machines.queries.training import built_in
from annotator.models import Event, Job, JobKind, JobState, Project
from tests.factories import make_project, make_user

pytestmark = pytest.mark.django_db


def test_a_job_starts_waiting_with_its_settings_filled_in_and_an_event(project: Project) -> None:
    by = make_user()

    job = start_job(project=project, kind="predict", params={"language": "es"}, by=by)

    assert (job.state, job.created_by) == (JobState.QUEUED, by)
    assert job.params == {"language": "es", "detector": built_in("es"), "only_unprojected": False, "chunk": 100}
    event = Event.objects.get(subject_type="job", subject_id=job.pk)
    assert (event.verb, event.actor, event.project) == ("job.start", by, project)


@pytest.mark.parametrize(
    ("kind", "params", "sentence"),
    [
        ("nonsense", {}, "Unknown kind of job"),
        ("predict", {}, "language"),
        ("predict", {"language": "eu"}, "not have the language “eu”. Available: es, en"),
        ("predict", {"language": "es", "colour": 1}, "no setting colour"),
        ("predict", {"language": "es", "chunk": 0}, "chunk"),
        ("predict", {"language": "es", "chunk": True}, "chunk"),
        ("predict", {"language": "es", "only_unprojected": "yes"}, "only_unprojected"),
        ("project", {"source": "es", "target": "es"}, "Choose two"),
        ("project", {"source": "es", "target": "en", "labels": "silver"}, "gold, annotations"),
        ("import", {}, "draft"),
        ("release", {"partial": "no"}, "partial"),
    ],
)
def test_settings_that_are_wrong_are_refused_in_words(
    project: Project, kind: str, params: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(ActionError, match=sentence):
        start_job(project=project, kind=kind, params=params, by=None)
    assert not Job.objects.exists()
    assert not Event.objects.exists()


def test_the_same_work_is_not_started_twice(project: Project) -> None:
    first = start_job(project=project, kind=JobKind.RELEASE, params={}, by=None)

    with pytest.raises(ActionError, match="already in progress"):
        start_job(project=project, kind=JobKind.RELEASE, params={"partial": False}, by=None)
    start_job(project=make_project(), kind=JobKind.RELEASE, params={}, by=None)

    cancel_job(job=first, by=None)
    start_job(project=project, kind=JobKind.RELEASE, params={}, by=None)
    assert project.jobs.count() == 2


def test_only_what_is_not_finished_can_be_cancelled(project: Project) -> None:
    by = make_user()
    job = start_job(project=project, kind=JobKind.RELEASE, params={}, by=None)

    cancelled = cancel_job(job=job, by=by)

    assert (cancelled.state, cancelled.finished) == (JobState.CANCELLED, True)
    assert Event.objects.get(verb="job.cancel").actor == by
    with pytest.raises(ActionError, match="cannot be cancelled"):
        cancel_job(job=job, by=by)
    assert Event.objects.filter(verb="job.cancel").count() == 1


def test_only_failed_and_cancelled_jobs_can_be_tried_again(project: Project) -> None:
    job = start_job(project=project, kind=JobKind.RELEASE, params={}, by=None)
    with pytest.raises(ActionError, match="Only failed and cancelled jobs"):
        retry_job(job=job, by=None)
    Job.objects.update(state=JobState.FAILED, error="No gold.")

    again = retry_job(job=job, by=None)

    assert (again.state, again.error, again.started_at) == (JobState.QUEUED, "", None)
    assert Event.objects.get(verb="job.retry").before == {"state": "failed", "error": "No gold."}


def test_a_broker_that_is_down_does_not_lose_the_job(
    project: Project, django_capture_on_commit_callbacks: Any, monkeypatch: pytest.MonkeyPatch, caplog: Any
) -> None:
    from annotator.celery import app

    monkeypatch.setattr(app, "send_task", lambda *args, **kwargs: (_ for _ in ()).throw(OSError("no route")))
    with django_capture_on_commit_callbacks(execute=True):
        job = start_job(project=project, kind=JobKind.RELEASE, params={}, by=None)

    assert Job.objects.get(pk=job.pk).state == JobState.QUEUED
    assert "it is sent again when the broker is there" in caplog.text
