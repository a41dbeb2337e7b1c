"""A database or a broker that hangs, with its connections open: people are told within three seconds."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
import redis

from tests.conftest import RabbitMQ
from tests.faults import SOON, Person, ask, make_person, processes_of_postgres, stopped
from tests.site import Site, wait_until
from tests.tasks.test_killed_worker import PREDICT, assert_every_sentence_once, job_state, make_corpus

pytestmark = [pytest.mark.services, pytest.mark.long]

ARCHIVES = "/api/v1/projects/corpus/archives/"


@pytest.fixture
def person(server_site: Site) -> Iterator[Person]:
    headers = make_person(server_site)
    with server_site.served("--config", "python:annotator.gunicorn_conf", "--threads", "4") as address:
        person = Person(address, headers)
        # Each thread keeps a connection.
        for _time in range(8):
            assert person.page().status == person.call().status == 200
        yield person


class TestDatabase:
    def test_pages_and_calls_are_answered_soon_and_served_again(self, server_site: Site, person: Person) -> None:
        with stopped(processes_of_postgres(server_site)):
            answers = [person.page(), person.call(), ask(f"{person.address}/readyz/"), person.page()]

        assert [answer.status for answer in answers] == [503] * 4
        assert max(answer.seconds for answer in answers) < SOON, answers
        page, call, ready, _page = answers
        assert "Try again soon" in page.text
        assert call.json["error"]["code"] == "unavailable"
        assert page.headers["Retry-After"] == call.headers["Retry-After"]
        assert ready.json["database"] == "The database does not answer"
        # Each web process asks again after a second.
        wait_until(lambda: {person.page().status for _time in range(4)} == {200}, seconds=10, what="pages")
        assert server_site.logs().count("Traceback") == 0

    def test_a_statement_that_takes_long_is_left_alone(self, server_site: Site) -> None:
        asked = (
            "import json\nfrom django.db import connection\n"
            "cursor = connection.cursor()\ncursor.execute('SELECT pg_sleep(4), 7')\nprint(cursor.fetchone()[1])"
        )

        assert server_site.python(asked) == 7

    def test_the_server_ends_what_a_page_waits_for_too_long(self, server_site: Site) -> None:
        asked = (
            "import json\nimport annotator.wsgi\nfrom django.db import connection\n"
            "cursor = connection.cursor()\ncursor.execute('SHOW statement_timeout')\n"
            "print(json.dumps(cursor.fetchone()[0]))"
        )

        assert server_site.python(asked) == "30s"


def test_workers_say_so_in_few_lines_and_go_on(server_site: Site) -> None:
    make_corpus(server_site)
    server_site.beat()
    server_site.celery_worker("-Q", "default,ml", "--concurrency", "2")
    server_site.command(*PREDICT)
    wait_until(lambda: server_site.value("SELECT done FROM annotator_job"), what=server_site.logs())
    with redis.Redis.from_url(server_site.env["CELERY_BROKER_URL"]) as broker:
        process = broker.info("server")["process_id"]
    before = {path: path.stat().st_size for path in server_site.folder.glob("*-celery.log")}
    with stopped([*processes_of_postgres(server_site), process]):
        # Long enough for several looks, beats of the heart, and tries to connect.
        threading.Event().wait(20)
        said = "".join(path.read_text()[size:] for path, size in before.items())

    assert said.count("\n") < 60, said
    assert said.count("Traceback") <= 2, said
    wait_until(lambda: job_state(server_site) not in ("queued", "running"), what=server_site.logs())
    assert_every_sentence_once(server_site)


def start_a_job(site: Site, person: Person, processes: list[int]) -> None:
    """A job is started while these processes of the broker stand still, and sent later."""
    # By now a thread has a connection to the broker, too.
    assert person.call(ARCHIVES, {"pseudonyms": False}).status == 200
    with stopped(processes):
        started = person.call(ARCHIVES, {"pseudonyms": True})
        ready = ask(f"{person.address}/readyz/")

    assert started.status == 200, started
    assert max(started.seconds, ready.seconds) < SOON, (started, ready)
    assert (ready.status, ready.json["database"]) == (503, "")
    assert "The broker does not answer" in ready.json["broker"]
    site.beat()
    site.celery_worker("-Q", "default,ml", "--pool", "threads", "--concurrency", "2")
    done = "SELECT COUNT(*) FROM annotator_job WHERE state = 'done'"
    wait_until(lambda: site.value(done) == 2, what=site.logs())


def test_a_job_is_started_while_redis_hangs(server_site: Site, person: Person) -> None:
    with redis.Redis.from_url(server_site.env["CELERY_BROKER_URL"]) as broker:
        process = broker.info("server")["process_id"]
    start_a_job(server_site, person, [process])


class TestRabbitMQ:
    @pytest.fixture
    def server_site(self, server_site: Site, rabbitmq: RabbitMQ) -> Iterator[Site]:
        server_site.env["CELERY_BROKER_URL"] = rabbitmq.url
        yield server_site
        server_site.stop()
        for queue in ("default", "ml", "ml-gpu"):
            server_site.celery("amqp", "queue.delete", queue)

    def test_a_job_is_started_while_it_hangs(self, server_site: Site, person: Person, rabbitmq: RabbitMQ) -> None:
        start_a_job(server_site, person, [rabbitmq.process()])
