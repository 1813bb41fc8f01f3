"""Friendships: a player asks another one, who accepts or declines; either of the two can end it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final, Literal
from uuid import UUID

from sqlalchemy import Connection, text

AGAIN: Final = timedelta(days=30)
"""How long after a request that came to nothing the same player can be asked again."""
State = Literal["open", "accepted", "declined", "withdrawn", "ended"]

COLUMNS: Final = "f.id, f.sender, f.recipient, f.state, f.created_at, f.answered_at"
BETWEEN: Final = """least(f.sender, f.recipient) = least({one}, {other})
  and greatest(f.sender, f.recipient) = greatest({one}, {other}) and f.state in ('open', 'accepted')"""
"""What is between two players now, `{one}` and `{other}`, in SQL on rows `f` of friendship."""

_ASK = text("""
insert into friendship (id, sender, recipient, created_at) values (:id, :sender, :recipient, :now)
""")
_READ = text(f"select {COLUMNS} from friendship f where f.id = :id")  # noqa: S608 - a constant
_PAIR = text(
    f"select {COLUMNS} from friendship f where "  # noqa: S608 - constants
    + BETWEEN.format(one="cast(:one as uuid)", other="cast(:other as uuid)")
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
_BEHIND = text(f"select {COLUMNS} from friendship f where f.link = :link")  # noqa: S608 - a constant


@dataclass(frozen=True, slots=True)
class Friendship:
    """A request to be friends, and what has become of it."""

    id: UUID
    sender: UUID
    recipient: UUID
    state: State
    created_at: datetime
    answered_at: datetime | None

    def other(self, player: UUID) -> UUID:
        """Return the other one of the two."""
        return self.recipient if player == self.sender else self.sender


def ask(db: Connection, friendship: UUID, sender: UUID, recipient: UUID, now: datetime) -> None:
    """Write a request."""
    db.execute(_ASK, {"id": friendship, "sender": sender, "recipient": recipient, "now": now})


def read(db: Connection, friendship: UUID) -> Friendship | None:
    """Return a friendship, whatever has become of it; None if there is none of this id."""
    return _found(db.execute(_READ, {"id": friendship}).one_or_none())


def of_pair(db: Connection, one: UUID, other: UUID) -> Friendship | None:
    """Return the open request between two players, or their friendship; None if there is neither."""
    return _found(db.execute(_PAIR, {"one": one, "other": other}).one_or_none())


def are_friends(db: Connection, one: UUID, other: UUID) -> bool:
    """Return whether two players are friends."""
    between = of_pair(db, one, other)
    return between is not None and between.state == "accepted"


def accept(db: Connection, friendship: UUID, now: datetime) -> None:
    """Write that an open request was accepted."""
    db.execute(_ANSWER, {"id": friendship, "state": "accepted", "now": now})


def end(db: Connection, between: Friendship, player: UUID, now: datetime) -> None:
    """Write that one of the two has ended a friendship, withdrawn the request, or declined it."""
    unanswered = "withdrawn" if player == between.sender else "declined"
    state = "ended" if between.state == "accepted" else unanswered
    db.execute(_ANSWER, {"id": between.id, "state": state, "now": now})


def open_of(db: Connection, sender: UUID) -> int:
    """Return how many requests of a player wait for an answer."""
    return int(db.execute(_OPEN, {"sender": sender}).scalar_one())


def count(db: Connection, player: UUID) -> int:
    """Return how many friends a player has."""
    return int(db.execute(_COUNT, {"player": player}).scalar_one())


def was_in_vain(db: Connection, sender: UUID, recipient: UUID, now: datetime) -> bool:
    """Return whether a request of one to the other came to nothing lately."""
    asked = {"sender": sender, "recipient": recipient, "since": now - AGAIN}
    return bool(db.execute(_IN_VAIN, asked).scalar_one())


def set_link(db: Connection, friendship: UUID, digest: bytes | None) -> None:
    """Let a link, stored as the digest of its token, lead to an open request, in place of an earlier one."""
    db.execute(_LINK, {"id": friendship, "link": digest})


def behind(db: Connection, digest: bytes | None) -> Friendship | None:
    """Return the request that a link leads to."""
    return _found(db.execute(_BEHIND, {"link": digest}).one_or_none())


def _found(row: Any) -> Friendship | None:
    return None if row is None else Friendship(*row)
