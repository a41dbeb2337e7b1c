"""What a page costs: the same, however large the corpus."""

from __future__ import annotations

import itertools

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from annotator.models import (
    Annotation,
    AnnotationState,
    Assignment,
    AssignmentState,
    Job,
    JobKind,
    JobState,
    Mode,
    Project,
    Role,
    Segment,
    Sentence,
    User,
)
from annotator.work.queue.actions.assignments import assign_review, mark_blind
from annotator.work.queue.actions.items import enter_stages
from tests.factories import make_member, make_project, make_trained, span, spans, stage_of

pytestmark = pytest.mark.django_db

# Four of them check, in bounded counts, whether to compute agreement for the page; three are for the rail, two for the
# size of a blind sample, and one tells whether numbers may lead to others' answers.
MAX_OF_THE_DASHBOARD = 36
_positions = itertools.count(1)


def fill(project: Project, number: int) -> list[Sentence]:
    """Sentences in Spanish, with their items in the stages."""
    segments = Segment.objects.bulk_create(
        Segment(project=project, uid=f"letters:{at}", role="prem", dataset="letters", group=str(at), position=at)
        for at in itertools.islice(_positions, number)
    )
    rows = Sentence.objects.bulk_create(
        Sentence(
            project=project,
            segment=segment,
            language="es",
            tokens=["El", "tiempo", "vuela"],
            token_count=3,
            touches=[segment.pk],
        )
        for segment in segments
    )
    enter_stages(project, rows)
    return rows


def work_on(project: Project, sentences: list[Sentence], people: list[User]) -> None:
    """Half of the sentences are the first person's to correct; a quarter both have done, the second one blind."""
    assign_review(
        stage=stage_of(project, "correct"),
        units=[row.pk for row in sentences[: len(sentences) // 2]],
        user=people[0],
        by=None,
    )
    done = sentences[: len(sentences) // 4]
    stage = stage_of(project, "correct")
    items = {item.unit_id: item for item in stage.items.filter(unit__in=done)}
    mark_blind(
        Assignment.objects.bulk_create(
            Assignment(
                project=project,
                stage=stage,
                item=items[row.pk],
                unit=row,
                user=people[1],
                mode=Mode.BLIND,
                state=AssignmentState.DONE,
                reading=items[row.pk].reading,
            )
            for row in done
        ),
        stage,
    )
    Annotation.objects.bulk_create(
        Annotation(
            project=project,
            unit=row,
            layer=project.label_layer,
            user=user,
            mode=Mode.BLIND,
            state=AnnotationState.DONE,
            content=spans(span((at + number) % 3)),
            done_at=timezone.now(),
        )
        for at, row in enumerate(done)
        for number, user in enumerate(people)
    )


def run_jobs(project: Project, number: int) -> None:
    for state in (JobState.QUEUED, JobState.DONE):
        Job.objects.bulk_create(
            Job(project=project, kind=JobKind.PREDICT, state=state, result={"left_out": ["x"] * 100})
            for _job in range(number)
        )


def statements(client: Client, address: str) -> int:
    client.get(address)
    with CaptureQueriesContext(connection) as captured:
        assert client.get(address).status_code == 200
    return len(captured)


@pytest.mark.parametrize("role", list(Role))
@pytest.mark.slow
def test_pages_ask_as_much_of_the_database_at_20_and_at_400_sentences(client: Client, role: Role) -> None:
    project = make_project("letters")
    people = [make_member(project, role), make_member(project)]
    stage = stage_of(project, "correct")
    pages = {
        "dashboard": reverse("project", args=["letters"]),
        "items": reverse("items", args=["letters", stage.pk]),
        "jobs": reverse("jobs", args=["letters"]),
        "members": reverse("members", args=["letters"]),
        "projects": reverse("projects"),
        "releases": reverse("releases", args=["letters"]),
    }
    make_trained(project, 60.0)
    client.force_login(people[0])
    work_on(project, fill(project, 20), people)
    run_jobs(project, 5)
    small = {name: statements(client, address) for name, address in pages.items()}

    work_on(project, fill(project, 380), people)
    run_jobs(project, 10)
    large = {name: statements(client, address) for name, address in pages.items()}

    assert large == small
    assert large["dashboard"] <= MAX_OF_THE_DASHBOARD, large


def test_jobs_that_wait_and_run_ask_for_the_workers_once(client: Client) -> None:
    project = make_project("letters")
    client.force_login(make_member(project))
    run_jobs(project, 20)

    with CaptureQueriesContext(connection) as captured:
        client.get(reverse("jobs", args=["letters"]))

    assert sum("annotator_worker" in query["sql"] for query in captured) == 1
    # Results hold lists of what was left out; a list of jobs has no use for them.
    assert not any('"annotator_job"."result"' in query["sql"] for query in captured)
