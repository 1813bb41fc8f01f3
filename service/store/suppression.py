"""Addresses that mails do not reach: what went wrong, how badly, and whether we have stopped writing to them.

Each failure has points. A permanent one has as many as suppression takes; others have fewer, count once a day at most,
and lose half of their points every fortnight. An address is kept as a digest.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Final, Literal

from sqlalchemy import Connection, text

Cause = Literal["unknown-address", "mailbox-full", "not-accepted"]

ENOUGH: Final = 4.0
"""The points from which on no mail is sent."""
POINTS: Final[dict[Cause, float]] = {
    "unknown-address": ENOUGH,
    "not-accepted": 2.0,
    "mailbox-full": 1.0,
}
HALF_LIFE: Final = timedelta(days=14)
HASH: Final = 16
"""Bytes of a digest."""

_DECAYED = (
    "mail_trouble.score * 0.5 ^ (extract(epoch from excluded.noted_at - mail_trouble.noted_at)"
    f" / {HALF_LIFE.total_seconds()}) + excluded.score"
)
_NOTE = text(f"""
insert into mail_trouble (address_hash, cause, status, score, noted_at, suppressed)
values (:hash, :cause, :status, :points, :now, :points >= {ENOUGH})
on conflict (address_hash) do update
set cause = excluded.cause, status = excluded.status, score = {_DECAYED}, noted_at = excluded.noted_at,
    suppressed = mail_trouble.suppressed or {_DECAYED} >= {ENOUGH}
where excluded.suppressed or mail_trouble.noted_at <= excluded.noted_at - interval '1 day'
returning suppressed
""")  # noqa: S608 - constants
OF_PLAYER: Final = "address_digest(email)"
"""The digest of a player's address, in SQL, by which there is an index."""
_MARK = text(f"update player set unreachable = :unreachable where {OF_PLAYER} = :hash")  # noqa: S608 - constants
_FIND = text("select cause, status, noted_at from mail_trouble where address_hash = :hash and suppressed")
_CLEAR = text("delete from mail_trouble where address_hash = :hash")


@dataclass(frozen=True, slots=True)
class Suppression:
    """Why we have stopped writing to an address; `status` is an enhanced status code (RFC 3463), or ''."""

    cause: Cause
    status: str
    noted_at: datetime


def digest(address: str) -> bytes:
    """Return the digest of an address, in which upper case does not matter."""
    return sha256(address.lower().encode()).digest()[:HASH]


def note(db: Connection, address_hash: bytes, cause: Cause, status: str, now: datetime) -> bool:
    """Note trouble with an address; return whether it made us stop, which its players' tables show from now on."""
    values = {"hash": address_hash, "cause": cause, "status": status, "points": POINTS[cause], "now": now}
    stopped = bool(db.execute(_NOTE, values).scalar())
    if stopped:
        db.execute(_MARK, {"hash": address_hash, "unreachable": True})
    return stopped


def found(db: Connection, address: str) -> Suppression | None:
    """Return why we have stopped writing to an address, None if we have not."""
    row = db.execute(_FIND, {"hash": digest(address)}).one_or_none()
    return None if row is None else Suppression(row.cause, row.status, row.noted_at)


def clear(db: Connection, address: str) -> None:
    """Forget all trouble with an address."""
    values = {"hash": digest(address)}
    db.execute(_CLEAR, values)
    db.execute(_MARK, {**values, "unreachable": False})
