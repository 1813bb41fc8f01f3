"""Secret addresses of players' calendars."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID, uuid4

from sqlalchemy import Connection, text

from service.handlers.capability import draw, stored
from service.handlers.tell_owner import tell_owner
from service.handlers.transaction import transaction
from service.store.games import Games

_RENEW = text("""
insert into calendar (player_id, hash, created_at) values (:player, :hash, :now)
on conflict (player_id) do update set hash = excluded.hash, created_at = excluded.created_at
""")
_END = text("delete from calendar where player_id = :player")
_FIND = text("select player_id from calendar where hash = :hash")


def renew(games: Games, player: UUID, now: datetime) -> str:
    """Replace the secret of the player's calendar address; return the new one, shown once."""
    secret = draw()
    with transaction(games.engine) as db:
        db.execute(_RENEW, {"player": player, "hash": stored(secret), "now": now})
        tell_owner(db, player, "calendar-renewed", uuid4())
    return secret


def end(games: Games, player: UUID) -> None:
    """End the player's calendar address, if any."""
    with transaction(games.engine) as db:
        db.execute(_END, {"player": player})


def owner(db: Connection, secret: str) -> UUID | None:
    """Return the player of a calendar secret (in any case), None if unknown."""
    digest = stored(secret)
    found: UUID | None = None if digest is None else db.execute(_FIND, {"hash": digest}).scalar()
    return found
