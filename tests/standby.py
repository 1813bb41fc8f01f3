"""A real standby of the tests' PostgreSQL, which PostgreSQL's own tools have made."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg

from service.local.postgres import APPLICATION, SUPERUSER, own, reachable_binaries
from service.local.servers import LocalServers
from service.local.supervisor import Child, Program, wait_until

PATIENCE = 60


@dataclass(frozen=True, slots=True)
class Standby:
    """A standby by the name `b`: the folder of its sockets, and its process."""

    sockets: Path
    child: Child

    @property
    def address(self) -> str:
        """The address for the superuser, for psycopg."""
        return f"host={self.sockets} user={SUPERUSER} dbname=boardroom"

    @property
    def url(self) -> str:
        """The address for the application's role."""
        return f"postgresql+psycopg://{APPLICATION}@/boardroom?host={self.sockets}"

    def has(self, written: str) -> bool:
        """Return whether the standby has replayed the log up to a position."""
        behind = "select pg_wal_lsn_diff(%s, pg_last_wal_replay_lsn()) <= 0"
        with psycopg.connect(self.address, autocommit=True) as db:
            return bool((db.execute(behind, (written,)).fetchone() or (False,))[0])


@contextmanager
def standby(servers: LocalServers, scratch: Path) -> Iterator[Standby]:
    """Copy the servers' PostgreSQL into a folder, and let the copy follow it."""
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
    copy = Standby(sockets, child)
    assert wait_until(lambda: _answers(copy.address), PATIENCE), log.read_text()
    yield copy
    child.stop()


def _answers(address: str) -> bool:
    try:
        psycopg.connect(address).close()
    except psycopg.OperationalError:
        return False
    return True


def one(address: str, statement: str) -> Any:
    """Return the one value that a statement comes to."""
    with psycopg.connect(address, autocommit=True) as db:
        return (db.execute(statement).fetchone() or (None,))[0]
