"""Two PostgreSQL servers on this machine, one the standby of the other, and what a failover manager does with them."""

from __future__ import annotations

import os
import shutil
import signal
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg

from service.local.postgres import APPLICATION, DATABASE, OWNER, SUPERUSER, own, reachable_binaries, server_account
from service.local.supervisor import Child, Program, wait_until
from tests.chaos.processes import tree
from tests.deploy.drills.shell import carried_out, documented
from tests.ports import free_port

PATIENCE = 60
# What an operator sets for a pair; and without waiting for a disk, since only processes die here.
_OPTIONS = {
    "listen_addresses": "127.0.0.1",
    "wal_level": "replica",
    "wal_log_hints": "on",
    "wal_keep_size": "256MB",
    "hot_standby": "on",
    "wal_retrieve_retry_interval": "500ms",
    "fsync": "off",
    "timezone": "UTC",
}
_SENDER = "select pid from pg_stat_replication"
_STATE = "select sync_state from pg_stat_replication where state = 'streaming'"


@dataclass(slots=True)
class Cluster:
    """A server by its name, with its data in a folder of its own below `folder`."""

    name: str
    folder: Path
    port: int = field(default_factory=free_port)
    child: Child | None = None

    @property
    def data(self) -> Path:
        return self.folder / self.name

    @property
    def address(self) -> str:
        """Connection string of the superuser."""
        return f"host=127.0.0.1 port={self.port} user={SUPERUSER}"

    def program(self, name: str, *words: str) -> str:
        """Carry out one of PostgreSQL's programs to its end, and return what it says."""
        account, log = server_account(), self.folder / f"{self.name}.{name}.log"
        log.unlink(missing_ok=True)
        child = Child(Program(name=name, command=[str(self.programs / name), *words], log=log, account=account))
        assert wait_until(lambda: child.exit_code is not None, PATIENCE) and child.exit_code == 0, log.read_text()
        return log.read_text()

    @property
    def programs(self) -> Path:
        """The folder of PostgreSQL's programs."""
        return reachable_binaries(self.folder, server_account())

    @property
    def environment(self) -> dict[str, object]:
        """Variables that point PostgreSQL's programs to this cluster, as the superuser."""
        return {"PGHOST": "127.0.0.1", "PGPORT": self.port, "PGUSER": SUPERUSER, "PGDATA": self.data}

    def carry_out(self, commands: str, **told: object) -> str:
        """Carry out a block of the page as the server's account, with these variables; return what it says."""
        account = server_account()
        done = carried_out(commands, {**self.environment, **told}, programs=self.programs, account=account)
        assert done.returncode == 0, f"{commands}\n{done.stdout}{done.stderr}"
        return done.stdout

    def make(self) -> None:
        """Make it, with the roles and the database of the service."""
        own(self.data, server_account())
        how = ("-U", SUPERUSER, "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync")
        self.program("initdb", "-D", str(self.data), *how)
        # In the file, since programs start the server without the options of the command.
        options = {**_OPTIONS, "unix_socket_directories": self.folder}
        with (self.data / "postgresql.conf").open("a") as file:
            file.writelines(f"{name} = '{value}'\n" for name, value in options.items())
        self.start()
        for role in (OWNER, APPLICATION):
            self.ask(f'create role "{role}" login', "postgres")
        self.ask(f'create database "{DATABASE}" owner "{OWNER}"', "postgres")

    def start(self) -> None:
        """Start it, and wait until it answers."""
        account = server_account()
        words = [str(self.programs / "postgres"), "-D", str(self.data), "-p", str(self.port)]
        log = self.folder / f"{self.name}.log"
        program = Program(name=self.name, command=words, log=log, account=account, stop_signal=signal.SIGINT)
        self.child = Child(program)
        assert wait_until(self.answers, PATIENCE), log.read_text()[-2000:]

    def answers(self) -> bool:
        """Return whether it takes connections."""
        with suppress(psycopg.OperationalError):
            self.ask("select 1", "postgres")
            return True
        return False

    def ask(self, statement: str, database: str = DATABASE) -> list[Any]:
        """Have its superuser carry out a statement; return the rows."""
        with psycopg.connect(f"{self.address} dbname={database} connect_timeout=2", autocommit=True) as db:
            cursor = db.execute(statement)  # type: ignore[call-overload] # a text that is not literal
            return list(cursor.fetchall()) if cursor.description else []

    def send(self, number: signal.Signals) -> None:
        """Send a signal to each of its processes, to the first of them first."""
        assert self.child
        # The program that ties it to this process became the server itself.
        for each in sorted(tree(self.child.pid), key=lambda each: each.pid != self.child.pid if self.child else True):
            with suppress(ProcessLookupError):
                os.kill(each.pid, number)

    def hold_back(self) -> None:
        """Send nothing to the standby any more, which does not notice."""
        for (pid,) in self.ask(_SENDER):
            os.kill(pid, signal.SIGSTOP)

    def kill(self) -> None:
        """End all its processes as the end of the machine does."""
        assert self.child
        self.send(signal.SIGKILL)
        self.child.kill()

    def stop(self) -> None:
        """Stop it in order."""
        if self.child is not None and self.child.exit_code is None:
            self.send(signal.SIGCONT)
            self.child.stop()

    def follow(self, primary: Cluster) -> None:
        """Copy the primary, and follow it."""
        source = f"{primary.address} application_name={self.name}"
        self.program(
            "pg_basebackup", "-D", str(self.data), "-R", "-X", "stream", "-c", "fast", "--no-sync", "-d", source
        )
        self.start()

    def return_to(self, primary: Cluster, rewind: str) -> str:
        """Follow a server that was promoted meanwhile; what only this one has is undone. Return by which program."""
        primary.ask("checkpoint")
        source = f"{primary.address} dbname=postgres application_name={self.name}"
        try:
            self.carry_out(rewind, NEW_PRIMARY=source)
        except AssertionError:
            # The log that it needs may be gone.
            shutil.rmtree(self.data)
            own(self.data, server_account())
            self.follow(primary)
            return "pg_basebackup"
        self.start()
        return "pg_rewind"

    def state_of_standby(self) -> str | None:
        """Return `sync` or `async` if a standby follows."""
        rows = self.ask(_STATE)
        return str(rows[0][0]) if rows else None


class Pair:
    """A primary and its standby, looked after by the commands of the page; they change their roles at each failover."""

    def __init__(self, folder: Path, *, synchronous: bool) -> None:
        self.primary, self.standby = Cluster("a", folder), Cluster("b", folder)
        self.synchronous = synchronous
        self.hosts = f"host=127.0.0.1,127.0.0.1&port={self.primary.port},{self.standby.port}"
        self._promote, self._keep_heads, _, self._rewind, self._wait = documented("Failover")

    def url(self, role: str = APPLICATION) -> str:
        """Return the address of the server that takes writes, whichever it is."""
        return f"postgresql://{role}@/{DATABASE}?{self.hosts}&target_session_attrs=read-write"

    def start(self) -> None:
        """Make both."""
        self.primary.make()
        self.standby.follow(self.primary)
        self.settle()

    def settle(self) -> None:
        """Wait until the standby follows; from then on each commit waits for it, if that is wanted."""
        if self.synchronous:
            self.primary.carry_out(self._wait)
        wanted = "quorum" if self.synchronous else "async"
        assert wait_until(lambda: self.primary.state_of_standby() == wanted, PATIENCE)

    def promote(self) -> None:
        """Let the standby be the primary."""
        self.standby.carry_out(self._promote)
        self.primary, self.standby = self.standby, self.primary

    def keep_heads(self, heads: Path) -> None:
        """Write the heads of all games on the server that was the primary into a file, which may be read by all."""
        self.standby.carry_out(self._keep_heads, PORT_APART=free_port(), HEADS=heads)

    def return_old(self) -> str:
        """Let the server that was the primary follow the other one; return by which program."""
        by = self.standby.return_to(self.primary, self._rewind)
        self.settle()
        return by

    def stop(self) -> None:
        """Stop both."""
        for each in (self.standby, self.primary):
            each.stop()
