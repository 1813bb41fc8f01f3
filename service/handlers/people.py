"""Accounts, handles, friends, blocked and ignored players, references to players."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID, uuid4

from sqlalchemy import Connection, func, insert, select, text, update
from sqlalchemy.exc import IntegrityError

from service.handlers.capability import stored
from service.handlers.consent import ask
from service.handlers.gate import FRIEND_REQUEST, reach
from service.handlers.idempotency import Receipt, claim, keep
from service.handlers.refusals import (
    BotsMayNot,
    HandleChangedOften,
    HandleTaken,
    NoFriend,
    OwnAccount,
    TooMany,
    Unavailable,
)
from service.handlers.sessions import let_in
from service.handlers.tell_owner import tell_owner
from service.handlers.tokens import hold, issue
from service.handlers.transaction import transaction
from service.log.ids import new_id
from service.shared.refusal import NotFound
from service.store import daily_deals, notices, outbox, people
from service.store.access import SCOPES, Identity
from service.store.games import Games, require_known
from service.store.people import (
    Friendship,
    accept_friendship,
    count_friendships,
    either_blocks,
    end_friendship,
    find_handle,
    friendship_behind_link,
    friendship_of_pair,
    open_friendships_of,
    read_friendship,
    request_friendship,
    was_friendship_declined,
)
from service.store.quotas import UNCOUNTED, Budget, spend
from service.store.tables import player
from service.texts.names import RESERVED_HANDLES, UNNAMED, UNNAMED_VARIANTS, handle_skeleton

__all__ = [
    "HANDLE_CHANGES_WITHIN",
    "MAX_HANDLE_CHANGES",
    "find_handle",
    "release_handle",
    "settle_handle",
    "take_handle",
]

# References to another person: a handle, or a seat at a common table.

# No row for a deleted account.
_ONE_PERSON = text("""
select coalesce(own.owner, own.id) = coalesce(other.owner, other.id) from player own cross join player other
 where own.id = :one and other.id = :other and other.deleted_at is null
""")
# Ordered by id, as in the deletion of an account, against deadlocks.
_LOCK = text("select from player where id in (:one, :other) and deleted_at is null order by id for no key update")


@dataclass(frozen=True, slots=True)
class BySeat:
    """The player in a seat of a visible game; also finds players without a handle."""

    game: UUID
    seat: int


PlayerRef = str | BySeat


def resolve_player(db: Connection, games: Games, player: UUID, whom: PlayerRef) -> UUID:
    """Return another person's account; NotFound, UnknownGame, OwnAccount (the same person, bots included)."""
    if isinstance(whom, BySeat):
        position = games.open(db, whom.game)
        require_known(db, position, player)
        seat = next((each for each in position.seats if each.seat == whom.seat), None)
        other = None if seat is None or seat.computer is not None else seat.player_id
    else:
        other = find_handle(db, whom)
    own = None if other is None else db.execute(_ONE_PERSON, {"one": player, "other": other}).scalar_one_or_none()
    if other is None or own is None:
        raise NotFound("seat" if isinstance(whom, BySeat) else "handle")
    if own:
        raise OwnAccount
    return other


def lock_both_players(db: Connection, player: UUID, other: UUID) -> None:
    """Lock two accounts; Unavailable if one is deleted."""
    if len(db.execute(_LOCK, {"one": player, "other": other}).all()) < 2:
        raise Unavailable


# Accounts: guests, profiles, bots.

MAX_BOTS = 20
# A player's own choices are never overwritten.
_ARRIVE = text("""
update player set welcomed = :asked,
  name = case when name = any(:unnamed) then coalesce(cast(:name as text), name) else name end,
  time_zone = case when time_zone = 'UTC' then coalesce(cast(:zone as text), time_zone) else time_zone end
 where id = :player and not welcomed
""")
_BOTS = select(func.count()).where(player.c.deleted_at.is_(None))


@dataclass(frozen=True, slots=True)
class Arrival:
    """A newcomer's known facts: the language, and the browser's time zone.

    `name` is None if it was not asked for, '' if the person gave none. `email` is a new player's address, `confirmed`
    if the person came by a mail to it.
    """

    language: str
    name: str | None = None
    zone: str | None = None
    email: str | None = None
    confirmed: bool = False


def arrive(db: Connection, player_id: UUID, arrival: Arrival) -> None:
    """Fill in an account's missing facts. Every way of signing in comes through here."""
    values = {"name": arrival.name or None, "zone": arrival.zone, "asked": arrival.name is not None}
    db.execute(_ARRIVE, {"player": player_id, "unnamed": list(UNNAMED_VARIANTS), **values})


def register_player(games: Games, arrival: Arrival, now: datetime, budget: Budget = UNCOUNTED) -> tuple[UUID, str]:
    """Create a guest; return the id, and a token of every scope, shown once; MailsSpent.

    The address is unconfirmed: a mail asks for confirmation, and no other mail goes there before.
    """
    with transaction(games.engine) as db:
        player_id = _create(db, arrival, now)
        _, token = issue(db, player_id, "first token", SCOPES, None, now)
        if arrival.email is not None:
            spend(db, budget, None, 1, now)
            ask(db, player_id, arrival.email, now)
    if arrival.email is not None:
        games.wake()
    return player_id, token


def newly_met(games: Games, arrival: Arrival, now: datetime) -> tuple[UUID, str]:
    """Create a guest and sign the browser in; return the id, and the session token for the browser."""
    with transaction(games.engine) as db:
        return meet(db, arrival, now)


def meet(db: Connection, arrival: Arrival, now: datetime) -> tuple[UUID, str]:
    """Create a guest within a transaction, as `newly_met`."""
    player_id = _create(db, arrival, now)
    return player_id, let_in(db, player_id, now)


def welcome(games: Games, player_id: UUID, arrival: Arrival) -> None:
    """Run `arrive` in a transaction of its own."""
    with transaction(games.engine) as db:
        arrive(db, player_id, arrival)


def _create(db: Connection, arrival: Arrival, now: datetime) -> UUID:
    player_id = uuid4()
    address = {"email": arrival.email, "email_confirmed": arrival.confirmed}
    row = {"id": player_id, "name": UNNAMED, "language": arrival.language, "created_at": now}
    db.execute(insert(player).values(**row, **address))
    arrive(db, player_id, arrival)
    return player_id


def change_player(games: Games, player_id: UUID, profile: Mapping[str, Any], now: datetime) -> None:
    """Change the given fields of a profile; HandleTaken, HandleChangedOften.

    Fields: `name`, `handle`, `language`, `time_zone`, `visibility`, `asked_twice`.
    """
    plain = {name: value for name, value in profile.items() if name != "handle"}
    if profile:
        with transaction(games.engine) as db:
            if plain:
                db.execute(update(player).where(player.c.id == player_id).values(**plain))
            if "handle" in profile:
                settle_handle(db, player_id, profile["handle"], now)


def create_bot(
    games: Games, owner: Identity, name: str, now: datetime, receipt: Receipt[tuple[UUID, str]] | None = None
) -> tuple[UUID, str]:
    """Create a bot of the owner; return its id, and a token with the scopes of the owner's token.

    BotsMayNot, TooMany, under a key also Repeated, KeyReused.
    """
    if owner.player.owner is not None:
        raise BotsMayNot
    bot, profile = uuid4(), {"language": owner.player.language, "time_zone": owner.player.time_zone}
    with transaction(games.engine) as db:
        claim(db, receipt)
        hold(db, owner.player.id)
        if db.execute(_BOTS.where(player.c.owner == owner.player.id)).scalar_one() >= MAX_BOTS:
            raise TooMany(MAX_BOTS)
        db.execute(insert(player).values(id=bot, name=name, owner=owner.player.id, created_at=now, **profile))
        _, token = issue(db, bot, "first token", owner.token.scopes, None, now)
        tell_owner(db, bot, "bot-made", bot)
        keep(db, receipt, (bot, token))
    return bot, token


# Handles: take, change, release.

MAX_HANDLE_CHANGES: Final = 3
HANDLE_CHANGES_WITHIN: Final = timedelta(days=30)
"""Period in which an account may change or release its handle MAX_HANDLE_CHANGES times."""


def take_handle(games: Games, player: UUID, handle: str, now: datetime) -> None:
    """Set or replace an account's handle; HandleTaken, HandleChangedOften."""
    with transaction(games.engine) as db:
        settle_handle(db, player, handle, now)


def release_handle(games: Games, player: UUID, now: datetime) -> None:
    """Release the handle of an account, if any; HandleChangedOften."""
    with transaction(games.engine) as db:
        settle_handle(db, player, None, now)


def settle_handle(db: Connection, player: UUID, handle: str | None, now: datetime) -> None:
    """Set or release an account's handle within a transaction; HandleTaken, HandleChangedOften.

    A handle of another skeleton releases the old one, which is reserved for a year.
    """
    before, looked = people.lock_handle(db, player)
    if handle == before:
        return
    looks = None if handle is None else handle_skeleton(handle)
    if looks is not None and (looks in RESERVED_HANDLES or people.is_handle_taken(db, player, looks)):
        raise HandleTaken
    if looked is not None:
        if people.released_handles(db, player, now - HANDLE_CHANGES_WITHIN) >= MAX_HANDLE_CHANGES:
            raise HandleChangedOften(MAX_HANDLE_CHANGES, HANDLE_CHANGES_WITHIN.days)
        people.release_handle(db, player, looked, now)
    try:
        people.put_handle(db, player, handle, looks)
    except IntegrityError:
        raise HandleTaken from None
    daily_deals.name(db, player, handle is not None)
    # Checked last: a handle released while this transaction waited for it is reserved from now on.
    if looks is not None and people.is_handle_held(db, player, looks, now):
        raise HandleTaken


# Friends: ask, accept, decline, end.

MAX_OPEN_FRIEND_REQUESTS: Final = 20
"""Open friend requests that a player may have sent."""
MAX_FRIENDS: Final = 500

_PEOPLE = text("""
select id, email is not null and email_confirmed as mailed from player
 where id in (:sender, :recipient) and owner is null and computer is null and blocked is null
""")
_LANGUAGE = text("select language from player where id = :player")


def ask_friend(games: Games, player: UUID, whom: PlayerRef, now: datetime, budget: Budget = UNCOUNTED) -> Friendship:
    """Send a friend request and return it; accept the other person's open request instead. Idempotent.

    NotFound, UnknownGame, OwnAccount, NoFriend, TooMany, MailsSpent.
    """
    with transaction(games.engine) as db:
        other = resolve_player(db, games, player, whom)
        lock_both_players(db, player, other)
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


def accept_friend(games: Games, friendship: UUID, player: UUID, now: datetime) -> Friendship:
    """Accept a request to the player; idempotent. NotFound, NoFriend, TooMany."""
    with transaction(games.engine) as db:
        asked = _locked(db, friendship, player)
        if asked.recipient != player:
            raise NotFound("entry")
        accepted = asked if asked.state == "accepted" else _accept(db, asked, now)
    games.notify_accounts(player, asked.sender)
    return accepted


def unfriend(games: Games, friendship: UUID, player: UUID, now: datetime) -> None:
    """End a friendship, or decline or withdraw a request; NotFound."""
    with transaction(games.engine) as db:
        between = _locked(db, friendship, player)
        end_friendship(db, between, player, now)
    games.notify_accounts(player, between.other(player))


def resolve_friend_link(db: Connection, token: str) -> tuple[Friendship, str]:
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
    if open_friendships_of(db, player) >= MAX_OPEN_FRIEND_REQUESTS:
        raise TooMany(MAX_OPEN_FRIEND_REQUESTS)
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
        if count_friendships(db, each) >= MAX_FRIENDS:
            raise TooMany(MAX_FRIENDS)
    accept_friendship(db, asked.id, now)
    return replace(asked, state="accepted", answered_at=now)


def _locked(db: Connection, friendship: UUID, player: UUID) -> Friendship:
    """Lock and return an open request or a friendship of the player; NotFound."""
    seen = read_friendship(db, friendship)
    if seen is None or player not in (seen.sender, seen.recipient):
        raise NotFound("entry")
    lock_both_players(db, seen.sender, seen.recipient)
    now_so = read_friendship(db, friendship)
    if now_so is None or now_so.state not in ("open", "accepted"):
        raise NotFound("entry")
    return now_so


# Blocked and ignored players.

MAX_BLOCKED: Final = 500
"""Limit of a player's blocks, and of ignored players."""

# Open requests between the two end, without a reason given.
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


def block_player(games: Games, player: UUID, whom: PlayerRef, now: datetime) -> UUID:
    """Block another player and return the id of the block; idempotent.

    The friendship of the two ends; open requests between them are withdrawn or declined. Common tables go on. NotFound,
    UnknownGame, OwnAccount, TooMany.
    """
    with transaction(games.engine) as db:
        other = resolve_player(db, games, player, whom)
        lock_both_players(db, player, other)
        if people.count_blocks(db, player) >= MAX_BLOCKED:
            raise TooMany(MAX_BLOCKED)
        made = people.add_block(db, player, other, now)
        for statement in _UNASKED:
            db.execute(statement, {"one": player, "other": other, "now": now})
        between = people.friendship_of_pair(db, player, other)
        if between is not None:
            people.end_friendship(db, between, player, now)
    games.notify_accounts(player, other)
    return made


def unblock_player(games: Games, player: UUID, block_id: UUID) -> None:
    """Remove a block of the player; NotFound."""
    with transaction(games.engine) as db:
        if not people.remove_block(db, block_id, player):
            raise NotFound("entry")


def ignore_player(games: Games, player: UUID, whom: PlayerRef, now: datetime) -> UUID:
    """Hide another player's chat at tables from the player, and return the id of the entry; idempotent.

    NotFound, UnknownGame, OwnAccount, TooMany.
    """
    with transaction(games.engine) as db:
        other = resolve_player(db, games, player, whom)
        hold(db, player)
        if people.count_ignored(db, player) >= MAX_BLOCKED:
            raise TooMany(MAX_BLOCKED)
        return people.add_ignored(db, player, other, now)


def unignore_player(games: Games, player: UUID, ignored_id: UUID) -> None:
    """Show an ignored player's chat again; NotFound."""
    with transaction(games.engine) as db:
        if not people.remove_ignored(db, ignored_id, player):
            raise NotFound("entry")
