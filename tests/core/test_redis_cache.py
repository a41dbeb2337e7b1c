"""The cache in Redis: shared by all processes, and missed by nobody when it hangs."""

from __future__ import annotations

import time

import pytest
import redis

from annotator.core import redis_cache
from annotator.core.redis_cache import SessionRedisCache, SharedRedisCache
from tests.faults import stopped

pytestmark = pytest.mark.services


@pytest.fixture(autouse=True)
def asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(redis_cache, "_away", {})


def process(redis_server: str) -> int:
    with redis.Redis.from_url(redis_server) as client:
        return int(client.info("server")["process_id"])


def test_processes_count_together(redis_server: str) -> None:
    one, other = SharedRedisCache(redis_server, {}), SharedRedisCache(redis_server, {})

    assert (one.add("taken", 1, 60), other.add("taken", 2, 60), other.get("taken")) == (True, False, 1)


def test_sessions_are_kept_for_minutes_and_counts_as_long_as_they_are_told(redis_server: str) -> None:
    sessions, counts = SessionRedisCache(redis_server, {}), SharedRedisCache(redis_server, {})
    sessions.set("session", "ana", 14 * 24 * 3600)
    counts.set("count", 1, 3600)

    with redis.Redis.from_url(redis_server) as client:
        left = [
            client.ttl(cache.make_and_validate_key(key)) for cache, key in ((sessions, "session"), (counts, "count"))
        ]
    assert left[0] <= redis_cache.SESSION_SECONDS < left[1]


def test_one_that_hangs_is_asked_once_and_the_site_does_without_it(
    redis_server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    sessions, counts = SessionRedisCache(redis_server, {}), SharedRedisCache(redis_server, {})
    sessions.set("session", "ana", 60)
    with stopped([process(redis_server)]):
        begun = time.monotonic()
        assert sessions.get("session") is None
        sessions.set("session", "eva", 60)
        assert sessions.get("session") is None
        # Failed sign-ins are counted by this process alone.
        assert (counts.add("tries", 1, 60), counts.add("tries", 1, 60), counts.get("tries")) == (True, False, 1)
        assert time.monotonic() - begun < 1.5

    monkeypatch.setattr(redis_cache, "_away", {})
    assert counts.get("tries") is None
