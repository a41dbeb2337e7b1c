"""What a call asks of the database: as much in a large project as in a small one, and after hundreds of answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from annotator.actions.items import enter_stages
from annotator.actions.lemmas import index_places
from annotator.domain.lemmas import content_words, lemmas_of
from annotator.domain.states import AnnotationState, AssignmentState, ItemState
from annotator.models import (
    Annotation,
    Assignment,
    Counter,
    Item,
    Job,
    JobKind,
    Project,
    Segment,
    Stage,
    Suggestion,
    SuggestionKind,
    Unit,
    User,
)
from tests.api.conftest import client_of
from tests.factories import make_member, make_project, span, spans, stage_of

pytestmark = pytest.mark.django_db

SMALL, LARGE, ANSWERED = 100, 2000, 500
TOKENS = ["El", "tiempo", "vuela"]
# Of one save: session, user, access and progress included. The transaction's savepoint is not among them.
MOST = 16


@pytest.fixture
def project() -> Project:
    return make_project()


@pytest.fixture
def ana(project: Project) -> User:
    return make_member(project)


@pytest.fixture
def stage(project: Project) -> Stage:
    return stage_of(project, "correct")


def fill(project: Project, first: int, last: int) -> None:
    """Sentences number `first` to `last` with predictions, in groups of four."""
    segments = Segment.objects.bulk_create(
        Segment(
            project=project,
            uid=f"set:{number}",
            role="prem",
            dataset="set",
            group=f"group{number // 4}",
            position=number,
        )
        for number in range(first, last)
    )
    lemmas, words = lemmas_of(TOKENS, "es"), content_words(TOKENS, "es")
    units = Unit.objects.bulk_create(
        Unit(
            project=project,
            segment=segment,
            language="es",
            tokens=TOKENS,
            token_count=len(TOKENS),
            lemmas=lemmas,
            content_words=words,
            touches=[segment.pk],
        )
        for segment in segments
    )
    index_places(units)
    enter_stages(project, units)
    job = Job.objects.create(project=project, kind=JobKind.PREDICT)
    Suggestion.objects.bulk_create(
        Suggestion(
            project=project,
            unit=unit,
            layer=project.label_layer,
            kind=SuggestionKind.PREDICTION,
            job=job,
            content=spans(span(2)),
            probabilities=[0.1, 0.1, 0.9],
        )
        for unit in units
    )


def answer(stage: Stage, user: User, count: int) -> None:
    """The first free sentences of the stage, answered by the user."""
    items = list(Item.objects.filter(stage=stage, state=ItemState.FREE).order_by("reading")[:count])
    Assignment.objects.bulk_create(
        Assignment(
            project=stage.project,
            stage=stage,
            item=item,
            unit_id=item.unit_id,
            user=user,
            reading=item.reading,
            state=AssignmentState.DONE,
        )
        for item in items
    )
    Annotation.objects.bulk_create(
        Annotation(
            project=stage.project,
            unit_id=item.unit_id,
            layer=stage.layer,
            stage=stage,
            user=user,
            state=AnnotationState.DONE,
            content=spans(span(2)),
        )
        for item in items
    )
    Item.objects.filter(pk__in=[item.pk for item in items]).update(answers_done=1, state=ItemState.DONE)
    counter, _new = Counter.objects.get_or_create(project=stage.project, stage=stage, user=user)
    Counter.objects.filter(pk=counter.pk).update(done=len(items), own_done=len(items))


def statements(call: Callable[[], Any]) -> list[str]:
    """What the call asks of the database, without the marks of transactions."""
    with CaptureQueriesContext(
        connection,
    ) as asked:
        call()
    found = [query["sql"] for query in asked.captured_queries]
    return [sql for sql in found if not sql.startswith(("SAVEPOINT", "RELEASE", "BEGIN", "COMMIT"))]


class Person:
    """Somebody at work in a stage."""

    def __init__(self, stage: Stage, user: User) -> None:
        self.base = f"/api/v1/projects/{stage.project.slug}/"
        self.stage = stage
        self.client: APIClient = client_of(user)
        self.held: list[dict[str, Any]] = []

    def claim(self, count: int) -> None:
        body = {"count": count, "held": [item["id"] for item in self.held]}
        told = self.client.post(f"{self.base}stages/{self.stage.pk}/claim/", body)
        assert told.status_code == 200, told.content
        assert len(told.json()["items"]) == count
        self.held += told.json()["items"]

    def save(self) -> None:
        item = self.held.pop(0)
        body = {"version": item["annotation"]["version"], "content": spans(span(1)), "done": True, "seconds": 3}
        told = self.client.post(f"{self.base}assignments/{item['id']}/save/", body)
        assert told.status_code == 200, told.content

    def look_up(self) -> None:
        assert self.client.get(f"{self.base}lemmas/?language=es&lemma=volar").status_code == 200

    def go_back(self) -> None:
        assert self.client.get(f"{self.base}stages/{self.stage.pk}/items/?before=0&limit=20").status_code == 200

    def costs(self) -> dict[str, int]:
        """Statements by call. The first of each is not counted: it makes rows that are there ever after."""
        self.claim(10)
        self.save()
        calls: dict[str, Callable[[], None]] = {
            "claim": lambda: self.claim(10),
            "save": self.save,
            "lemma": self.look_up,
            "items": self.go_back,
        }
        return {name: len(statements(call)) for name, call in calls.items()}


def test_a_save_is_at_most_sixteen_statements(project: Project, ana: User, stage: Stage) -> None:
    fill(project, 0, 20)
    person = Person(stage, ana)
    person.claim(5)
    asked = statements(person.save)
    assert len(asked) <= MOST, "\n".join(asked)
    asked = statements(person.save)
    assert len(asked) <= MOST, "\n".join(asked)


def test_calls_cost_the_same_in_a_large_project_and_after_many_answers(
    project: Project, ana: User, stage: Stage
) -> None:
    fill(project, 0, SMALL)
    small = Person(stage, ana).costs()
    assert small["save"] <= MOST
    fill(project, SMALL, LARGE)
    large = Person(stage, make_member(project)).costs()
    assert large == small
    ben = make_member(project)
    answer(stage, ben, ANSWERED)
    assert Person(stage, ben).costs() == small


def test_no_call_reads_rows_that_grow_with_the_project(
    project: Project, ana: User, stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Plans of the database: each table is reached by an index, never read from one end to the other."""
    if connection.vendor != "sqlite":
        pytest.skip("This reads SQLite's plans.")
    fill(project, 0, SMALL)
    answer(stage, ana, 20)
    person = Person(stage, ana)
    person.claim(10)
    person.save()
    calls: Sequence[Callable[[], None]] = (lambda: person.claim(5), person.save, person.look_up, person.go_back)
    asked = [sql for call in calls for sql in statements(call) if sql.startswith(("SELECT", "UPDATE"))]
    growing = [model._meta.db_table for model in (Unit, Segment, Item, Assignment, Annotation, Suggestion)] + [
        "annotator_lemmaplace",
        "annotator_event",
        "annotator_gold",
    ]
    scans = []
    with connection.cursor() as cursor:
        for sql in asked:
            cursor.execute(f"EXPLAIN QUERY PLAN {sql}")
            scans += [
                (row[3], sql)
                for row in cursor.fetchall()
                if row[3].startswith("SCAN ") and any(f"{row[3]} ".startswith(f"SCAN {table} ") for table in growing)
            ]
    assert scans == []
