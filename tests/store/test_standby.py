"""The operator sees how far a standby is behind: a real one, which PostgreSQL's own tools have made."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import create_engine

from service.local.postgres import APPLICATION, SUPERUSER, own, reachable_binaries
from service.local.processes import Child, Program, wait_until
from service.local.servers import LocalServers
from service.views.gauges import Server, server

PATIENCE = 60
pytestmark = pytest.mark.slow


@pytest.fixture
def standby(servers: LocalServers, scratch: Path) -> Iterator[Path]:
    """The folder of the sockets of a standby by the name `b`."""
    assert servers.postgres
    account, data, sockets, log = servers.postgres.account, scratch / "data", scratch / "run", scratch / "standby.log"
    binaries = reachable_binaries(servers.postgres.data.parent, account)
    for folder in (data, sockets):
        folder.mkdir(mode=0o700)
        own(folder, account)
    primary = f"host={servers.postgres.sockets} user={SUPERUSER} application_name=b"
    copy = [str(binaries / "pg_basebackup"), "-D", str(data), "-R", "-X", "stream", "-c", "fast", "-d", primary]
    copying = Child(Program(name="pg_basebackup", command=copy, log=log, account=account))
    assert wait_until(lambda: copying.exit_code is not None, PATIENCE)
    assert copying.exit_code == 0, log.read_text()
    run = [str(binaries / "postgres"), "-D", str(data), "-c", "listen_addresses="]
    run += ["-c", f"unix_socket_directories={sockets}"]
    child = Child(Program(name="standby", command=run, log=log, account=account, stop_signal=signal.SIGINT))
    yield sockets
    child.stop()


def seen(url: str) -> Server:
    """Return what the role sees of the server."""
    engine = create_engine(url)
    with engine.connect() as db:
        found = server(db)
    engine.dispose()
    return found


def test_the_lag_of_a_standby_is_seen_by_a_role_that_may(servers: LocalServers, standby: Path) -> None:
    assert servers.postgres
    address = f"host={servers.postgres.sockets} user={SUPERUSER} dbname=boardroom"
    behind = f"host={standby} user={SUPERUSER} dbname=boardroom"
    assert wait_until(lambda: seen(servers.database_url).standbys == 1, PATIENCE)
    assert (seen(servers.database_url).seconds, seen(servers.database_url).bytes) == ({}, {}), "it may not look"

    with closing(psycopg.connect(address, autocommit=True)) as primary:
        primary.execute(f"grant pg_monitor to {APPLICATION}")
        try:
            assert wait_until(lambda: seen(servers.database_url).bytes == {"b": 0}, PATIENCE)
            with closing(psycopg.connect(behind, autocommit=True)) as db:
                db.execute("select pg_wal_replay_pause()")
                primary.execute("create table grown as select generate_series(1, 10000) as number")
                assert wait_until(lambda: seen(servers.database_url).bytes["b"] > 100_000, PATIENCE)
                db.execute("select pg_wal_replay_resume()")
            assert wait_until(lambda: seen(servers.database_url).bytes == {"b": 0}, PATIENCE)
            assert seen(servers.database_url).seconds.keys() == {"b"}
        finally:
            primary.execute(f"revoke pg_monitor from {APPLICATION}")
            primary.execute("drop table if exists grown")
