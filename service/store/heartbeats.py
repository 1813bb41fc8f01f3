"""Each process of the service says in the database that it lives, from the loop that does its work.

A watchdog can tell a process that hangs, and after a restart since when there was none.
"""

from __future__ import annotations

import os
import socket
from dataclasses import dataclass
from datetime import datetime
from threading import Lock
from time import monotonic
from typing import Final
from uuid import UUID, uuid4

from sqlalchemy import CheckConstraint, Column, Connection, Engine, Integer, Table, Text, Uuid, text
from sqlalchemy.exc import SQLAlchemyError

from service.store.tables import instant, metadata

IDLE: Final = 15
"""Seconds within which a process says again that it lives, when nothing keeps it from doing so."""
JOB: Final = 150
"""Seconds that it has when it begins a job, which may take 120 (workers.queue) and the end of a statement."""
SILENT: Final = 180
"""Seconds after which a part of which nothing is heard is an incident: longer than any job takes."""
EVERY: Final = 2.0
"""Seconds after which it says so again."""

# Each process says here that it lives; nothing refers to it.
heartbeat = Table(
    "heartbeat",
    metadata,
    Column("process", Uuid, primary_key=True),
    Column("part", Text, nullable=False),
    Column("host", Text, nullable=False),
    Column("pid", Integer, nullable=False),
    Column("parent", Integer, nullable=False),
    instant("started_at"),
    instant("beat_at"),
    Column("patience", Integer, nullable=False),
    CheckConstraint("patience > 0", name="patience"),
)

# What is lost when the server crashes is said again at once: nobody waits for the disk.
_BEAT = text("""
with hasty as materialized (select set_config('synchronous_commit', 'off', true))
insert into heartbeat (process, part, host, pid, parent, started_at, beat_at, patience)
select cast(:process as uuid), :part, :host, cast(:pid as integer), cast(:parent as integer),
       clock_timestamp(), clock_timestamp(), cast(:patience as integer) from hasty
on conflict (process) do update set beat_at = excluded.beat_at, patience = excluded.patience
""")
_AGES = text("""
select part, extract(epoch from clock_timestamp() - max(beat_at)) as age from heartbeat
 group by part having max(beat_at) > clock_timestamp() - interval '1 day' order by part
""")
_LATE = text("""
select process, part, pid, parent, extract(epoch from clock_timestamp() - beat_at) as age
  from heartbeat
 where host = :host and started_at >= :since and beat_at < clock_timestamp() - interval '1 s' * patience
""")
_NOW = text("select clock_timestamp()")


class Heart:
    """Says that this process lives, once it has begun; safe between threads, and never fails."""

    def __init__(self, engine: Engine) -> None:
        """`engine` is what the process works with: one that can reach nothing through it is as good as hanging."""
        self._engine = engine
        self._about: dict[str, object] = {}
        self._lock = Lock()
        self._again = self._until = 0.0

    def begin(self, part: str) -> None:
        """Have this process be known by the name, from the next beat on; several of a kind have different names."""
        about = {"process": uuid4(), "part": part, "host": socket.gethostname()}
        self._about = {**about, "pid": os.getpid(), "parent": os.getppid()}

    def beat(self, patience: int = IDLE) -> None:
        """Say that the process lives and will say so again within so many seconds; often there is no need to.

        Nothing is said before `begin`. Of several threads that say so at once one is enough.
        """
        if not self._about or not self._lock.acquire(blocking=False):
            return
        try:
            now = monotonic()
            if now >= self._again or now + patience > self._until + IDLE / 3:
                self._again, self._until = now + EVERY, now + patience
                self._write(patience)
        finally:
            self._lock.release()

    def _write(self, patience: int) -> None:
        try:
            with self._engine.begin() as db:
                db.execute(_BEAT, {**self._about, "patience": patience})
        except SQLAlchemyError:
            # As long as nobody can ask the database, nobody is judged by what it says.
            self._until = 0.0


@dataclass(frozen=True, slots=True)
class Late:
    """A process that should have said before that it lives; `age` is how many seconds ago it last did."""

    process: UUID
    part: str
    pid: int
    parent: int
    age: float


def late(db: Connection, since: datetime) -> list[Late]:
    """Return the processes on this machine that hang or are gone, of those that began since a moment."""
    rows = db.execute(_LATE, {"host": socket.gethostname(), "since": since}).all()
    return [Late(row.process, row.part, row.pid, row.parent, float(row.age)) for row in rows]


def ages(db: Connection) -> dict[str, float]:
    """Return by part how many seconds ago one of its processes last said that it lives, for a day."""
    return {row.part: float(row.age) for row in db.execute(_AGES).all()}


def database_now(db: Connection) -> datetime:
    """Return the time by the clock that all beats are counted by."""
    found: datetime = db.execute(_NOW).scalar_one()
    return found
