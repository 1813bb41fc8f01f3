"""Friends: asked, accepted, declined, and friends no longer."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from sqlalchemy import Connection, text

from service.handlers.capability import stored
from service.handlers.gate import FRIEND_REQUEST, reach
from service.handlers.refusals import NoFriend, TooMany
from service.handlers.transaction import transaction
from service.handlers.whom import Whom, found, lock_both
from service.log.ids import new_id
from service.shared.refusal import NotFound
from service.store import notices, outbox
from service.store.games import Games
from service.store.people import (
    Friendship,
    accept_friendship,
    count_friendships,
    either_blocks,
    end_friendship,
    friendship_behind_link,
    friendship_of_pair,
    open_friendships_of,
    read_friendship,
    request_friendship,
    was_friendship_declined,
)
from service.store.quotas import UNCOUNTED, Budget

MOST_OPEN: Final = 20
"""The most requests of a player that wait for an answer."""
MOST: Final = 500
"""The most friends of a player."""

_PEOPLE = text("""
select id, email is not null and email_confirmed as mailed from player
 where id in (:sender, :recipient) and owner is null and computer is null and blocked is null
""")
_LANGUAGE = text("select language from player where id = :player")


def ask(games: Games, player: UUID, whom: Whom, now: datetime, budget: Budget = UNCOUNTED) -> Friendship:
    """Ask another person to be a friend, once or again, and return the request; accept theirs, if they have asked.

    NotFound, UnknownGame, OwnAccount, NoFriend, TooMany, MailsSpent.
    """
    with transaction(games.engine) as db:
        other = found(db, games, player, whom)
        lock_both(db, player, other)
        between = friendship_of_pair(db, player, other)
        if between is None:
            asked = _ask(db, player, other, now, budget)
        elif between.state == "open" and between.recipient == player:
            asked = _accept(db, between, now)
        else:
            asked = between
    games.notify_accounts(player, other)
    games.wake()
    return asked


def accept(games: Games, friendship: UUID, player: UUID, now: datetime) -> Friendship:
    """Accept a request to the player, once or again; NotFound, NoFriend, TooMany."""
    with transaction(games.engine) as db:
        asked = _locked(db, friendship, player)
        if asked.recipient != player:
            raise NotFound("entry")
        accepted = asked if asked.state == "accepted" else _accept(db, asked, now)
    games.notify_accounts(player, asked.sender)
    return accepted


def end(games: Games, friendship: UUID, player: UUID, now: datetime) -> None:
    """End a friendship of the player's, decline a request to the player, or withdraw one; NotFound."""
    with transaction(games.engine) as db:
        between = _locked(db, friendship, player)
        end_friendship(db, between, player, now)
    games.notify_accounts(player, between.other(player))


def unfold(db: Connection, token: str) -> tuple[Friendship, str]:
    """Return the open request behind a mailed link, and the language of its recipient; NotFound."""
    asked = friendship_behind_link(db, stored(token))
    if asked is None or asked.state != "open":
        raise NotFound("entry")
    language: str = db.execute(_LANGUAGE, {"player": asked.recipient}).scalar_one()
    return asked, language


def _ask(db: Connection, player: UUID, other: UUID, now: datetime, budget: Budget) -> Friendship:
    people: dict[UUID, Any] = {row.id: row for row in db.execute(_PEOPLE, {"sender": player, "recipient": other})}
    if people.keys() != {player, other} or either_blocks(db, player, other):
        raise NoFriend
    if was_friendship_declined(db, player, other, now):
        raise NoFriend
    if open_friendships_of(db, player) >= MOST_OPEN:
        raise TooMany(MOST_OPEN)
    asked = Friendship(new_id(), player, other, "open", now, None)
    request_friendship(db, asked.id, player, other, now)
    if people[other].mailed:
        reach(db, budget, FRIEND_REQUEST, player, [other], now)
        outbox.add(db, notices.friend_request(asked.id, other))
    return asked


def _accept(db: Connection, asked: Friendship, now: datetime) -> Friendship:
    if either_blocks(db, asked.sender, asked.recipient):
        raise NoFriend
    for each in (asked.sender, asked.recipient):
        if count_friendships(db, each) >= MOST:
            raise TooMany(MOST)
    accept_friendship(db, asked.id, now)
    return replace(asked, state="accepted", answered_at=now)


def _locked(db: Connection, friendship: UUID, player: UUID) -> Friendship:
    """Return an open request or a friendship of the player's that nobody else can change meanwhile; NotFound."""
    seen = read_friendship(db, friendship)
    if seen is None or player not in (seen.sender, seen.recipient):
        raise NotFound("entry")
    lock_both(db, seen.sender, seen.recipient)
    now_so = read_friendship(db, friendship)
    if now_so is None or now_so.state not in ("open", "accepted"):
        raise NotFound("entry")
    return now_so
