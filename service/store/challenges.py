"""Challenges: a player asks another one to a game, which is opened when the other one accepts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Final, Literal
from uuid import UUID

from sqlalchemy import Connection, insert, text

from service.rules.pace import Pace
from service.store.game_row import Terms
from service.store.tables import challenge as table

LIFETIME = timedelta(days=7)
State = Literal["open", "accepted", "declined", "withdrawn", "expired"]

STATE: Final = "case when c.state = 'open' and c.expires_at <= :now then 'expired' else c.state end"
COLUMNS: Final = f"""
c.id, c.sender, c.recipient, c.ruleset, c.seats, c.options, c.terms, c.created_at, c.expires_at, c.answered_at,
c.game_id as game, {STATE} as state
"""
_READ = text(f"select {COLUMNS} from challenge c where c.id = :id")  # noqa: S608 - a constant
_LOCK = text(f"select {COLUMNS} from challenge c where c.id = :id for update")  # noqa: S608 - a constant
# In this order before the challenge, as the deletion of an account locks them.
_PLAYERS = text(
    "select from player where id in (select unnest(array[sender, recipient]) from challenge where id = :id)"
    " order by id for share"
)
_ANSWER = text("update challenge set state = :state, answered_at = :now, game_id = :game where id = :id")
_OPEN = text("select count(*) from challenge where sender = :sender and state = 'open' and expires_at > :now")
# Of a pair only what came to nothing counts, so that two bots may play as much as they like.
_PAIR = text(
    "select count(*) filter (where state = 'open' and expires_at > :now) as open, count(*) as lately from challenge"
    " where sender = :sender and recipient = :recipient and state <> 'accepted'"
    " and (created_at > :since or (state = 'open' and expires_at > :now))"
)
_LINK = text("insert into challenge_link (hash, challenge_id) values (:hash, :id)")
_RESOLVE = text("select challenge_id from challenge_link where hash = :hash")


@dataclass(frozen=True, slots=True)
class Challenge:
    """A challenge: what is to be played, by whom, and what has become of it; `game` is that of an accepted one."""

    id: UUID
    sender: UUID
    recipient: UUID
    ruleset: str
    seats: int
    options: Mapping[str, Any]
    terms: Terms
    created_at: datetime
    expires_at: datetime
    answered_at: datetime | None
    game: UUID | None
    state: State


def send(db: Connection, sent: Challenge) -> None:
    """Write a new challenge."""
    what = {"ruleset": sent.ruleset, "seats": sent.seats, "options": dict(sent.options), "terms": asdict(sent.terms)}
    who = {"id": sent.id, "sender": sent.sender, "recipient": sent.recipient}
    db.execute(insert(table).values(**who, **what, created_at=sent.created_at, expires_at=sent.expires_at))


def read(db: Connection, challenge: UUID, now: datetime) -> Challenge | None:
    """Return a challenge as of a moment; None if there is none of this id."""
    return _found(db.execute(_READ, {"id": challenge, "now": now}).one_or_none())


def lock(db: Connection, challenge: UUID, now: datetime) -> Challenge | None:
    """Return a challenge whose answer nobody else can write before the transaction ends, nor delete its players."""
    db.execute(_PLAYERS, {"id": challenge})
    return _found(db.execute(_LOCK, {"id": challenge, "now": now}).one_or_none())


def answer(db: Connection, challenge: UUID, state: State, now: datetime, game: UUID | None = None) -> None:
    """Write the answer to a locked challenge."""
    db.execute(_ANSWER, {"id": challenge, "state": state, "now": now, "game": game})


def open_of(db: Connection, sender: UUID, now: datetime) -> int:
    """Return how many open challenges a player has sent."""
    return int(db.execute(_OPEN, {"sender": sender, "now": now}).scalar_one())


def of_pair(db: Connection, sender: UUID, recipient: UUID, now: datetime) -> tuple[int, int]:
    """Return how many challenges of one to the other are open, and how many of a day came to nothing so far."""
    values = {"sender": sender, "recipient": recipient, "now": now, "since": now - timedelta(days=1)}
    row = db.execute(_PAIR, values).one()
    return row.open, row.lately


def add_link(db: Connection, challenge: UUID, digest: bytes | None) -> None:
    """Let a link, stored as the digest of its token, lead to the challenge."""
    db.execute(_LINK, {"hash": digest, "id": challenge})


def behind(db: Connection, digest: bytes | None) -> UUID | None:
    """Return the id of the challenge that a link leads to."""
    found: UUID | None = db.execute(_RESOLVE, {"hash": digest}).scalar()
    return found


def of_row(row: Any) -> Challenge:
    """Return the challenge of a row with COLUMNS first."""
    found, pace = Challenge(*row[: len(Challenge.__slots__)]), row.terms["pace"]
    return replace(found, terms=Terms(**{**row.terms, "pace": None if pace is None else Pace(**pace)}))


def _found(row: Any) -> Challenge | None:
    return None if row is None else of_row(row)
