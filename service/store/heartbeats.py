"""Heartbeats of the service's processes, written from the loop that does the work.

They show a watchdog which process hangs, and after a restart since when none was running.
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

from sqlalchemy import BigInteger, CheckConstraint, Column, Connection, Engine, Integer, Table, Text, Uuid, text
from sqlalchemy.exc import SQLAlchemyError

from service.shared import clock
from service.store.database_clock import NOW
from service.store.engine import first_row
from service.store.fast_path import at_hand
from service.store.tables import instant, metadata

IDLE: Final = 15
"""Seconds within which an idle process sends its next heartbeat."""
JOB: Final = 150
"""Seconds until the next heartbeat when a job begins, which may take 120 (workers.queue) and the end of a statement."""
SILENT: Final = 180
"""Seconds without a heartbeat of a part that are an incident: longer than any job takes."""
EVERY: Final = 4.0
"""Seconds between two heartbeats of a process that does nothing else: one of three may be lost within IDLE."""

# The heartbeats; no other table refers to them.
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
    # Milliseconds by which the clock of its machine is ahead of the database's; null from versions before 0059.
    Column("clock_ms", BigInteger),
    CheckConstraint("patience > 0", name="patience"),
)

# A heartbeat lost in a crash of the server is soon sent again, so none waits for the disk.
_BEAT = f"""
with hasty as materialized (select set_config('synchronous_commit', 'off', true))
insert into heartbeat (process, part, host, pid, parent, started_at, beat_at, patience, clock_ms)
select %(process)s::uuid, %(part)s, %(host)s, %(pid)s::integer, %(parent)s::integer,
       clock_timestamp(), clock_timestamp(), %(patience)s::integer, %(clock_ms)s::bigint from hasty
on conflict (process) do update
   set beat_at = excluded.beat_at, patience = excluded.patience, clock_ms = excluded.clock_ms
returning {NOW}
"""  # noqa: S608 - a constant
_AGES = text("""
select part, extract(epoch from clock_timestamp() - max(beat_at)) as age from heartbeat
 group by part having max(beat_at) > clock_timestamp() - interval '1 day' order by part
""")
_CLOCKS = text("""
select distinct on (part) part, host, clock_ms / 1000.0 as ahead from heartbeat
 where beat_at > clock_timestamp() - interval '1 s' * patience and clock_ms is not null
 order by part, abs(clock_ms) desc
""")
_OLDER = text("""
select exists (select from heartbeat where clock_ms is null and beat_at > clock_timestamp() - interval '1 s' * patience)
""")
_LATE = text("""
select process, part, pid, parent, extract(epoch from clock_timestamp() - beat_at) as age
  from heartbeat
 where host = :host and started_at >= :since and beat_at < clock_timestamp() - interval '1 s' * patience
""")
_ELSEWHERE = text("""
select exists (select from heartbeat where host <> :host and part ~ :kind
                and beat_at > clock_timestamp() - interval '1 s' * patience)
""")
_NOW = text("select clock_timestamp()")


class Heart:
    """Sender of this process's heartbeats, after `begin`; thread-safe, and never fails."""

    def __init__(self, engine: Engine) -> None:
        """Take the process's own `engine`: a process without a database is as good as hanging."""
        self._engine = engine
        self._about: dict[str, object] = {}
        self._lock = Lock()
        self._again = self._until = 0.0

    def begin(self, part: str) -> None:
        """Name this process, from the next heartbeat on; several processes of a kind have different names."""
        about = {"process": uuid4(), "part": part, "host": socket.gethostname()}
        self._about = {**about, "pid": os.getpid(), "parent": os.getppid()}

    def beat(self, patience: int = IDLE) -> None:
        """Send a heartbeat that promises the next within `patience` seconds, unless the last one still covers that.

        Nothing is sent before `begin`. If several threads send at once, one write is enough.
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
        about = {**self._about, "patience": patience, "clock_ms": round(clock.ahead() * 1000)}
        try:
            with at_hand(self._engine) as db:
                before = clock.machine()
                row = first_row(db, _BEAT, about)
                after = clock.machine()
            if row is not None:
                clock.measured(before, row[0], after)
        except SQLAlchemyError:
            # Without the database no heartbeat can be read either, so the next one is due at once.
            self._until = 0.0


@dataclass(frozen=True, slots=True)
class Late:
    """Process with an overdue heartbeat; `age` is the seconds since its last heartbeat."""

    process: UUID
    part: str
    pid: int
    parent: int
    age: float


def late(db: Connection, since: datetime) -> list[Late]:
    """Return the hanging or dead processes on this machine, of those started since a moment."""
    rows = db.execute(_LATE, {"host": socket.gethostname(), "since": since}).all()
    return [Late(row.process, row.part, row.pid, row.parent, float(row.age)) for row in rows]


def ages(db: Connection) -> dict[str, float]:
    """Return by part the seconds since the last heartbeat of any of its processes, for a day."""
    return {row.part: float(row.age) for row in db.execute(_AGES).all()}


@dataclass(frozen=True, slots=True)
class MachineClock:
    """Offset of a machine's clock: `ahead` is the seconds it is ahead of the database's."""

    part: str
    host: str
    ahead: float


def clocks(db: Connection) -> list[MachineClock]:
    """Return for each running part the clock with the largest offset, as last reported."""
    return [MachineClock(row.part, row.host, float(row.ahead)) for row in db.execute(_CLOCKS).all()]


def has_older_process(db: Connection) -> bool:
    """Return whether a process of a version before 0059 runs, which cannot read or write the newest format.

    True only while a release is being installed.
    """
    return bool(db.execute(_OLDER).scalar_one())


def heard_elsewhere(db: Connection, kind: str) -> bool:
    """Return whether a part of a kind, found in its name (`inbox`, `web-inbox`, `inbox-2`), runs on another machine."""
    return bool(db.execute(_ELSEWHERE, {"host": socket.gethostname(), "kind": rf"\y{kind}\y"}).scalar_one())


def database_now(db: Connection) -> datetime:
    """Return the time of the clock that all heartbeats use."""
    found: datetime = db.execute(_NOW).scalar_one()
    return found
