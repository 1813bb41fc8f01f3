"""Hourly jobs, independent of events in games."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import structlog
from sqlalchemy import Engine

from service.runtime import Runtime
from service.store import competition, game_lengths, notices, outbox
from service.store.heartbeats import JOB
from service.store.pruning import prune
from service.views.operation import gauges, planned_connections
from workers.competition import commit_ahead, settle_deals
from workers.effects import of_urgency
from workers.proof import Archiving, begin_night, close_days

EVERY = timedelta(hours=1)
log = structlog.get_logger()


class Upkeep:
    """Runner of the hourly jobs: prune, close days and begin them; any number may run at once."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._due: datetime | None = None
        self._archiving = Archiving(runtime)
        self._left = False

    def go_on(self, now: datetime) -> bool:
        """Do a part of the due jobs; return whether there may be more."""
        if self._due is not None and now < self._due:
            return False
        self._runtime.heart.beat(JOB)
        # Set first: a failed job is retried an hour later, not at once.
        self._due = now + EVERY
        engine = self._runtime.engine
        if not self._left:
            close_days(engine, now)
            commit_ahead(self._runtime, now)
            begin_night(engine, now)
            begin_day(self._runtime, now)
            count_games(engine)
            measure_lengths(engine, now)
            look_for_late_mails(self._runtime)
            look_at_connections(self._runtime)
        self._left = any([prune(engine, now), self._archiving.go_on(now), settle_deals(self._runtime, now)])
        if self._left:
            self._due = now
        return self._left


def begin_day(runtime: Runtime, now: datetime) -> None:
    """Post the daily mail to the operator, if OPERATOR_EMAIL is set."""
    if runtime.settings.operator_email is not None and runtime.mailer is not None:
        with runtime.engine.begin() as db:
            outbox.add(db, notices.canary(now.astimezone(UTC).date()))


def count_games(engine: Engine) -> None:
    """Count games of competitions that ended in a process of the last release, which posts no notice."""
    with engine.begin() as db:
        for game in competition.uncounted_pairings(db):
            outbox.post(db, game, [notices.counted(game)])


def measure_lengths(engine: Engine, now: datetime) -> None:
    """Measure the lengths of games again, for the pages that show them."""
    with engine.begin() as db:
        game_lengths.measure(db, now)


def look_for_late_mails(runtime: Runtime) -> None:
    """Log an error if mails are overdue."""
    with runtime.engine.connect() as db:
        late = gauges(db).late(of_urgency("awaited", "mail"))
    if late:
        log.error("mails do not leave", minutes=round(max(late.values()) / 60), kinds=sorted(late))


def look_at_connections(runtime: Runtime) -> None:
    """Log a warning if all processes together may open more database connections than the server allows."""
    with runtime.engine.connect() as db:
        demand = planned_connections(db, runtime.settings)
    if not demand.fits:
        more = {"processes": demand.processes, "pool": demand.pool, "allowed": demand.allowed}
        log.warning("database connections do not fit", needed=demand.connections, **more, todo=demand.todo)
