"""An optional cache in Redis that requests do not wait for.

If Redis is down or hangs, the site works without it: sessions are read from the database, and each process counts
failed sign-ins separately.
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

# Seconds to wait for an answer of Redis; until it is asked again after none.
ANSWER_WITHIN = 0.5
AWAY_FOR = 5.0
# Seconds that a session stays in the cache. Then the database is read, which also knows sign-outs that Redis missed.
SESSION_SECONDS = 300

# By server, for this process: the time until which it is not asked.
_away: dict[str, float] = {}


def _guarded(name: str) -> Callable[..., Any]:
    """A method of the Redis cache with another cache as fallback."""

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
    """Counts shared by all web processes on all machines; counted per process if Redis does not answer."""

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
    """Cache of sessions; the database has all of them."""

    def _instead(self) -> BaseCache:
        return DummyCache("", {})

    def get_backend_timeout(self, timeout: Any = DEFAULT_TIMEOUT) -> int:
        """Seconds until an entry expires."""
        return int(min(super().get_backend_timeout(timeout) or SESSION_SECONDS, SESSION_SECONDS))
