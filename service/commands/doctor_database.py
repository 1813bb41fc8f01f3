"""Whether the database answers, fits this code and has connections enough; whether the parts run and do their work."""

from __future__ import annotations

import socket
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import psycopg
from psycopg.errors import ConnectionTimeout, LockNotAvailable, QueryCanceled
from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from service.commands.examination import Examination
from service.settings import Settings
from service.shared import clock
from service.shared.error_class import error_class
from service.store.engine import build_engine
from service.store.heartbeats import SILENT, MachineClock, ages, clocks
from service.store.lock_waits import blockers, driver_of, holders
from service.store.migrations import schema_of
from service.store.revision import NEWEST, Schema
from service.views import connections
from service.views.connections import Demand
from service.views.gauges import gauges

CANARY: Final = 26
"""Hours within which the next daily mail to OPERATOR_EMAIL has to have left."""

LONG_TRANSACTION: Final = 60
"""Seconds: no transaction of the service takes as long."""
_END_SESSION: Final = "Let it end, or end it as a superuser: `select pg_terminate_backend({pid})`."


def look_at_database(settings: Settings) -> Iterator[Examination]:
    """Yield what is found of the database, and of what its tables say of the parts and their work."""
    engine = build_engine(settings.database_url, pooler=settings.pooler)
    try:
        # First, and of no table of ours: one that is locked would leave it untold.
        with engine.connect() as db:
            yield _locks(driver_of(db))
        yield from _of_database(engine, settings)
    except SQLAlchemyError as error:
        yield _no_answer(error)
    finally:
        engine.dispose()


def _no_answer(error: SQLAlchemyError) -> Examination:
    original = getattr(error, "orig", None)
    if isinstance(original, (LockNotAvailable, QueryCanceled)):
        said = f"answers, but not about its tables: {error_class(error)}"
        return Examination("database", "fail", said, "Look at `locks` above, and at what else its server does.")
    if isinstance(original, ConnectionTimeout):
        said = "accepts connections and says nothing: it hangs"
        return Examination("database", "fail", said, "Look at its machine: its load, its disks, its log.")
    return Examination(
        "database", "fail", f"does not answer: {error_class(error)}", "Start it, and look at DATABASE_URL."
    )


def _locks(db: psycopg.Connection[Any]) -> Examination:
    """Name the sessions that keep others waiting, or might as soon as somebody plays."""
    found = blockers(db)
    if found:
        waiting = sum(each.waiting for each in found)
        said = f"{waiting} sessions of the database wait for {'; '.join(map(str, found))}"
        return Examination("locks", "fail", said, _END_SESSION.format(pid=found[0].pid))
    kept = [each for each in holders(db) if each.relation is not None or (each.seconds or 0) > LONG_TRANSACTION]
    if kept:
        said = f"a table is locked or a transaction open for long: {'; '.join(map(str, kept))}"
        return Examination("locks", "warn", said, _END_SESSION.format(pid=kept[0].pid))
    return Examination("locks", "ok", "nobody waits for a lock of the database")


def _of_database(engine: Engine, settings: Settings) -> Iterator[Examination]:
    with engine.connect() as db:
        there = schema_of(db)
        yield _revision(there)
        if not there.fits:
            return
        yield _clocks(clocks(db))
        found, beats = gauges(db), ages(db)
        yield _connections(connections.running(db, settings), connections.planned(db, settings))
    yield _parts(beats)
    if late := found.late():
        todo = "Look whether relay and worker run, and at their logs."
        said = f"overdue for {max(late.values()) / 60:.0f} min: {', '.join(late)}"
        yield Examination("outbox", "fail", said, todo)
    else:
        yield Examination("outbox", "ok", "nothing is overdue")
    if found.canary is not None:
        yield _canary(found.canary / 3600)
    failed = sum(count for (_, stands), count in found.counts.items() if stands == "failed")
    if failed:
        todo = "`boardroom admin outbox list` says which and why."
        yield Examination("failures", "warn", f"{failed} given up", todo)


def _revision(there: Schema) -> Examination:
    said = f"is at revision {there.revision or 'none'}, and this code needs {NEWEST}"
    if not there.fits:
        todo = "Install the newer version that has used it." if there.newer else "Run `boardroom migrate`."
        return Examination("database", "fail", said, todo)
    if there.newer:
        said = f"is at revision {there.revision} of a newer version, with which this code can work"
        return Examination("database", "warn", said, "Install the newer version, unless you have gone back from it.")
    if there.revision != NEWEST:
        said = f"is at revision {there.revision}, and this code brings {NEWEST}; it can work with both"
        return Examination("database", "warn", said, "Run `boardroom migrate`.")
    return Examination("database", "ok", f"answers, at revision {there.revision}")


def _clocks(machines: Sequence[MachineClock]) -> Examination:
    """Tell of this machine's clock, and of those of the parts that run, against the database's."""
    here = MachineClock("this machine", socket.gethostname(), clock.ahead())
    off = [each for each in (here, *machines) if abs(each.ahead) > clock.MOST_OFF_S]
    if not off:
        return Examination("clock", "ok", "this machine and all parts agree with the database")
    said = ", ".join(
        f"{each.part} on {each.host} is {abs(each.ahead):.0f} s {'ahead' if each.ahead > 0 else 'behind'}"
        for each in off
    )
    todo = "Have these machines and that of the database keep time by NTP; until then all go by the database's clock."
    return Examination("clock", "fail", f"against the database {said}", todo)


def _connections(now: Demand, later: Demand) -> Examination:
    if not now.fits:
        return Examination("connections", "fail", f"{now}: some requests are answered 503", now.todo)
    if not later.fits:
        return Examination("connections", "warn", f"with one process of each part: {later}", later.todo)
    return Examination("connections", "ok", str(max(now, later, key=lambda each: each.connections)))


def _parts(beats: Mapping[str, float]) -> Examination:
    silent = {part: seconds for part, seconds in beats.items() if seconds > SILENT}
    if silent:
        said = ", ".join(f"{part} for {seconds / 60:.0f} min" for part, seconds in silent.items())
        return Examination("parts", "fail", f"nothing is heard of {said}", "Look whether it runs, and at its log.")
    if not beats:
        return Examination(
            "parts", "warn", "nothing runs on this database", "Start it: `make up`, or each part by itself."
        )
    heard = ", ".join(f"{part} {seconds:.0f} s ago" for part, seconds in beats.items())
    return Examination("parts", "ok", f"heard of {heard}")


def _canary(hours: float) -> Examination:
    said = f"the last mail to OPERATOR_EMAIL left {hours:.0f} h ago"
    if hours <= CANARY:
        return Examination("canary", "ok", said)
    return Examination("canary", "fail", said, "Look whether relay and worker run, and at their logs.")
