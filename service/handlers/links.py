"""Links that let their holder answer one decision of one seat."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy import Connection, insert, select

from service.handlers.capability import draw, stored
from service.store.post_tables import action_link

LIFETIME = timedelta(days=90)


@dataclass(frozen=True, slots=True)
class Link:
    """What a link is good for, and until when."""

    game_id: UUID
    seat: int
    decision: int
    expires_at: datetime


_RESOLVE = select(action_link.c.game_id, action_link.c.seat, action_link.c.decision, action_link.c.expires_at)


def issue(db: Connection, game_id: UUID, seat: int, decision: int, now: datetime) -> str:
    """Return a new token for the decision; stored as its SHA-256 only."""
    text = draw()
    values = {"game_id": game_id, "seat": seat, "decision": decision, "created_at": now, "expires_at": now + LIFETIME}
    db.execute(insert(action_link).values(hash=stored(text), **values))
    return text


def resolve(db: Connection, token: str) -> Link | None:
    """Return what the token is good for, expired or not, or None if nobody issued it; upper case is forgiven."""
    digest = stored(token)
    if digest is None:
        return None
    row = db.execute(_RESOLVE.where(action_link.c.hash == digest)).one_or_none()
    return None if row is None else Link(row.game_id, row.seat, row.decision, row.expires_at)
