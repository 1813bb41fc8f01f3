"""Idempotency keys: a repeated request gets the stored answer and is carried out once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from sqlalchemy import Connection

from service.handlers.refusals import KeyReused
from service.store import idempotency
from service.store.idempotency import IdempotentRequest

Done = TypeVar("Done")


@dataclass(frozen=True, slots=True)
class Receipt(Generic[Done]):
    """A request with a key; `tell` turns its result into the stored answer (JSON text without tokens)."""

    request: IdempotentRequest
    tell: Callable[[Done], str]


class Repeated(Exception):
    """The request was answered before, by `answer`."""

    def __init__(self, answer: str) -> None:
        super().__init__("answered before")
        self.answer = answer


def claim(db: Connection, receipt: Receipt[Done] | None) -> None:
    """Begin a request: lock its key, if any, until the transaction ends; Repeated, KeyReused."""
    if receipt is None:
        return
    kept = idempotency.claim(db, receipt.request)
    if kept is None:
        return
    if kept.request_hash != receipt.request.hash:
        raise KeyReused
    raise Repeated(kept.answer)


def keep(db: Connection, receipt: Receipt[Done] | None, done: Done) -> None:
    """End a request: store its answer under its key, if any, in the transaction that carries it out."""
    if receipt is not None:
        idempotency.keep(db, receipt.request.key, receipt.tell(done))
