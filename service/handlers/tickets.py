"""Tickets for streams: a client that cannot send a token opens a stream with one, once; it is good for nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import Connection, insert, text

from service.handlers.capability import draw, stored
from service.handlers.refusals import UnknownTicket
from service.handlers.transaction import transaction
from service.store.games import Games
from service.store.tables import account_ticket, stream_ticket

LIFETIME = timedelta(seconds=60)
_OWNER = """
from used join token t on t.id = used.token_id join player p on p.id = t.player_id
where p.blocked is null and t.revoked_at is null and (t.expires_at is null or t.expires_at > :now)
"""
_USE = text(f"""
with used as (delete from stream_ticket where hash = :hash and expires_at > :now returning token_id, game_id)
select used.game_id, p.id, t.id, p.language {_OWNER}
""")  # noqa: S608 - a constant
_USE_OF_ACCOUNT = text(f"""
with used as (delete from account_ticket where hash = :hash and expires_at > :now returning token_id)
select p.id, t.id {_OWNER}
""")  # noqa: S608 - a constant


@dataclass(frozen=True, slots=True)
class Ticket:
    """A used ticket: its game, its player with the player's language, and the token that it was issued for."""

    game: UUID
    player: UUID
    token: UUID
    language: str


def issue(db: Connection, game: UUID, token: UUID, now: datetime) -> str:
    """Return a new ticket of the token's for a stream of the game; stored as its SHA-256 only."""
    secret = draw()
    values = {"hash": stored(secret), "token_id": token, "game_id": game, "expires_at": now + LIFETIME}
    db.execute(insert(stream_ticket).values(**values))
    return secret


def issue_for_account(db: Connection, token: UUID, now: datetime) -> str:
    """Return a new ticket of the token's for a stream of its account; stored as its SHA-256 only."""
    secret = draw()
    values = {"hash": stored(secret), "token_id": token, "expires_at": now + LIFETIME}
    db.execute(insert(account_ticket).values(**values))
    return secret


def use_for_account(games: Games, secret: str, now: datetime) -> tuple[UUID, UUID]:
    """Use a ticket up and return its player and its token; UnknownTicket, also if its token is no longer valid."""
    with transaction(games.engine) as db:
        row: Any = db.execute(_USE_OF_ACCOUNT, {"hash": stored(secret), "now": now}).one_or_none()
    if row is None:
        raise UnknownTicket
    return tuple(row)


def use(games: Games, secret: str, now: datetime) -> Ticket:
    """Use a ticket up and return it; UnknownTicket, also if its token is no longer valid."""
    with transaction(games.engine) as db:
        row: Any = db.execute(_USE, {"hash": stored(secret), "now": now}).one_or_none()
    if row is None:
        raise UnknownTicket
    return Ticket(*row)
