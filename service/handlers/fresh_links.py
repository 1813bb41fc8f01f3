"""Fresh links in the place of dead ones, and of those that others have seen: by mail only, to the player's address."""

from __future__ import annotations

from datetime import datetime, timedelta
from hashlib import sha256

from sqlalchemy import Connection

from service.handlers import links
from service.handlers.links import Link
from service.handlers.transaction import transaction
from service.store import notices, outbox
from service.store.games import Games, Position

PAUSE = timedelta(minutes=10)
"""In each such stretch of time a link, and a seat, brings one fresh link."""


def ask(games: Games, token: str, now: datetime) -> None:
    """Ask for a fresh link in the place of the token's: the same work whether anybody ever got that or not."""
    with transaction(games.engine) as db:
        outbox.add(db, notices.fresh_link(_digest(token), _window(now)))
    games.wake()


def answer(db: Connection, games: Games, digest: bytes, now: datetime) -> bool:
    """Have a mail written to the player of the link that is stored so; return whether there was anything to write.

    There is if the player still sits there, has an address, and is to act.
    """
    link = links.resolve_stored(db, digest)
    if link is None:
        return False
    position = games.open(db, link.game_id)
    return holds(position, link) and _write(db, position, link.seat, f"asked:{_window(now)}")


def replace(games: Games, token: str, link: Link, now: datetime) -> None:
    """Take all links of the link's player to its game out of use, since others have seen them; a mail brings a new one.

    `link` is what the token stands for; it brings one mail only, however often this is done.
    """
    with transaction(games.engine) as db:
        links.revoke(db, link.player_id, "seen", now, link.game_id)
        position = games.open(db, link.game_id)
        if holds(position, link):
            _write(db, position, link.seat, f"seen:{_digest(token)}")
    games.wake()


def holds(position: Position, link: Link) -> bool:
    """Return whether the link's player still has its seat."""
    return position.seat_of(link.player_id) == link.seat


def _write(db: Connection, position: Position, seat: int, why: str) -> bool:
    if seat not in position.awaited or position.seats[seat].email is None:
        return False
    notice = notices.turn_mail_again(position.game.id, position.decision, seat, why, asked=True)
    outbox.post(db, position.game.id, [notice])
    return True


def _digest(token: str) -> str:
    return sha256(token.lower().encode()).hexdigest()


def _window(now: datetime) -> int:
    return int(now.timestamp() // PAUSE.total_seconds())
