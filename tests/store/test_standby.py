"""The operator sees how far a standby is behind: a real one, which PostgreSQL's own tools have made."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import create_engine

from service.local.postgres import APPLICATION, SUPERUSER
from service.local.servers import LocalServers
from service.local.supervisor import wait_until
from service.views.operation import DatabaseGauges, server_gauges
from tests.standby import PATIENCE, Standby, standby

pytestmark = pytest.mark.slow


@pytest.fixture
def following(servers: LocalServers, scratch: Path) -> Iterator[Standby]:
    """A standby by the name `b`."""
    with standby(servers, scratch) as copy:
        yield copy


def seen(url: str) -> DatabaseGauges:
    """Return what the role sees of the server."""
    engine = create_engine(url)
    with engine.connect() as db:
        found = server_gauges(db)
    engine.dispose()
    return found


def test_the_lag_of_a_standby_is_seen_by_a_role_that_may(servers: LocalServers, following: Standby) -> None:
    assert servers.postgres
    address = f"host={servers.postgres.sockets} user={SUPERUSER} dbname=boardroom"
    assert wait_until(lambda: seen(servers.database_url).standbys == 1, PATIENCE)
    assert (seen(servers.database_url).seconds, seen(servers.database_url).bytes) == ({}, {}), "it may not look"

    with closing(psycopg.connect(address, autocommit=True)) as primary:
        primary.execute(f"grant pg_monitor to {APPLICATION}")
        try:
            assert wait_until(lambda: seen(servers.database_url).bytes == {"b": 0}, PATIENCE)
            with closing(psycopg.connect(following.address, autocommit=True)) as db:
                db.execute("select pg_wal_replay_pause()")
                primary.execute("create table grown as select generate_series(1, 10000) as number")
                assert wait_until(lambda: seen(servers.database_url).bytes["b"] > 100_000, PATIENCE)
                db.execute("select pg_wal_replay_resume()")
            assert wait_until(lambda: seen(servers.database_url).bytes == {"b": 0}, PATIENCE)
            assert seen(servers.database_url).seconds.keys() == {"b"}
        finally:
            primary.execute(f"revoke pg_monitor from {APPLICATION}")
            primary.execute("drop table if exists grown")
