"""Another person, named by the handle or by a seat of a common table."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import Connection, text

from service.handlers.handles import find
from service.handlers.refusals import OwnAccount, Unavailable
from service.shared.refusal import NotFound
from service.store.games import Games, require_known

# No row for a player who has gone.
_ONE_PERSON = text("""
select coalesce(own.owner, own.id) = coalesce(other.owner, other.id) from player own cross join player other
 where own.id = :one and other.id = :other and other.deleted_at is null
""")
# In this order, as the deletion of an account locks them.
_LOCK = text("select from player where id in (:one, :other) and deleted_at is null order by id for no key update")


@dataclass(frozen=True, slots=True)
class BySeat:
    """The player in a seat of a game that one may see: also those can be found who have no handle."""

    game: UUID
    seat: int


Whom = str | BySeat
"""A handle, or a seat."""


def found(db: Connection, games: Games, player: UUID, whom: Whom) -> UUID:
    """Return another person's account; NotFound, UnknownGame, OwnAccount for the player's own and that one's bots."""
    if isinstance(whom, BySeat):
        position = games.open(db, whom.game)
        require_known(db, position, player)
        seat = next((each for each in position.seats if each.seat == whom.seat), None)
        other = None if seat is None or seat.computer is not None else seat.player_id
    else:
        other = find(db, whom)
    own = None if other is None else db.execute(_ONE_PERSON, {"one": player, "other": other}).scalar_one_or_none()
    if other is None or own is None:
        raise NotFound("seat" if isinstance(whom, BySeat) else "handle")
    if own:
        raise OwnAccount
    return other


def lock_both(db: Connection, player: UUID, other: UUID) -> None:
    """Let nobody else change what is between two accounts before the transaction ends; Unavailable if one has gone."""
    if len(db.execute(_LOCK, {"one": player, "other": other}).all()) < 2:
        raise Unavailable
