from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.core.cache import cache


@pytest.fixture(autouse=True)
def _no_throttle_left_over() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()
