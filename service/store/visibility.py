"""Who may know that a game exists."""

from __future__ import annotations

from uuid import UUID

from sqlalchemy import Connection, text

from service.store.blocks import is_apart
from service.store.game_row import UnknownGame
from service.store.position import Position

_INVITED = text(
    "select true from invitation where game_id = :game and player_id = :player"
    " and revoked_at is null and expires_at > clock_timestamp()"
)


def require_known(db: Connection, position: Position, player: UUID) -> None:
    """Refuse as if there were no such game, unless the player may know of it; UnknownGame.

    Known are the games that one sits in, public ones while they are open or if they allow spectators, and open ones
    that one was invited to; open ones only while nobody sits there whom one blocks, or is blocked by.
    """
    if position.seat_of(player) is not None:
        return
    if not is_public(position) and not _is_invited(db, position, player):
        raise UnknownGame(position.game.id)
    if position.game.status == "open" and is_apart(db, player, [seat.player_id for seat in position.seats]):
        raise UnknownGame(position.game.id)


def is_public(position: Position) -> bool:
    """Return whether anybody may look at the game who has its address, nothing hidden being shown."""
    status, terms = position.game.status, position.game.terms
    return terms.access == "public" and (status == "open" or (terms.spectators and status != "cancelled"))


def _is_invited(db: Connection, position: Position, player: UUID) -> bool:
    if position.game.status != "open":
        return False
    return db.execute(_INVITED, {"game": position.game.id, "player": player}).first() is not None
