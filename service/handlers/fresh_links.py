"""Fresh links that replace links which are invalid or were seen by others; only by mail to the player's address."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from hashlib import sha256
from uuid import UUID

from sqlalchemy import Connection, text

from service.handlers import links
from service.handlers.links import Link
from service.handlers.refusals import NotSeated
from service.handlers.transaction import transaction
from service.log.ids import new_id
from service.store import notices, outbox
from service.store.games import Games, Position, require_known

_WAITING = text("""
select g.id from seat s join game g on g.id = s.game_id
 where s.player_id = :player and g.status = 'running' and s.seat = any(g.awaited) order by g.id
""")
PAUSE = timedelta(minutes=10)
"""The time in which an old link, and a seat, gets at most one fresh link."""


def ask(games: Games, token: str, now: datetime) -> None:
    """Queue a fresh link for the token's seat; the same work is done for a token that was never issued."""
    with transaction(games.engine) as db:
        outbox.add(db, notices.fresh_link(_digest(token), _window(now)))
    games.wake()


def answer(db: Connection, games: Games, digest: bytes, now: datetime) -> bool:
    """Queue a mail with a fresh link for the link that has this digest; return whether there was a mail to queue.

    There is one if the player still has the seat, has an address, and is to act.
    """
    link = links.resolve_stored(db, digest)
    if link is None:
        return False
    position = games.open(db, link.game_id)
    return holds(position, link) and _write(db, position, link.seat, f"asked:{_window(now)}")


def replace(games: Games, game: UUID, player: UUID, now: datetime) -> None:
    """Take all links of a player to a game out of use, since others have seen them; a mail brings a new one.

    There is a mail if one of them was in use, so that each link brings one only; UnknownGame, NotSeated.
    """
    with transaction(games.engine) as db:
        were_any = links.revoke(db, player, "seen", now, game)
        position = games.open(db, game)
        require_known(db, position, player)
        seat = position.seat_of(player)
        if seat is None:
            raise NotSeated
        if were_any:
            _write(db, position, seat, f"seen:{new_id()}")
    games.wake()


def replace_all(games: Games, player: UUID, now: datetime) -> None:
    """Take all links of a player out of use; a mail brings a new one for each decision that waits for the player."""
    with transaction(games.engine) as db:
        if links.revoke(db, player, "seen", now):
            waiting: Sequence[UUID] = db.execute(_WAITING, {"player": player}).scalars().all()
            for game in waiting:
                position = games.open(db, game)
                seat = position.seat_of(player)
                if seat is not None:
                    _write(db, position, seat, f"seen:{new_id()}")
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
