"""A player blocks another one, or ignores what that one says, and takes it back."""

from __future__ import annotations

from datetime import datetime
from typing import Final
from uuid import UUID

from sqlalchemy import text

from service.handlers.refusals import TooMany
from service.handlers.tokens import hold
from service.handlers.transaction import transaction
from service.handlers.whom import Whom, found, lock_both
from service.shared.refusal import NotFound
from service.store import people
from service.store.games import Games

MOST: Final = 500
"""The most players whom one blocks, and the most whom one ignores."""

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
    text("""
delete from entrant e using competition c where c.id = e.competition_id and e.state = 'invited'
   and (c.host, e.player_id) in ((:one, :other), (:other, :one))
"""),
)


def block(games: Games, player: UUID, whom: Whom, now: datetime) -> UUID:
    """Let a player block another one, once or again, and return the id of the block.

    They are no friends any more; what one of the two has asked the other is withdrawn or declined. Tables at which both
    sit go on. NotFound, UnknownGame, OwnAccount, TooMany.
    """
    with transaction(games.engine) as db:
        other = found(db, games, player, whom)
        lock_both(db, player, other)
        if people.count_blocks(db, player) >= MOST:
            raise TooMany(MOST)
        made = people.add_block(db, player, other, now)
        for statement in _UNASKED:
            db.execute(statement, {"one": player, "other": other, "now": now})
        between = people.friendship_of_pair(db, player, other)
        if between is not None:
            people.end_friendship(db, between, player, now)
    games.notify_accounts(player, other)
    return made


def unblock(games: Games, player: UUID, block_id: UUID) -> None:
    """End a block of the player's; NotFound."""
    with transaction(games.engine) as db:
        if not people.remove_block(db, block_id, player):
            raise NotFound("entry")


def ignore(games: Games, player: UUID, whom: Whom, now: datetime) -> UUID:
    """Show a player nothing more that another one says at tables, once or again, and return the id of that.

    NotFound, UnknownGame, OwnAccount, TooMany.
    """
    with transaction(games.engine) as db:
        other = found(db, games, player, whom)
        hold(db, player)
        if people.count_ignored(db, player) >= MOST:
            raise TooMany(MOST)
        return people.add_ignored(db, player, other, now)


def heed(games: Games, player: UUID, ignored_id: UUID) -> None:
    """Show a player again what one says whom the player has ignored; NotFound."""
    with transaction(games.engine) as db:
        if not people.remove_ignored(db, ignored_id, player):
            raise NotFound("entry")
