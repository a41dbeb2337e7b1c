"""Whether the site is alive, whether it can serve people, and what they are told when it cannot."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import pytest
from django.db import DatabaseError, OperationalError, ProgrammingError, connection
from django.test import Client
from django.urls import reverse

from annotator.core.faults import OncePerFault
from annotator.models import User
from annotator.web import health
from tests.clients import client_of
from tests.factories import make_member, make_project

pytestmark = pytest.mark.django_db
ELSEWHERE = Client(headers={"host": "10.0.0.7:8000"})


@contextmanager
def failing(error: DatabaseError) -> Iterator[None]:
    """No statement is answered but by this."""

    def refuse(execute: object, sql: str, *more: object) -> None:
        raise error

    with connection.execute_wrapper(refuse):
        yield


def hanging(message: str = "could not connect to server") -> AbstractContextManager[None]:
    return failing(OperationalError(f"{message}\nIs it running?"))


@pytest.mark.parametrize("path", ["/healthz/", "/readyz/"])
@pytest.mark.parametrize("tls", [False, True])
def test_anyone_may_ask_under_any_name(path: str, tls: bool, settings: Any) -> None:
    settings.SECURE_SSL_REDIRECT = tls

    answer = ELSEWHERE.get(path)

    assert answer.status_code == 200, answer.json()
    assert answer.json()["alive"] is True
    assert "no-store" in answer.headers["Cache-Control"]


def test_a_database_that_is_away_is_told_and_the_process_lives() -> None:
    with hanging():
        ready, alive = ELSEWHERE.get("/readyz/"), ELSEWHERE.get("/healthz/")

    assert (ready.status_code, alive.status_code) == (503, 200)
    assert ready.json()["database"] == "The database does not answer"


def test_a_disk_that_is_full_and_a_broker_that_is_away_are_told(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    monkeypatch.setattr(health, "MIN_FREE_BYTES", 2**60)
    assert "MB left" in ELSEWHERE.get("/readyz/").json()["disk"]

    monkeypatch.undo()
    settings.CELERY_BROKER_URL = "redis://127.0.0.1:1/0"
    answer = ELSEWHERE.get("/readyz/")
    assert answer.status_code == 503
    assert "The broker does not answer" in answer.json()["broker"]


class TestFaults:
    @pytest.fixture
    def member(self) -> User:
        return make_member(make_project())

    def test_pages_and_calls_say_that_it_passes(self, member: User, caplog: pytest.LogCaptureFixture) -> None:
        page, call = Client(), client_of(member)
        page.force_login(member)
        page.raise_request_exception = call.raise_request_exception = False
        slug = member.memberships.get().project.slug
        with hanging():
            shown = page.get(reverse("project", args=[slug]))
            answered = call.get(f"/api/v1/projects/{slug}/")

        assert shown.status_code == answered.status_code == 503
        assert "Try again soon" in shown.text
        assert answered.json()["error"]["code"] == "unavailable"
        assert int(shown.headers["Retry-After"]) == int(answered.headers["Retry-After"]) > 0

    @pytest.mark.parametrize("name", ["projects", "api:projects"])
    def test_a_database_that_is_not_migrated_is_told(self, member: User, name: str) -> None:
        page = Client(raise_request_exception=False)
        page.force_login(member)
        with connection.cursor() as cursor:
            cursor.execute("DELETE FROM django_migrations WHERE app = 'admin'")
            ready = ELSEWHERE.get("/readyz/")
            cursor.execute("ALTER TABLE annotator_project RENAME TO later")
        answer = page.get(reverse(name))

        assert (ready.status_code, answer.status_code) == (503, 503)
        assert "not prepared" in ready.json()["database"]
        assert "Try again soon" in answer.text

    def test_a_mistake_in_a_statement_stays_a_fault_with_its_traceback(
        self, member: User, caplog: pytest.LogCaptureFixture
    ) -> None:
        page = Client(raise_request_exception=False)
        page.force_login(member)
        with failing(ProgrammingError('syntax error at or near "FORM"')):
            answer = page.get(reverse("projects"))

        assert answer.status_code == 500
        assert "Traceback" in caplog.text

    def test_an_error_without_a_word_is_logged_too(self, member: User, caplog: pytest.LogCaptureFixture) -> None:
        page = Client(raise_request_exception=False)
        page.force_login(member)
        with failing(OperationalError()):
            assert page.get(reverse("projects")).status_code == 503

        assert "OperationalError: " in caplog.text

    def test_a_logger_that_has_the_filter_twice_logs_it_all_the_same(self) -> None:
        error = OperationalError("the disk is full")
        record = logging.makeLogRecord({"msg": "GET /", "exc_info": (type(error), error, None), "status_code": 503})

        assert [OncePerFault()(record), OncePerFault()(record)] == [True, True]
        assert record.getMessage() == "OperationalError: the disk is full"

    def test_one_line_a_fault_is_logged(self, member: User, caplog: pytest.LogCaptureFixture) -> None:
        page = Client()
        page.force_login(member)
        page.raise_request_exception = False
        with hanging("the disk is full"), caplog.at_level(logging.ERROR, "django.request"):
            for _time in range(5):
                page.get(reverse("projects"))

        assert [record.getMessage() for record in caplog.records] == ["OperationalError: the disk is full"]
        assert "Traceback" not in caplog.text
