"""Which requests were already answered, per principal and key."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import Connection, text

_FIND = text("select request_hash, first_seq, last_seq from idempotency where principal = :principal and key = :key")


@dataclass(frozen=True, slots=True)
class IdempotencyKey:
    """A key that a principal (a player's id) gave to a request: 1 to 128 characters, unique to that principal."""

    principal: UUID
    key: str


@dataclass(frozen=True, slots=True)
class Request:
    """A keyed request on its way into the log; `hash` is the SHA-256 of what it asks."""

    key: IdempotencyKey
    hash: bytes


@dataclass(frozen=True, slots=True)
class Answered:
    """What a request caused: the events from `first_seq` to `last_seq`."""

    request_hash: bytes
    first_seq: int
    last_seq: int


def find(db: Connection, key: IdempotencyKey) -> Answered | None:
    """Return what the request under the key caused, or None if it was never answered."""
    row = db.execute(_FIND, {"principal": key.principal, "key": key.key}).one_or_none()
    return None if row is None else Answered(row.request_hash, row.first_seq, row.last_seq)
