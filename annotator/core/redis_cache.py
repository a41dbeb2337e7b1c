"""A cache in Redis that nobody waits for, and nobody needs.

Where Redis is away or hangs, the site is served without it: sessions are read from the database, and each process
counts failed sign-ins by itself, so that as many can be made in each.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from time import monotonic
from typing import Any

from django.core.cache.backends.base import DEFAULT_TIMEOUT, BaseCache
from django.core.cache.backends.dummy import DummyCache
from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache
from redis import RedisError
from redis.backoff import NoBackoff
from redis.retry import Retry

logger = logging.getLogger(__name__)

# Seconds that Redis has for an answer; in which it is not asked again when it gave none.
ANSWER_WITHIN = 0.5
AWAY_FOR = 5.0
# Seconds that a session is read from the cache: a sign-out that Redis did not hear of is then known from the database.
SESSION_SECONDS = 300

# By server, of this process: until when it is not asked.
_away: dict[str, float] = {}


def _guarded(name: str) -> Callable[..., Any]:
    """A method of Redis's cache that does the same with another one where Redis does not answer."""

    def call(self: SharedRedisCache, *args: Any, **kwargs: Any) -> Any:
        if monotonic() >= _away.get(self.server, 0.0):
            try:
                return getattr(super(SharedRedisCache, self), name)(*args, **kwargs)
            except RedisError as error:
                _away[self.server] = monotonic() + AWAY_FOR
                logger.error("The cache in Redis does not answer: %s", type(error).__name__, exc_info=error)
        return getattr(self.instead, name)(*args, **kwargs)

    return call


class SharedRedisCache(RedisCache):
    """Counts shared by all web processes on all machines; each by itself where Redis does not answer."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        once = {
            "socket_timeout": ANSWER_WITHIN,
            "socket_connect_timeout": ANSWER_WITHIN,
            "retry": Retry(NoBackoff(), 0),
        }
        super().__init__(server, {**params, "OPTIONS": {**params.get("OPTIONS", {}), **once}})
        self.server = server
        self.instead = self._instead()

    def _instead(self) -> BaseCache:
        return LocMemCache(self.server, {})

    add, get, set, touch, delete = map(_guarded, ("add", "get", "set", "touch", "delete"))
    get_many, set_many, delete_many = map(_guarded, ("get_many", "set_many", "delete_many"))
    has_key, incr, clear = map(_guarded, ("has_key", "incr", "clear"))


class SessionRedisCache(SharedRedisCache):
    """Sessions beside the database, which says what is missing here."""

    def _instead(self) -> BaseCache:
        return DummyCache("", {})

    def get_backend_timeout(self, timeout: Any = DEFAULT_TIMEOUT) -> int:
        """Seconds until an entry is over."""
        return int(min(super().get_backend_timeout(timeout) or SESSION_SECONDS, SESSION_SECONDS))
