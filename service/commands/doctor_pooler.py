"""Checks whether DATABASE_POOLER says what stands before PostgreSQL, and whether sessions through it are limited."""

from __future__ import annotations

from typing import Final, Literal

import psycopg
from sqlalchemy.exc import SQLAlchemyError

from service.settings import Settings
from service.store.engine import build_engine
from service.store.pooling import Pooler, PoolerSigns, look, unlimited

Found = tuple[Literal["ok", "warn", "fail"], str, str]
"""The result, what was found, and what to do."""
_SET: Final = "Set DATABASE_POOLER=transaction, or transaction-prepared (PgBouncer with max_prepared_statements)."
_LIMITS: Final = "Carry deploy/pgbouncer/session.sql out, and have the pooler connect anew (RECONNECT in its console)."


def look_at_pooler(settings: Settings) -> Found | None:
    """Return what a pooler before PostgreSQL needs; None if there is none, or nothing answers at all."""
    try:
        seen = _seen(settings)
    except (SQLAlchemyError, psycopg.Error):
        # What answers nothing is the matter of another check.
        return None
    if not seen.pooled:
        said = f"DATABASE_POOLER is {settings.pooler}, and nothing stands before PostgreSQL"
        return None if settings.pooler is Pooler.NONE else ("warn", said, "Set DATABASE_POOLER=none, which is faster.")
    return _at_random(settings, seen) or _limits(settings, seen)


def _at_random(settings: Settings, seen: PoolerSigns) -> Found | None:
    """Return why requests fail at random, None if they do not."""
    if seen.shared and settings.pooler is Pooler.NONE:
        return "fail", "transactions share connections, and DATABASE_POOLER is none: requests fail at random", _SET
    if seen.prepared is False:
        todo = "Set max_prepared_statements (PgBouncer 1.21 or later), or DATABASE_POOLER=transaction."
        return "fail", "named prepared statements are not found again: requests fail at random", todo
    return None


def _limits(settings: Settings, seen: PoolerSigns) -> Found:
    """Return whether sessions through the pooler have their limits."""
    try:
        lacking = _lacking(settings)
    except SQLAlchemyError:
        return "fail", "it refuses the session settings that a process connects with", _SET
    if lacking:
        found = ", ".join(f"{name} is {value}" for name, value in sorted(lacking.items()))
        return "warn", f"sessions through it are not as they have to be: {found}", _LIMITS
    kind = "gives connections to transactions" if seen.shared else "keeps a connection for each session"
    return "ok", f"it {kind}, and their limits are set", ""


def _seen(settings: Settings) -> PoolerSigns:
    # One that hangs is not waited for.
    engine = build_engine(settings.database_url, hurried=True, pool_size=2, pooler=Pooler.PREPARED)
    try:
        return look(engine, prepared=settings.pooler is Pooler.PREPARED)
    finally:
        engine.dispose()


def _lacking(settings: Settings) -> dict[str, str]:
    engine = build_engine(settings.database_url, hurried=True, pool_size=1, pooler=settings.pooler)
    try:
        with engine.connect() as db:
            return unlimited(db)
    finally:
        engine.dispose()
