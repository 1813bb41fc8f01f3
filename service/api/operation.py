"""Limits of the service, health checks and metrics."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict

import psycopg
from flask import Blueprint, Response
from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from schemas.operation import LimitsListed
from service.api.auth import guard, runtime
from service.api.contract import Answers, Resource
from service.handlers.refusals import Unavailable
from service.http.limit_table import WAITING_LIMITS
from service.http.limits import limits
from service.http.problems import problem
from service.http.responses import as_json
from service.shared import clock
from service.shared import metrics as counted
from service.shared.metrics import Reading
from service.store.heartbeats import ages, clocks
from service.store.lock_waits import KINDS, blockers, driver_of, oldest_transactions
from service.store.revision import NEWEST, read_schema
from service.views.operation import Audits, DatabaseGauges, Gauges, audits, gauges, server_gauges

# What the service says of itself.

about = Resource("about", __name__, description="The service itself.")
guard(about)


@about.operation("/limits", Answers(schema=LimitsListed), public=True)
def list_limits() -> Response:
    """List the limits: how many requests of which kind are answered in how many seconds, or may wait at one time.

    The same list tells how many mails to others one may cause in a day.
    """
    processes = limits().processes
    rooms = [
        {"covers": covers, "most": most, "processes": processes, "per": per} for covers, most, per in WAITING_LIMITS
    ]
    items = [asdict(limit) for limit in (*limits().table.values(), *limits().mails)]
    return as_json({"items": items, "open": rooms})


# Health: whether the process lives, whether it can work, and its metrics; no part of the API.

health = Blueprint("health", __name__)

_UNSEEN = {"Cache-Control": "no-store"}


@health.get("/livez")
def livez() -> Response:
    """Answer, and touch nothing else."""
    return as_json({"status": "alive"}, headers=_UNSEEN)


@health.get("/readyz")
def readyz() -> Response:
    """Ask the database whether it is there and at a revision that this code can work with.

    A process whose machine keeps no time goes by the database's clock and is ready all the same; it says so.
    """
    try:
        with runtime().engine.connect() as db:
            there = read_schema(db)
    except SQLAlchemyError as error:
        refusal = Unavailable("database")
        refusal.__cause__ = error
        return problem(refusal)
    if not there.fits:
        return problem(Unavailable("revision", revision=there.revision, wanted=NEWEST))
    ahead = {"clock_ahead_seconds": round(clock.ahead(), 1)} if clock.is_off() else {}
    return as_json({"status": "ready", "revision": there.revision, **ahead}, headers=_UNSEEN)


@health.get("/metrics")
def metrics() -> Response:
    """Show, as Prometheus reads it, what the processes have counted, and what the database tells if it answers."""
    readings = list[Reading]()
    try:
        with runtime().engine.connect() as db:
            # First, and of no table of ours: one that is locked would leave it all untold.
            readings += _of_locks(db)
            readings += [
                *_of_outbox(gauges(db)),
                *_of_audits(audits(db)),
                Reading("boardroom_beat_age_seconds", "Time since a part was last heard of", ["part"], _each(ages(db))),
                Reading(
                    "boardroom_clock_off_seconds",
                    "Time by which the clock of a part's machine differs from the database's",
                    ["part"],
                    _each({each.part: abs(each.ahead) for each in clocks(db)}),
                ),
                *_of_server(server_gauges(db)),
            ]
            answered = True
    except (SQLAlchemyError, psycopg.Error):
        # Most of all then it matters what the processes have counted.
        answered = False
    answers = Reading("boardroom_database_answers", "1 if the database answers", [], _one(answered))
    return Response(counted.exposition([*readings, answers]), headers=_UNSEEN, content_type=counted.CONTENT_TYPE)


def _of_locks(db: Connection) -> list[Reading]:
    waiting = dict.fromkeys(KINDS, 0.0)
    for blocker in blockers(driver_of(db)):
        waiting[blocker.kind] += blocker.waiting
    ages = _each(dict.fromkeys(KINDS, 0.0) | oldest_transactions(driver_of(db)))
    return [
        Reading("boardroom_lock_waits", "Sessions that wait for a lock, by who has it", ["blocker"], _each(waiting)),
        Reading("boardroom_oldest_transaction_seconds", "Age of the oldest transaction, by whose", ["session"], ages),
    ]


def _of_outbox(found: Gauges) -> list[Reading]:
    counts: dict[tuple[str, ...], float] = {stood: float(count) for stood, count in found.counts.items()}
    late = _each(found.overdue)
    readings = [
        Reading("boardroom_effects", "Effects by how they stand", ["kind", "stands"], counts),
        Reading("boardroom_effects_overdue_seconds", "Time for which the oldest effect has been due", ["kind"], late),
    ]
    if found.canary is not None:
        readings.append(Reading("boardroom_canary_age_seconds", "Age of the last daily mail", [], _one(found.canary)))
    return readings


def _of_audits(found: Audits) -> list[Reading]:
    return [
        Reading("boardroom_audited_games", "Games by what their audit came to", ["came_to"], _each(found.games)),
        Reading("boardroom_audit_night_seconds", "When the last whole night was over", [], _one(found.night)),
    ]


def _of_server(found: DatabaseGauges) -> list[Reading]:
    seconds, waiting = _each(found.seconds), _each(found.bytes)
    return [
        Reading("boardroom_database_bytes", "Size of the database", [], _one(found.size)),
        Reading("boardroom_standbys", "Standbys that are connected to the database", [], _one(found.standbys)),
        Reading("boardroom_replication_lag_seconds", "Time by which a standby is behind", ["standby"], seconds),
        Reading("boardroom_replication_lag_bytes", "Log that a standby has still to replay", ["standby"], waiting),
    ]


def _each(values: Mapping[str, float]) -> dict[tuple[str, ...], float]:
    return {(label,): value for label, value in values.items()}


def _one(value: float) -> dict[tuple[str, ...], float]:
    return {(): float(value)}
