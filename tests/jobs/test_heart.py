"""What a worker holds for messages that it has no longer is free after a while."""

from __future__ import annotations

import pytest

from annotator.jobs.workers import LOST_SECONDS, Heart
from annotator.models import ChunkState, Job, JobChunk, JobKind, JobState, Project
from tests.factories import make_project

pytestmark = pytest.mark.django_db


@pytest.fixture
def project() -> Project:
    return make_project()


def held_chunk(project: Project, worker: str, task: str) -> JobChunk:
    job = Job.objects.create(project=project, kind=JobKind.PREDICT, state=JobState.RUNNING, planned=True, total=1)
    return JobChunk.objects.create(
        job=job, index=0, items=[1], size=1, state=ChunkState.RUNNING, worker=worker, task=task, attempts=1
    )


def test_it_is_free_once_the_message_is_missing_for_long_enough(project: Project) -> None:
    heart = Heart(messages=lambda: ["here"])
    lost, kept, other = (
        held_chunk(project, worker, task)
        for worker, task in ((heart.name, "gone"), (heart.name, "here"), ("somebody", "gone"))
    )
    planned = Job.objects.create(
        project=project, kind=JobKind.RELEASE, state=JobState.RUNNING, worker=heart.name, task="gone"
    )

    assert heart.free_lost(0.0) == 0
    assert heart.free_lost(LOST_SECONDS - 1) == 0
    assert heart.free_lost(LOST_SECONDS) == 2

    states = {row.pk: (row.state, row.worker, row.task) for row in JobChunk.objects.all()}
    assert states == {
        lost.pk: (ChunkState.PENDING, "", ""),
        kept.pk: (ChunkState.RUNNING, heart.name, "here"),
        other.pk: (ChunkState.RUNNING, "somebody", "gone"),
    }
    planned.refresh_from_db()
    assert (planned.worker, planned.task) == ("", "")
    assert heart.free_lost(2 * LOST_SECONDS) == 0


def test_one_that_comes_again_meanwhile_counts_from_the_start(project: Project) -> None:
    messages: list[str] = []
    heart = Heart(messages=lambda: messages)
    chunk = held_chunk(project, heart.name, "back")

    heart.free_lost(0.0)
    messages.append("back")
    heart.free_lost(LOST_SECONDS - 1)
    messages.clear()
    assert heart.free_lost(LOST_SECONDS) == 0

    chunk.refresh_from_db()
    assert chunk.state == ChunkState.RUNNING


def test_who_works_without_messages_frees_nothing(project: Project) -> None:
    heart = Heart()
    held_chunk(project, heart.name, "")

    assert [heart.free_lost(at) for at in (0.0, LOST_SECONDS, 2 * LOST_SECONDS)] == [0, 0, 0]
