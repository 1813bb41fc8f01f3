"""Beside the API: whether the process lives, and whether it can work."""

from __future__ import annotations

from alembic.script import ScriptDirectory
from flask import Blueprint, Response
from sqlalchemy import Connection, text
from sqlalchemy.exc import SQLAlchemyError

from service.api.answers import as_json
from service.api.auth import runtime
from service.api.problems import problem
from service.store.migrations import configuration

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
            there, wanted = db.execute(_REVISION).scalar(), _head(db)
    except SQLAlchemyError:
        return problem("unavailable", "The database does not answer.")
    if there != wanted:
        detail = "The database is not at the revision of this code."
        return problem("unavailable", detail, revision=there, wanted=wanted)
    return as_json({"status": "ready", "revision": there}, headers=_UNSEEN)


def _head(db: Connection) -> str | None:
    return ScriptDirectory.from_config(configuration(db)).get_current_head()
