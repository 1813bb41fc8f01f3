"""Sessions of the database that keep others waiting for a lock; their statements are not shown."""

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

# Another role's sessions show their number and application_name only, unless the role that asks is in pg_monitor. A
# worker of autovacuum has no role. Of a statement the first word alone is taken: the rest may hold hidden cards.
_SESSION: Final = r"""
   other.pid, coalesce(other.application_name, '') as application, other.usesysid is null as autovacuum, other.state,
   extract(epoch from clock_timestamp() - other.xact_start)::float8 as seconds,
   lower(substring(other.query from '^\s*([A-Za-z]+)')) as statement
"""
# The lock manager is asked about the sessions that wait, and about no others.
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
"""The sessions that others wait for, at most five; of a queue the first. `of` names one that waits, or null."""
# A lock that somebody has waited for in vain a moment ago may have nobody else who waits.
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
"""The sessions with a whole table locked, and those whose transaction is older than two seconds; at most five."""
_TRANSACTIONS: Final = f"""
select {_SESSION}, 0 as waiting, 0::float8 as waited, null as relation from pg_stat_activity other
 where other.datname = current_database() and other.pid <> pg_backend_pid() and other.xact_start is not null
"""  # noqa: S608 - constants
PARTS: Final = ("web", "relay", "worker", "courier", "inbox", "migrate", "audit")
"""The names of parts and commands that are told apart in metrics."""
KINDS: Final = (*PARTS, "boardroom", "autovacuum", "other")
"""What a blocker may be: one of these, another process of ours, autovacuum, or somebody else."""


@dataclass(frozen=True, slots=True)
class Blocker:
    """A session that keeps others waiting.

    `seconds` is the age of its transaction. With `state` and `statement` (the first word) it is None where our role may
    not know. `waiting` is how many wait for it, `waited` the longest wait in seconds, `relation` a table.
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
        """What the session is, as KINDS has it."""
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
        """Return what a line of a log shows."""
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
    """Return the sessions that keep others waiting now, or those that one session waits for; raises psycopg.Error."""
    return [Blocker(*row) for row in db.execute(BLOCKERS, {"of": of}).fetchall()]


def holders(db: psycopg.Connection[Any]) -> Sequence[Blocker]:
    """Return the sessions that may keep others waiting, though nobody waits for them now; raises psycopg.Error."""
    return [Blocker(*row) for row in db.execute(HOLDERS).fetchall()]


def driver_of(db: Connection) -> psycopg.Connection[Any]:
    """Return the driver's connection, of which the functions here ask."""
    return cast("psycopg.Connection[Any]", db.connection.driver_connection)


def oldest_transactions(db: psycopg.Connection[Any]) -> dict[str, float]:
    """Return the age in seconds of the oldest transaction of each of KINDS that has one; raises psycopg.Error."""
    found: dict[str, float] = {}
    for row in db.execute(_TRANSACTIONS).fetchall():
        session = Blocker(*row)
        found[session.kind] = max(found.get(session.kind, 0.0), session.seconds or 0.0)
    return found


# Names in the log the sessions that a process of ours has waited for in vain.

APART: Final = 10.0
"""Seconds between two times that a process asks."""
_LOOKS: Final = 10
_LOOK_SECONDS: Final = 0.2
_LIMITS: Final = "-c statement_timeout=2s -c lock_timeout=1s"
log = structlog.get_logger()


class LockWatch:
    """Asks PostgreSQL, when a statement has waited for a lock in vain, who keeps others waiting, and logs the answer.

    A connection and a thread of its own, for a moment: those of the process may all be waiting. Safe between threads.
    """

    def __init__(self, database_url: str) -> None:
        """Connects to nothing yet."""
        self._address = plain_address(database_url)
        self._lock = Lock()
        self._again = 0.0

    def note(self, error: BaseException) -> None:
        """Note an error of the database; those that may come from a lock have the question asked."""
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
                    # The one that waited has given up, and the next may only come.
                    sleep(_LOOK_SECONDS)
                    found = blockers(db)
                for each in found or holders(db):
                    said = "keeps others waiting for a lock" if found else "may have kept others waiting for a lock"
                    log.warning(said, error=error, **each.fields())
        except psycopg.Error as refusal:
            log.warning("waited for a lock in vain, and cannot ask who has it", error=error_class(refusal))
