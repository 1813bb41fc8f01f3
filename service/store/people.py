"""Handles, profiles, friendships, blocked and ignored players."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final, Literal
from uuid import UUID

from sqlalchemy import BigInteger, Column, Connection, ForeignKey, Identity, Index, Table, Text, text

from service.log.ids import new_id
from service.store.tables import instant, metadata
from service.texts.names import HANDLE_PATTERN

# Handles of accounts, current and former.

VISIBILITIES: Final = ("public", "friends", "hidden")
"""Readers of an account's profile: everybody, friends, or the account alone."""
HANDLE_HELD: Final = timedelta(days=365)
"""Time for which nobody else can take a released handle."""

# Store only the skeleton: the released handle itself is private.
former_handle = Table(
    "former_handle",
    metadata,
    Column("id", BigInteger, Identity(always=True), primary_key=True),
    Column("skeleton", Text, nullable=False),
    # Former owner, who may take it again; null for a deleted account.
    Column("player_id", ForeignKey("player.id")),
    instant("released_at"),
    Index("former_handle_skeleton", "skeleton"),
    Index("former_handle_player", "player_id", postgresql_where=text("player_id is not null")),
    Index("former_handle_released", "released_at"),
)

_FIND = text("select id from player where handle = :handle and deleted_at is null")
_LOCK = text("select handle, handle_skeleton from player where id = :player for no key update")
_SET = text("update player set handle = :handle, handle_skeleton = :skeleton where id = :player")
_TAKEN = text("select exists (select from player where handle_skeleton = :skeleton and id <> :player)")
_HELD = text("""
select exists (select from former_handle
  where skeleton = :skeleton and player_id is distinct from cast(:player as uuid) and released_at > :since)
""")
_RELEASE = text("""
insert into former_handle (skeleton, player_id, released_at) values (:skeleton, :player, :now)
""")
_RELEASED = text("select count(*) from former_handle where player_id = :player and released_at > :since")


def find_handle(db: Connection, handle: str) -> UUID | None:
    """Return the account with the handle, ignoring case; None if unknown."""
    small = handle.lower()
    # PostgreSQL rejects text with a NUL.
    if not re.fullmatch(HANDLE_PATTERN, small):
        return None
    found: UUID | None = db.execute(_FIND, {"handle": small}).scalar_one_or_none()
    return found


def lock_handle(db: Connection, player: UUID) -> tuple[str | None, str | None]:
    """Lock the account for a change of its handle; return the handle and its skeleton."""
    row: Any = db.execute(_LOCK, {"player": player}).one()
    return row.handle, row.handle_skeleton


def put_handle(db: Connection, player: UUID, handle: str | None, skeleton: str | None) -> None:
    """Set or clear the account's handle; IntegrityError if another account has a look-alike."""
    db.execute(_SET, {"player": player, "handle": handle, "skeleton": skeleton})


def is_handle_taken(db: Connection, player: UUID, skeleton: str) -> bool:
    """Return whether another account has a look-alike of the handle."""
    return bool(db.execute(_TAKEN, {"player": player, "skeleton": skeleton}).scalar_one())


def is_handle_held(db: Connection, player: UUID, skeleton: str, now: datetime) -> bool:
    """Return whether another account has released a look-alike of the handle within HANDLE_HELD."""
    wanted = {"player": player, "skeleton": skeleton, "since": now - HANDLE_HELD}
    return bool(db.execute(_HELD, wanted).scalar_one())


def release_handle(db: Connection, player: UUID, skeleton: str, now: datetime) -> None:
    """Store that the account has released a handle."""
    db.execute(_RELEASE, {"player": player, "skeleton": skeleton, "now": now})


def released_handles(db: Connection, player: UUID, since: datetime) -> int:
    """Return how many handles the account has released since a moment."""
    count: int = db.execute(_RELEASED, {"player": player, "since": since}).scalar_one()
    return count


# Visibility of profiles.

_VISIBILITY: Final = text("select visibility from player where id = :owner and blocked is null and deleted_at is null")


def may_see_profile(db: Connection, viewer: UUID, owner: UUID) -> bool:
    """Return whether the viewer may see the owner's profile: everybody, friends, or the owner alone."""
    if viewer == owner:
        return True
    visibility = db.execute(_VISIBILITY, {"owner": owner}).scalar_one_or_none()
    return visibility == "public" or (visibility == "friends" and are_friends(db, viewer, owner))


def find_visible_profile(db: Connection, viewer: UUID, handle: str) -> UUID | None:
    """Return the account with the handle; None if it is unknown or its profile hidden from the viewer."""
    owner = find_handle(db, handle)
    return owner if owner is not None and may_see_profile(db, viewer, owner) else None


# Friendships: a player asks another, who accepts or declines; either can end the friendship.

REQUEST_AGAIN_AFTER: Final = timedelta(days=30)
"""Time after a declined or withdrawn request before the same player can be asked again."""
FriendshipState = Literal["open", "accepted", "declined", "withdrawn", "ended"]

FRIENDSHIP_COLUMNS: Final = "f.id, f.sender, f.recipient, f.state, f.created_at, f.answered_at"
FRIENDSHIP_BETWEEN: Final = """least(f.sender, f.recipient) = least({one}, {other})
  and greatest(f.sender, f.recipient) = greatest({one}, {other}) and f.state in ('open', 'accepted')"""
"""Condition for the open or accepted row of `{one}` and `{other}`, in SQL on rows `f` of friendship."""

_ASK = text("""
insert into friendship (id, sender, recipient, created_at) values (:id, :sender, :recipient, :now)
""")
_READ = text(f"select {FRIENDSHIP_COLUMNS} from friendship f where f.id = :id")  # noqa: S608 - a constant
_PAIR = text(
    f"select {FRIENDSHIP_COLUMNS} from friendship f where "  # noqa: S608 - constants
    + FRIENDSHIP_BETWEEN.format(one="cast(:one as uuid)", other="cast(:other as uuid)")
)
_ANSWER = text("update friendship set state = :state, answered_at = :now, link = null where id = :id")
_OPEN = text("select count(*) from friendship where sender = :sender and state = 'open'")
_COUNT = text("""
select count(*) from friendship where (sender = :player or recipient = :player) and state = 'accepted'
""")
_IN_VAIN = text("""
select exists (select from friendship where sender = :sender and recipient = :recipient
  and state in ('declined', 'withdrawn') and created_at > :since)
""")
_LINK = text("update friendship set link = :link where id = :id and state = 'open'")
_BEHIND = text(f"select {FRIENDSHIP_COLUMNS} from friendship f where f.link = :link")  # noqa: S608 - a constant


@dataclass(frozen=True, slots=True)
class Friendship:
    """Friend request, and its state."""

    id: UUID
    sender: UUID
    recipient: UUID
    state: FriendshipState
    created_at: datetime
    answered_at: datetime | None

    def other(self, player: UUID) -> UUID:
        return self.recipient if player == self.sender else self.sender


def request_friendship(db: Connection, friendship: UUID, sender: UUID, recipient: UUID, now: datetime) -> None:
    """Insert an open request."""
    db.execute(_ASK, {"id": friendship, "sender": sender, "recipient": recipient, "now": now})


def read_friendship(db: Connection, friendship: UUID) -> Friendship | None:
    """Return a friendship in any state; None if unknown."""
    return _found(db.execute(_READ, {"id": friendship}).one_or_none())


def friendship_of_pair(db: Connection, one: UUID, other: UUID) -> Friendship | None:
    """Return the open request or the friendship of two players, or None."""
    return _found(db.execute(_PAIR, {"one": one, "other": other}).one_or_none())


def are_friends(db: Connection, one: UUID, other: UUID) -> bool:
    between = friendship_of_pair(db, one, other)
    return between is not None and between.state == "accepted"


def accept_friendship(db: Connection, friendship: UUID, now: datetime) -> None:
    """Accept an open request."""
    db.execute(_ANSWER, {"id": friendship, "state": "accepted", "now": now})


def end_friendship(db: Connection, between: Friendship, player: UUID, now: datetime) -> None:
    """End a friendship, withdraw an own request, or decline the other's."""
    unanswered = "withdrawn" if player == between.sender else "declined"
    state = "ended" if between.state == "accepted" else unanswered
    db.execute(_ANSWER, {"id": between.id, "state": state, "now": now})


def open_friendships_of(db: Connection, sender: UUID) -> int:
    """Return the number of a player's open requests."""
    return int(db.execute(_OPEN, {"sender": sender}).scalar_one())


def count_friendships(db: Connection, player: UUID) -> int:
    """Return the number of a player's friends."""
    return int(db.execute(_COUNT, {"player": player}).scalar_one())


def was_friendship_declined(db: Connection, sender: UUID, recipient: UUID, now: datetime) -> bool:
    """Return whether a request from sender to recipient was declined or withdrawn within REQUEST_AGAIN_AFTER."""
    asked = {"sender": sender, "recipient": recipient, "since": now - REQUEST_AGAIN_AFTER}
    return bool(db.execute(_IN_VAIN, asked).scalar_one())


def set_friendship_link(db: Connection, friendship: UUID, digest: bytes | None) -> None:
    """Set the link to an open request, stored as the digest of its token; it replaces an earlier link."""
    db.execute(_LINK, {"id": friendship, "link": digest})


def friendship_behind_link(db: Connection, digest: bytes | None) -> Friendship | None:
    return _found(db.execute(_BEHIND, {"link": digest}).one_or_none())


def _found(row: Any) -> Friendship | None:
    return None if row is None else Friendship(*row)


# Blocks between players: the two never meet at a new table, and the words and mails of one do not reach the other.
#
# A block of a person includes their bots, on both sides; a block of a bot is of that bot alone.

_ADD = text("""
insert into block (id, blocker, blocked, created_at) values (:id, :blocker, :blocked, :now)
on conflict (blocker, blocked) do update set created_at = block.created_at returning id
""")
_REMOVE = text("delete from block where id = :id and blocker = :blocker")
_COUNT_BLOCKS = text("select count(*) from block where blocker = :blocker")
_KNOWN: Final = """
with known as (
  select p.id, known_as from player p, unnest(array[p.id, p.owner]) as known_as where p.id = any(:players)
)
"""
_PAIRS: Final = text(f"""
{_KNOWN}
select distinct least(a.id, b.id) as one, greatest(a.id, b.id) as other
  from known a join block on block.blocker = a.known_as join known b on b.known_as = block.blocked
 where a.id <> b.id
""")  # noqa: S608 - a constant
_EITHER: Final = text(f"""
{_KNOWN}
select exists (
  select from known a, known b where (a.id = :player) <> (b.id = :player) and exists (
    select from block where block.blocker = a.known_as and block.blocked = b.known_as))
""")  # noqa: S608 - a constant
_OF_ADDRESS = text("select id from player where lower(email) = :address and email_confirmed and deleted_at is null")
APART: Final = """exists (
  select from seat o join block b on (b.blocker, b.blocked) in ((:me, o.player_id), (o.player_id, :me))
   where o.game_id = g.id)"""
"""Condition that the player `:me` and a player at the table of a game `g` block each other, in SQL; bots' owners are
not considered."""


def add_block(db: Connection, blocker: UUID, blocked: UUID, now: datetime) -> UUID:
    """Block a player, idempotently; return the id of the block."""
    values = {"id": new_id(), "blocker": blocker, "blocked": blocked, "now": now}
    found: UUID = db.execute(_ADD, values).scalar_one()
    return found


def remove_block(db: Connection, block: UUID, blocker: UUID) -> bool:
    """Delete a block of the player's; False if unknown."""
    return db.execute(_REMOVE, {"id": block, "blocker": blocker}).rowcount == 1


def count_blocks(db: Connection, blocker: UUID) -> int:
    """Return the number of players whom a player blocks."""
    return int(db.execute(_COUNT_BLOCKS, {"blocker": blocker}).scalar_one())


def blocked_pairs(db: Connection, players: Iterable[UUID]) -> frozenset[tuple[UUID, UUID]]:
    """Return the pairs of these players in which at least one blocks the other; the lesser id of a pair is first."""
    rows: Any = db.execute(_PAIRS, {"players": list(players)})
    return frozenset((row.one, row.other) for row in rows)


def either_blocks(db: Connection, one: UUID, other: UUID) -> bool:
    """Return whether at least one of two players blocks the other."""
    return is_apart(db, one, [other])


def is_apart(db: Connection, player: UUID, others: Iterable[UUID]) -> bool:
    """Return whether the player blocks one of the others, or is blocked by one."""
    asked = {"player": player, "players": [player, *others]}
    return bool(db.execute(_EITHER, asked).scalar_one())


def is_apart_from_address(db: Connection, player: UUID, address: str) -> bool:
    """Return whether the player and an owner of this confirmed address (in lower case) block each other."""
    people: Sequence[UUID] = db.execute(_OF_ADDRESS, {"address": address}).scalars().all()
    return bool(people) and is_apart(db, player, people)


# Ignored players: a player does not see the talk of players whom the player ignores, or blocks.
#
# The speaker does not learn of it. Ignoring or blocking a person includes their bots.

UNHEARD: Final = """exists (
  select from player said, unnest(array[said.id, said.owner]) as known_as where said.id = {speaker}
   and (exists (select from block where blocker = {listener} and blocked = known_as)
     or exists (select from ignored_player i where i.player_id = {listener} and i.ignored = known_as)))"""
"""Condition that a `{listener}` does not see the talk of a `{speaker}`, in SQL with the two ids put in."""
SPEAKER: Final = """coalesce(
  (select f.player_id from former_player f where (f.game_id, f.seat) = (t.game_id, t.seat)
      and t.at >= f.joined_at and t.at < f.left_at),
  (select s.player_id from seat s where (s.game_id, s.seat) = (t.game_id, t.seat)))"""
"""Player who wrote the row `t` of the talk, in SQL."""

_ADD_IGNORED = text("""
insert into ignored_player (id, player_id, ignored, created_at) values (:id, :player, :ignored, :now)
on conflict (player_id, ignored) do update set created_at = ignored_player.created_at returning id
""")
_REMOVE_IGNORED = text("delete from ignored_player where id = :id and player_id = :player")
_COUNT_IGNORED = text("select count(*) from ignored_player where player_id = :player")
_HEARD_BY = text(f"""
select listener from unnest(cast(:listeners as uuid[])) as listener
 where not {UNHEARD.format(listener="listener", speaker=":speaker")}
""")  # noqa: S608 - constants


def add_ignored(db: Connection, player: UUID, ignored: UUID, now: datetime) -> UUID:
    """Ignore a player, idempotently; return the id of the row."""
    values = {"id": new_id(), "player": player, "ignored": ignored, "now": now}
    found: UUID = db.execute(_ADD_IGNORED, values).scalar_one()
    return found


def remove_ignored(db: Connection, ignored: UUID, player: UUID) -> bool:
    """Stop ignoring a player, by the id of the row; False if unknown."""
    return db.execute(_REMOVE_IGNORED, {"id": ignored, "player": player}).rowcount == 1


def count_ignored(db: Connection, player: UUID) -> int:
    """Return the number of players whom a player ignores."""
    return int(db.execute(_COUNT_IGNORED, {"player": player}).scalar_one())


def heard_by(db: Connection, speaker: UUID, listeners: Iterable[UUID]) -> frozenset[UUID]:
    """Return the listeners who see the talk of the speaker."""
    asked = {"speaker": speaker, "listeners": list(listeners)}
    return frozenset(db.execute(_HEARD_BY, asked).scalars())
