"""Sessions of the database that block others by a lock; their statements are not shown."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from threading import Lock, Thread
from time import monotonic, sleep
from typing import Any, Final, cast

import psycopg
import structlog
from psycopg.errors import DeadlockDetected, LockNotAvailable, QueryCanceled
from sqlalchemy import Connection

from service.shared.error_class import error_class
from service.store.connections import PREFIX, named_session, plain_address

# Without pg_monitor our role sees only the number and application_name of another role's sessions. A worker of
# autovacuum has no role. Only the first word of a statement is read: the rest may hold hidden cards.
_SESSION: Final = r"""
   other.pid, coalesce(other.application_name, '') as application, other.usesysid is null as autovacuum, other.state,
   extract(epoch from clock_timestamp() - other.xact_start)::float8 as seconds,
   lower(substring(other.query from '^\s*([A-Za-z]+)')) as statement
"""
# The lock manager is asked about the waiting sessions only.
BLOCKERS: Final = f"""
with wanted as materialized (
  select pid, min(relation::regclass::text) filter (where relation is not null) as relation,
         extract(epoch from clock_timestamp() - min(waitstart))::float8 as waited
    from pg_locks where not granted group by pid
), waiting as materialized (
  select wanted.*, pg_blocking_pids(wanted.pid) as behind from wanted join pg_stat_activity session using (pid)
   where session.datname = current_database() and (%(of)s::integer is null or wanted.pid = %(of)s)
)
select {_SESSION}, count(*)::integer as waiting, coalesce(max(waited), 0) as waited, min(waiting.relation) as relation
  from waiting join pg_stat_activity other on other.pid = any(waiting.behind)
 where %(of)s::integer is not null or other.pid not in (select pid from waiting)
 group by 1, 2, 3, 4, 5, 6 order by waiting desc, waited desc, pid limit 5
"""  # noqa: S608 - constants
"""Blocking sessions, at most five; of a queue the first. `of` is a waiting session, or null for all."""
# After a lock timeout no other session may be waiting for the lock.
HOLDERS: Final = f"""
select {_SESSION}, 0 as waiting, 0::float8 as waited, min(held.relation::regclass::text) as relation
  from pg_stat_activity other
  left join pg_locks held on held.pid = other.pid and held.granted and held.locktype = 'relation'
   and held.database = (select oid from pg_database where datname = current_database())
   and held.mode in ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
 where other.datname = current_database() and other.pid <> pg_backend_pid()
   and (held.pid is not null or clock_timestamp() - other.xact_start > interval '2 s')
 group by 1, 2, 3, 4, 5, 6 order by count(held.pid) desc, seconds desc nulls last, pid limit 5
"""  # noqa: S608 - constants
"""Sessions with a whole table locked, and those whose transaction is older than two seconds; at most five."""
_TRANSACTIONS: Final = f"""
select {_SESSION}, 0 as waiting, 0::float8 as waited, null as relation from pg_stat_activity other
 where other.datname = current_database() and other.pid <> pg_backend_pid() and other.xact_start is not null
"""  # noqa: S608 - constants
PARTS: Final = ("web", "relay", "worker", "courier", "inbox", "migrate", "audit")
"""Parts and commands with their own label in metrics."""
KINDS: Final = (*PARTS, "boardroom", "autovacuum", "other")
"""Kinds of blockers: a part, another process of ours, autovacuum, or any other session."""


@dataclass(frozen=True, slots=True)
class Blocker:
    """Session that blocks others.

    `seconds` is the age of its transaction. It is None, like `state` and `statement` (the first word), where our role
    may not know. `waiting` is the number of blocked sessions, `waited` the longest wait in seconds, `relation` a table.
    """

    pid: int
    application: str
    autovacuum: bool
    state: str | None
    seconds: float | None
    statement: str | None
    waiting: int
    waited: float
    relation: str | None

    @property
    def kind(self) -> str:
        """Kind of the session, one of KINDS."""
        if self.autovacuum:
            return "autovacuum"
        if not self.application.startswith(PREFIX):
            return "other"
        words = re.findall(r"[a-z]+", self.application.removeprefix(PREFIX))
        return next((part for part in PARTS if part in words), "boardroom")

    def __str__(self) -> str:
        name = "autovacuum" if self.autovacuum else self.application or "a session without application_name"
        if self.state is None and not self.autovacuum:
            known = ["more is told to members of pg_monitor"]
        else:
            age = None if self.seconds is None else f"transaction open for {self.seconds:.0f} s"
            known = [each for each in (self.state, self.statement, age) if each]
        held = f" at {self.relation}" if self.relation else ""
        return f"process {self.pid} of PostgreSQL ({', '.join([name, *known])}){held}"

    def fields(self) -> dict[str, Any]:
        """Return the fields of a log line."""
        return {
            "pid": self.pid,
            "application": "autovacuum" if self.autovacuum else self.application,
            "state": self.state,
            "transaction_s": None if self.seconds is None else round(self.seconds, 1),
            "statement": self.statement,
            "relation": self.relation,
            "waiting": self.waiting,
        }


def blockers(db: psycopg.Connection[Any], of: int | None = None) -> Sequence[Blocker]:
    """Return the sessions that block others now, or those that block one session; raise psycopg.Error."""
    return [Blocker(*row) for row in db.execute(BLOCKERS, {"of": of}).fetchall()]


def holders(db: psycopg.Connection[Any]) -> Sequence[Blocker]:
    """Return the sessions that may have blocked others, although none waits now; raise psycopg.Error."""
    return [Blocker(*row) for row in db.execute(HOLDERS).fetchall()]


def driver_of(db: Connection) -> psycopg.Connection[Any]:
    """Return the driver's connection, which the functions here take."""
    return cast("psycopg.Connection[Any]", db.connection.driver_connection)


def oldest_transactions(db: psycopg.Connection[Any]) -> dict[str, float]:
    """Return the age in seconds of the oldest transaction of each of KINDS that has one; raise psycopg.Error."""
    found: dict[str, float] = {}
    for row in db.execute(_TRANSACTIONS).fetchall():
        session = Blocker(*row)
        found[session.kind] = max(found.get(session.kind, 0.0), session.seconds or 0.0)
    return found


# Log the sessions that made a statement of ours time out.

APART: Final = 10.0
"""Minimum seconds between two look-ups by a process."""
_LOOKS: Final = 10
_LOOK_SECONDS: Final = 0.2
_LIMITS: Final = "-c statement_timeout=2s -c lock_timeout=1s"
log = structlog.get_logger()


class LockWatch:
    """Log the sessions that block others, after a statement has timed out waiting for a lock; thread-safe.

    Each look-up takes a new connection and thread, since those of the process may all be waiting.
    """

    def __init__(self, database_url: str) -> None:
        self._address = plain_address(database_url)
        self._lock = Lock()
        self._again = 0.0

    def note(self, error: BaseException) -> None:
        """Start a look-up for a database error that may come from a lock."""
        if not isinstance(error, (LockNotAvailable, DeadlockDetected, QueryCanceled)):
            return
        with self._lock:
            if monotonic() < self._again:
                return
            self._again = monotonic() + APART
        Thread(target=self._tell, args=(error_class(error),), name="lock-watch", daemon=True).start()

    def _tell(self, error: str) -> None:
        named: dict[str, Any] = {**named_session(), "connect_timeout": 2}
        if "options=" not in self._address:
            named["options"] = _LIMITS
        try:
            # Through a pooler no statement may be prepared.
            with psycopg.connect(self._address, autocommit=True, prepare_threshold=None, **named) as db:
                found = blockers(db)
                for _ in range(_LOOKS):
                    if found:
                        break
                    # The session that waited has given up, and the next may not wait yet.
                    sleep(_LOOK_SECONDS)
                    found = blockers(db)
                for each in found or holders(db):
                    said = "keeps others waiting for a lock" if found else "may have kept others waiting for a lock"
                    log.warning(said, error=error, **each.fields())
        except psycopg.Error as refusal:
            log.warning("waited for a lock in vain, and cannot ask who has it", error=error_class(refusal))
