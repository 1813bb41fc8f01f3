"""What a process runs on follows its settings."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sqlalchemy import Pool, QueuePool
from sqlalchemy.exc import TimeoutError as TookTooLong

from service.runtime import Runtime
from service.settings import SMALLEST_POOL, Settings


def test_a_process_opens_as_many_connections_as_it_may_and_no_more(settings: Settings) -> None:
    built = Runtime.build(replace(settings, pool_size=SMALLEST_POOL), hurried=True)
    pool: Pool = built.engine.pool
    assert isinstance(pool, QueuePool)
    taken = [built.engine.connect() for _ in range(SMALLEST_POOL)]
    with pytest.raises(TookTooLong):
        built.engine.connect()
    assert pool.checkedout() == SMALLEST_POOL
    for each in taken:
        each.close()
    built.engine.dispose()
    assert built.redis is not None
    built.redis.close()
