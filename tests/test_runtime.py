"""Runtime of a process, as its settings say."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sqlalchemy import Pool, QueuePool
from sqlalchemy.exc import TimeoutError as TookTooLong

from service.runtime import Runtime
from service.settings import MIN_POOL_SIZE, Settings


def test_a_process_opens_as_many_connections_as_it_may_and_no_more(settings: Settings) -> None:
    built = Runtime.build(replace(settings, pool_size=MIN_POOL_SIZE), hurried=True)
    pool: Pool = built.engine.pool
    assert isinstance(pool, QueuePool)
    taken = [built.engine.connect() for _ in range(MIN_POOL_SIZE)]
    with pytest.raises(TookTooLong):
        built.engine.connect()
    assert pool.checkedout() == MIN_POOL_SIZE
    for each in taken:
        each.close()
    built.engine.dispose()
    assert built.redis is not None
    built.redis.close()
