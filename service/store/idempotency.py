"""Stored answers to earlier requests, per principal, operation and key."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from uuid import UUID

from sqlalchemy import Connection, text

ACT = "act"
"""Operation of playing an action. Its answer is not stored: the log gives it again."""

_FIND = text(
    "select request_hash, first_seq, last_seq from idempotency"
    " where principal = :principal and operation = :operation and key = :key"
)
_CLAIM = text(
    "insert into idempotency (principal, operation, key, request_hash) values (:principal, :operation, :key, :hash)"
    " on conflict do nothing returning true"
)
_ANSWER = text(
    "select request_hash, answer::text from idempotency"
    " where principal = :principal and operation = :operation and key = :key"
)
_KEEP = text(
    "update idempotency set answer = cast(:answer as json)"
    " where principal = :principal and operation = :operation and key = :key"
)


@dataclass(frozen=True, slots=True)
class IdempotencyKey:
    """Key that a principal (a player's id) gave to a request: 1 to 128 characters, unique to that operation."""

    principal: UUID
    key: str
    operation: str = ACT

    @property
    def digest(self) -> str:
        """Stored form of the key."""
        return sha256(self.key.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class IdempotentRequest:
    """Keyed request; `hash` is the SHA-256 of its content."""

    key: IdempotencyKey
    hash: bytes


@dataclass(frozen=True, slots=True)
class AnsweredRequest:
    """Events of an action, from `first_seq` to `last_seq`."""

    request_hash: bytes
    first_seq: int
    last_seq: int


@dataclass(frozen=True, slots=True)
class Kept:
    """Stored answer of an operation that is no action, as JSON text."""

    request_hash: bytes
    answer: str


def find(db: Connection, key: IdempotencyKey) -> AnsweredRequest | None:
    """Return the events of the action under the key, or None if it was never answered."""
    row = db.execute(_FIND, _parameters(key)).one_or_none()
    return None if row is None else AnsweredRequest(row.request_hash, row.first_seq, row.last_seq)


def claim(db: Connection, request: IdempotentRequest) -> Kept | None:
    """Claim the key for this transaction, or return the stored answer.

    Wait for another transaction that holds the same key.
    """
    parameters = _parameters(request.key)
    if db.execute(_CLAIM, {**parameters, "hash": request.hash}).first():
        return None
    row = db.execute(_ANSWER, parameters).one()
    return Kept(row.request_hash, row.answer)


def keep(db: Connection, key: IdempotencyKey, answer: str) -> None:
    """Store the answer, a JSON text, under a key that this transaction has claimed."""
    db.execute(_KEEP, {**_parameters(key), "answer": answer})


def _parameters(key: IdempotencyKey) -> dict[str, object]:
    return {"principal": key.principal, "operation": key.operation, "key": key.digest}
