"""A player blocks another one, or ignores what that one says, and takes it back."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from sqlalchemy import Connection, text

from service.handlers.handles import find
from service.handlers.refusals import OwnAccount, TooMany, Unavailable
from service.handlers.tokens import hold
from service.handlers.transaction import transaction
from service.shared.refusal import NotFound
from service.store import blocks, ignored
from service.store.games import Games
from service.store.visibility import require_known

MOST: Final = 500
"""The most players whom one blocks, and the most whom one ignores."""

_ONE_PERSON = text("""
select count(distinct coalesce(owner, id)) = 1 from player where id in (:one, :other)
""")
# In this order, as the deletion of an account locks them.
_LOCK = text("select from player where id in (:one, :other) and deleted_at is null order by id for no key update")
# What one of the two has asked the other comes to nothing, without a word about why.
_UNASKED = (
    text("""
update challenge set answered_at = :now, state = case when sender = :one then 'withdrawn' else 'declined' end
 where state = 'open' and expires_at > :now and (sender, recipient) in ((:one, :other), (:other, :one))
"""),
    text("""
update invitation set revoked_at = :now
 where revoked_at is null and expires_at > :now and (inviter, player_id) in ((:one, :other), (:other, :one))
"""),
    text("""
update invitation i set revoked_at = :now from player p
 where i.revoked_at is null and i.expires_at > :now and p.email_confirmed and i.email = lower(p.email)
   and (i.inviter, p.id) in ((:one, :other), (:other, :one))
"""),
)


@dataclass(frozen=True, slots=True)
class BySeat:
    """The player in a seat of a game that one may see: also those can be found who have no handle."""

    game: UUID
    seat: int


Whom = str | BySeat
"""A handle, or a seat."""


def block(games: Games, player: UUID, whom: Whom, now: datetime) -> UUID:
    """Let a player block another one, once or again, and return the id of the block.

    What one of the two has asked the other is withdrawn or declined. Tables at which both sit go on. NotFound,
    UnknownGame, OwnAccount, TooMany.
    """
    with transaction(games.engine) as db:
        other = _found(db, games, player, whom)
        if len(db.execute(_LOCK, {"one": player, "other": other}).all()) < 2:
            raise Unavailable
        if blocks.count(db, player) >= MOST:
            raise TooMany(MOST)
        made = blocks.add(db, player, other, now)
        for statement in _UNASKED:
            db.execute(statement, {"one": player, "other": other, "now": now})
    games.notify_accounts(player, other)
    return made


def unblock(games: Games, player: UUID, block_id: UUID) -> None:
    """End a block of the player's; NotFound."""
    with transaction(games.engine) as db:
        if not blocks.remove(db, block_id, player):
            raise NotFound("entry")


def ignore(games: Games, player: UUID, whom: Whom, now: datetime) -> UUID:
    """Show a player nothing more that another one says at tables, once or again, and return the id of that.

    NotFound, UnknownGame, OwnAccount, TooMany.
    """
    with transaction(games.engine) as db:
        other = _found(db, games, player, whom)
        hold(db, player)
        if ignored.count(db, player) >= MOST:
            raise TooMany(MOST)
        return ignored.add(db, player, other, now)


def heed(games: Games, player: UUID, ignored_id: UUID) -> None:
    """Show a player again what one says whom the player has ignored; NotFound."""
    with transaction(games.engine) as db:
        if not ignored.remove(db, ignored_id, player):
            raise NotFound("entry")


def _found(db: Connection, games: Games, player: UUID, whom: Whom) -> UUID:
    """Return another person's account; NotFound, UnknownGame, OwnAccount for the player's own and that one's bots."""
    if isinstance(whom, BySeat):
        position = games.open(db, whom.game)
        require_known(db, position, player)
        seat = next((each for each in position.seats if each.seat == whom.seat), None)
        other = None if seat is None or seat.computer is not None else seat.player_id
    else:
        other = find(db, whom)
    if other is None:
        raise NotFound("seat" if isinstance(whom, BySeat) else "handle")
    if db.execute(_ONE_PERSON, {"one": player, "other": other}).scalar_one():
        raise OwnAccount
    return other
