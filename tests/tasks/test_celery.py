"""Celery's own commands on the site's jobs: with processes and real brokers, killed, stopped, emptied."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from tests.conftest import RabbitMQ
from tests.forks import ROOT
from tests.site import Site, wait_until
from tests.tasks.test_killed_worker import (
    FEW,
    PREDICT,
    SENTENCES,
    TRAINING,
    assert_every_sentence_once,
    job_state,
    make_corpus,
)

pytestmark = pytest.mark.services

FAKETIME = [str(path) for path in Path("/usr/lib").glob("*/faketime/libfaketime.so.1")]
WORKER = ("-Q", "ml", "--concurrency", "2")


@pytest.fixture
def corpus(server_site: Site) -> Site:
    make_corpus(server_site)
    return server_site


def begun(site: Site) -> None:
    """Wait until a job is in its middle."""
    wait_until(lambda: site.value("SELECT done FROM annotator_job"), what=site.logs())
    assert site.value("SELECT done FROM annotator_job") < SENTENCES, "it had ended before"


def ends(site: Site, sentences: int = SENTENCES) -> None:
    wait_until(lambda: job_state(site) not in ("queued", "running"), what=site.logs())
    assert_every_sentence_once(site, sentences)


def children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def test_its_worker_does_jobs_with_processes_and_says_what_it_does(corpus: Site) -> None:
    corpus.celery_worker(*WORKER)
    corpus.command(*PREDICT)
    begun(corpus)

    with redis.Redis.from_url(corpus.env["CELERY_BROKER_URL"]) as broker:
        assert sum(broker.llen(key) for key in broker.keys("ml*")) > 0, "what waits is the length of the queue"
    active = json.loads(corpus.celery("inspect", "active", "--json"))
    stats = json.loads(corpus.celery("inspect", "stats", "--json"))

    assert {task["name"] for task in next(iter(active.values()))} == {"annotator.tasks.take_step"}
    assert len(next(iter(stats.values()))["pool"]["processes"]) == 2
    ends(corpus)


def test_a_process_that_is_killed_loses_nothing(corpus: Site) -> None:
    worker = corpus.celery_worker(*WORKER)
    corpus.command(*PREDICT)
    begun(corpus)

    for child in children(worker.pid):
        os.kill(child, signal.SIGKILL)

    ends(corpus)
    assert worker.poll() is None


def test_its_processes_compute_in_processes_of_their_own(server_site: Site) -> None:
    server_site.python(TRAINING)
    server_site.celery_worker(*WORKER)

    server_site.command("train_detector", "--project", "learning", "--language", "es")

    wait_until(lambda: job_state(server_site) not in ("queued", "running"), what=server_site.logs())
    assert job_state(server_site) == "done", server_site.logs()


def test_another_worker_goes_on_with_what_a_killed_one_had_in_hand(corpus: Site) -> None:
    corpus.beat()
    worker = corpus.celery_worker("-Q", "default,ml", "--pool", "threads", "--concurrency", "2", "-n", "one@%h")
    corpus.command(*PREDICT)
    begun(corpus)

    worker.kill()
    worker.wait()
    corpus.celery_worker("-Q", "default,ml", "--concurrency", "2", "-n", "two@%h")

    ends(corpus)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGQUIT], ids=["warm", "cold"])
def test_a_worker_that_is_stopped_leaves_the_rest_to_the_next(corpus: Site, number: signal.Signals) -> None:
    corpus.beat()
    worker = corpus.celery_worker("-Q", "default,ml", "--concurrency", "2")
    corpus.command(*PREDICT)
    begun(corpus)

    worker.send_signal(number)
    worker.wait(timeout=60)
    assert job_state(corpus) == "running"
    corpus.celery_worker("-Q", "default,ml", "--concurrency", "2")

    ends(corpus)


def test_a_broker_that_lost_all_messages_is_filled_again(corpus: Site) -> None:
    corpus.beat()
    corpus.celery_worker("-Q", "default,ml", "--concurrency", "2")
    corpus.command(*PREDICT)
    begun(corpus)

    with redis.Redis.from_url(corpus.env["CELERY_BROKER_URL"]) as broker:
        broker.flushdb()

    ends(corpus)


def test_a_short_job_does_not_wait_for_a_long_one(corpus: Site) -> None:
    corpus.command(*PREDICT)
    corpus.celery_worker("-Q", "ml", "--concurrency", "1")
    begun(corpus)
    done = "SELECT COUNT(*) FROM annotator_jobchunk WHERE job_id = 1 AND state = 'done'"

    corpus.command("predict", "corpus", "--language", "es", "--chunk", "300")
    before = corpus.value(done)
    wait_until(lambda: corpus.value("SELECT begun_at FROM annotator_jobchunk WHERE job_id = 2"), what=corpus.logs())

    # The one that was under way, and one that begins while the job is cut.
    assert corpus.value(done) <= before + 2
    wait_until(lambda: corpus.value("SELECT COUNT(*) FROM annotator_job WHERE state = 'done'") == 2)


@pytest.mark.skipif(not FAKETIME, reason="libfaketime is not installed (Debian package: faketime)")
def test_a_worker_whose_clock_is_a_minute_ahead_wastes_nothing(corpus: Site) -> None:
    ahead = {"LD_PRELOAD": FAKETIME[0], "FAKETIME": "+60", "FAKETIME_DONT_FAKE_MONOTONIC": "1"}
    command = [sys.executable, "-m", "celery", "-A", "annotator", "worker", "-Q", "default,ml", "-n", "ahead@%h"]
    corpus.beat()
    corpus.celery_worker("-Q", "ml", "--concurrency", "1", "-n", "right@%h")
    with (corpus.folder / "ahead.log").open("wb") as log:
        worker = subprocess.Popen(
            [*command, "--concurrency", "1"], cwd=ROOT, env={**corpus.env, **ahead}, stdout=log, stderr=log
        )
    try:
        wait_until(lambda: corpus.value("SELECT COUNT(*) FROM annotator_worker") == 2, what=corpus.logs())
        corpus.command(*PREDICT)
        begun(corpus)
        # What follows is found by looks at the rows that the worker which is ahead takes.
        with redis.Redis.from_url(corpus.env["CELERY_BROKER_URL"]) as broker:
            broker.flushdb()
        ends(corpus)
    finally:
        worker.kill()
        worker.wait()
    assert corpus.value("SELECT MAX(attempts) FROM annotator_jobchunk") == 1


class TestRabbitMQ:
    @pytest.fixture
    def site(self, server_site: Site, rabbitmq: RabbitMQ) -> Iterator[Site]:
        server_site.env["CELERY_BROKER_URL"] = rabbitmq.url
        make_corpus(server_site)
        yield server_site
        server_site.stop()
        for queue in ("default", "ml", "ml-gpu"):
            server_site.celery("amqp", "queue.delete", queue)

    def test_it_is_a_broker_like_any_other(self, site: Site) -> None:
        worker = site.celery_worker(*WORKER)
        site.command(*PREDICT)
        begun(site)
        for child in children(worker.pid):
            os.kill(child, signal.SIGKILL)
        ends(site)

    def test_it_may_be_started_again_in_the_middle(self, site: Site, rabbitmq: RabbitMQ) -> None:
        site.beat()
        site.celery_worker("-Q", "default,ml", "--concurrency", "2")
        site.command(*PREDICT)
        begun(site)

        rabbitmq.again()

        ends(site)


def test_commands_that_wait_follow_such_a_worker(server_site: Site) -> None:
    make_corpus(server_site, FEW)
    server_site.celery_worker(*WORKER)

    answer = server_site.manage(*PREDICT, "--wait")

    assert "No worker" not in answer.stderr
    assert_every_sentence_once(server_site, FEW)
