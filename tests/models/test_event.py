"""The event log is append-only, whoever asks: the model, the query set, the database."""

from __future__ import annotations

import pytest
from django.db import DatabaseError, connection, transaction

from annotator.core.events import log, log_many
from annotator.domain.verbs import Verb
from annotator.models import AppendOnlyError, Event
from tests.factories import make_project, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def event() -> Event:
    project = make_project()
    return log(project=project, actor=make_user("ana"), verb=Verb.PROJECT_CREATE, subject=project, after={"name": "x"})


def test_log_records_who_what_before_and_after(event: Event) -> None:
    kept = Event.objects.get()
    assert kept.actor.username == "ana"
    assert (kept.verb, kept.subject_type, kept.subject_id) == ("project.create", "project", event.project_id)
    assert (kept.before, kept.after) == (None, {"name": "x"})


def test_an_event_cannot_be_saved_again_or_deleted(event: Event) -> None:
    event.verb = "something.else"
    with pytest.raises(AppendOnlyError):
        event.save()
    with pytest.raises(AppendOnlyError):
        event.delete()
    assert Event.objects.get().verb == "project.create"


def test_one_act_on_many_subjects_has_one_operation() -> None:
    projects = [make_project() for _ in range(3)]
    ana = make_user()
    log_many(project=None, actor=ana, verb=Verb.GUIDELINES_EDIT, changes=[(project, "a", "b") for project in projects])
    log_many(project=None, actor=ana, verb=Verb.GUIDELINES_EDIT, changes=[(projects[0], "b", "c")])
    events = list(Event.objects.all())
    assert [event.subject_id for event in events] == [*(project.pk for project in projects), projects[0].pk]
    assert len({event.operation for event in events[:3]}) == 1
    assert events[3].operation not in {None, events[0].operation}
    assert [(event.before, event.after) for event in events[:2]] == [("a", "b")] * 2


def test_query_sets_cannot_change_events(event: Event) -> None:
    with pytest.raises(AppendOnlyError):
        Event.objects.update(verb="something.else")
    with pytest.raises(AppendOnlyError):
        Event.objects.all().delete()
    assert Event.objects.get().verb == "project.create"


def test_the_database_refuses_an_update_that_goes_round_the_model(event: Event) -> None:
    with (
        pytest.raises(DatabaseError, match="append-only"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute("UPDATE annotator_event SET verb = 'something.else'")
    assert Event.objects.get().verb == "project.create"
