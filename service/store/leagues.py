"""Leagues: what their seasons are played as."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from sqlalchemy import Connection, insert, text

from service.rules.pace import Pace
from service.store.tables import league as table

FORM: Final = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
"""What a slug looks like."""
COLUMNS: Final = (
    "l.id, l.slug, l.title, l.ruleset, l.options, l.pace, l.rounds, l.entry_days, l.created_at, l.closed_at"
)
_BY_SLUG = text(f"select {COLUMNS} from league l where l.slug = :slug")  # noqa: S608 - a constant
_READ = text(f"select {COLUMNS} from league l where l.id = :id")  # noqa: S608 - a constant
_LOCK = text(f"select {COLUMNS} from league l where l.id = :id for no key update")  # noqa: S608 - a constant
_CLOSE = text("update league set closed_at = :now where id = :id and closed_at is null")


@dataclass(frozen=True, slots=True)
class League:
    """A league; `slug` is what its address ends with, `rounds` and `entry_days` are those of each season."""

    id: UUID
    slug: str
    title: str
    ruleset: str
    options: Mapping[str, Any]
    pace: Pace
    rounds: int
    entry_days: int
    created_at: datetime
    closed_at: datetime | None = None


def add(db: Connection, new: League) -> None:
    """Write a new league; IntegrityError if its slug is taken."""
    values = {name: getattr(new, name) for name in League.__slots__}
    db.execute(insert(table).values(**values | {"options": dict(new.options), "pace": asdict(new.pace)}))


def by_slug(db: Connection, slug: str) -> League | None:
    """Return the league with a slug; None if there is none."""
    if not FORM.fullmatch(slug):
        return None
    return _found(db.execute(_BY_SLUG, {"slug": slug}).one_or_none())


def read(db: Connection, league: UUID) -> League:
    """Return a league that there is."""
    return of_row(db.execute(_READ, {"id": league}).one())


def lock(db: Connection, league: UUID) -> League:
    """Return a league, which nobody else closes or opens a season of before the transaction ends."""
    return of_row(db.execute(_LOCK, {"id": league}).one())


def close(db: Connection, league: UUID, now: datetime) -> bool:
    """Close a league; False if that was done already."""
    return db.execute(_CLOSE, {"id": league, "now": now}).rowcount > 0


def of_row(row: Any) -> League:
    """Return the league of a row with COLUMNS first."""
    values = dict(zip(League.__slots__, row, strict=False))
    return League(**values | {"pace": Pace(**values["pace"])})


def _found(row: Any) -> League | None:
    return None if row is None else of_row(row)
