"""PgBouncer with the files of deploy/pgbouncer, before the PostgreSQL of the tests."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, Final

import psycopg

from service.local.postgres import APPLICATION, DATABASE, OWNER, SUPERUSER, Postgres, own
from service.local.servers import LocalServers
from service.local.supervisor import Child, Program
from service.store.connections import Pooler
from tests.docs.rooms import ROOT
from tests.ports import free_port
from tests.serving import wait_for

FOLDER: Final = ROOT / "deploy" / "pgbouncer"
PROGRAM: Final = "PGBOUNCER"
"""The variable that names the program; with it the service of all tests is reached through PgBouncer."""
PREPARING: Final = (1, 21)
"""The version from which on PgBouncer keeps named prepared statements."""
PATIENCE: Final = 60
PASSWORD: Final = "between"


@dataclass(frozen=True, slots=True)
class Between:
    """A PgBouncer that runs: where, and how the application knows it."""

    port: int
    pooler: Pooler
    child: Child

    def url(self, role: str = APPLICATION) -> str:
        """Return the address of the database through it."""
        return f"postgresql+psycopg://{role}:{PASSWORD}@127.0.0.1:{self.port}/{DATABASE}"

    @property
    def settings(self) -> Mapping[str, Any]:
        """The settings of a service that reaches its database through it."""
        return {"database_url": self.url(), "pooler": self.pooler}


def program() -> str | None:
    """Return the PgBouncer that is named, or the one that is on the path, None if there is none."""
    return os.environ.get(PROGRAM) or shutil.which("pgbouncer")


def version(of: str) -> tuple[int, int]:
    """Return the first two numbers of its version."""
    said = subprocess.run([of, "--version"], capture_output=True, text=True, check=True, timeout=60).stdout
    found = re.search(r"PgBouncer (\d+)\.(\d+)", said)
    assert found, said
    return int(found[1]), int(found[2])


@contextmanager
def pgbouncer(postgres: Postgres, of: str, *changes: tuple[str, str]) -> Iterator[Between]:
    """Run PgBouncer before the server, with these changes of its file; sessions of the application get their limits."""
    where = f"host={postgres.sockets} user={SUPERUSER} dbname={DATABASE}"
    with psycopg.connect(where, autocommit=True) as db:
        db.execute((FOLDER / "session.sql").read_bytes())
    port = free_port()
    folder = Path(mkdtemp(prefix="boardroom-pgbouncer-"))
    own(folder, postgres.account)
    prepared = version(of) >= PREPARING
    (folder / "userlist.txt").write_text("".join(f'"{role}" "{PASSWORD}"\n' for role in (APPLICATION, OWNER)))
    text = (FOLDER / "pgbouncer.ini").read_text()
    ours = [("host=127.0.0.1 port=5432", f"host={postgres.sockets}"), ("listen_port = 6432", f"listen_port = {port}")]
    ours += [("/etc/pgbouncer", str(folder)), ("pool_mode =", "unix_socket_dir =\npool_mode =")]
    ours += [(";max_prepared_statements", "max_prepared_statements")] if prepared else []
    for old, new in (*ours, *changes):
        assert old in text, old
        text = text.replace(old, new)
    (folder / "pgbouncer.ini").write_text(text)
    if postgres.account:
        for each in folder.iterdir():
            shutil.chown(each, postgres.account.uid, postgres.account.gid)
    command = [shutil.which(of) or of, str(folder / "pgbouncer.ini")]
    child = Child(Program(name="PgBouncer", command=command, log=folder / "log", account=postgres.account))
    found = Between(port, Pooler.PREPARED if prepared else Pooler.TRANSACTION, child)
    try:
        wait_for(child, lambda: _answers(found), PATIENCE)
        yield found
    finally:
        child.stop()
        shutil.rmtree(folder)


@contextmanager
def between(servers: LocalServers) -> Iterator[Mapping[str, Any]]:
    """Yield the settings that lead through PgBouncer, which runs meanwhile, or none if it is not switched on."""
    named = os.environ.get(PROGRAM)
    if not named:
        yield {}
        return
    assert servers.postgres
    with pgbouncer(servers.postgres, named) as found:
        yield found.settings


def _answers(found: Between) -> bool:
    try:
        psycopg.connect(found.url().replace("+psycopg", ""), connect_timeout=2).close()
    except psycopg.OperationalError:
        return False
    return True
