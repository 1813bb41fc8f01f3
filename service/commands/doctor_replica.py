"""Whether the replica that games are read from answers, is a replica, and is near the primary."""

from __future__ import annotations

from typing import Final, Literal

from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from service.shared.error_class import error_class
from service.store.engine import build_engine
from service.store.pooling import Pooler
from service.store.replica import is_near, written

_FOLLOWS = text("select pg_is_in_recovery()")
_MEANWHILE: Final = "meanwhile the primary does its work"


def look_at_replica(primary: str, replica: str, pooler: Pooler) -> tuple[Literal["ok", "warn"], str, str]:
    """Return how good the replica is, what was found, and what to do; raises SQLAlchemyError if the primary is away."""
    one, other = build_engine(primary, pooler=pooler), build_engine(replica, pooler=pooler)
    try:
        with one.connect() as db:
            position = written(db)
        try:
            with other.connect() as db:
                follows = bool(db.execute(_FOLLOWS).scalar_one())
                near = is_near(db, position)
        except SQLAlchemyError as error:
            todo = "Start it, and look at DATABASE_READ_URL."
            return "warn", f"does not answer ({error_class(error)}); {_MEANWHILE}", todo
    finally:
        one.dispose()
        other.dispose()
    if not near:
        return "warn", f"is far behind; {_MEANWHILE}", "Look at its log, and at the network between the two."
    if not follows:
        return "warn", "is no replica, but takes writes", "Have DATABASE_READ_URL lead to a standby, or unset it."
    return "ok", "answers, and has what the primary has", ""
