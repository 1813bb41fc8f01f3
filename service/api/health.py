"""Health: whether the process lives, whether it can work, and how the outbox stands; no part of the API."""

from __future__ import annotations

from flask import Blueprint, Response
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from service.api.auth import runtime
from service.handlers.refusals import Unavailable
from service.http.problems import problem
from service.http.responses import as_json
from service.store.heartbeats import ages
from service.store.revision import NEWEST
from service.views.gauges import audits, gauges

health = Blueprint("health", __name__)

_REVISION = text("select version_num from alembic_version")
_UNSEEN = {"Cache-Control": "no-store"}


@health.get("/livez")
def livez() -> Response:
    """Answer, and touch nothing else."""
    return as_json({"status": "alive"}, headers=_UNSEEN)


@health.get("/readyz")
def readyz() -> Response:
    """Ask the database whether it is there and at the revision that this code was written for."""
    try:
        with runtime().engine.connect() as db:
            there = db.execute(_REVISION).scalar()
    except SQLAlchemyError:
        return problem(Unavailable("database"))
    if there != NEWEST:
        return problem(Unavailable("revision", revision=there, wanted=NEWEST))
    return as_json({"status": "ready", "revision": there}, headers=_UNSEEN)


@health.get("/metrics")
def metrics() -> Response:
    """Show, as Prometheus reads it, how the outbox stands, what audits found, and when each part was last heard of."""
    try:
        with runtime().engine.connect() as db:
            found, audited, beats = gauges(db), audits(db), ages(db)
    except SQLAlchemyError:
        return problem(Unavailable("database"))
    lines = ["# TYPE boardroom_effects gauge"]
    lines += [f'boardroom_effects{{kind="{kind}",stands="{stands}"}} {n}' for (kind, stands), n in found.counts.items()]
    lines += ["# TYPE boardroom_effects_overdue_seconds gauge"]
    lines += [
        f'boardroom_effects_overdue_seconds{{kind="{kind}"}} {seconds:.3f}' for kind, seconds in found.overdue.items()
    ]
    if found.canary is not None:
        lines += ["# TYPE boardroom_canary_age_seconds gauge", f"boardroom_canary_age_seconds {found.canary:.3f}"]
    lines += ["# TYPE boardroom_beat_age_seconds gauge"]
    lines += [f'boardroom_beat_age_seconds{{part="{part}"}} {seconds:.3f}' for part, seconds in beats.items()]
    lines += ["# TYPE boardroom_audited_games gauge"]
    lines += [f'boardroom_audited_games{{came_to="{came_to}"}} {number}' for came_to, number in audited.games.items()]
    lines += ["# TYPE boardroom_audit_night_seconds gauge", f"boardroom_audit_night_seconds {audited.night:.3f}"]
    return Response("\n".join([*lines, ""]), headers=_UNSEEN, content_type="text/plain; version=0.0.4; charset=utf-8")
