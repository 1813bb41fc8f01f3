"""The log of operators: each act with its actor, its subject and its reason, written in the transaction of the act."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from sqlalchemy import Connection, insert, text

from service.store.suppression import OF_PLAYER
from service.store.tables import operator_event

SubjectKind = Literal["player", "game", "address", "outbox", "keys", "service", "report", "league"]

_EVENT = "select id, at, actor, act, subject_kind, subject, reason, details from operator_event"
_LAST = text(f"{_EVENT} order by id desc limit :limit")
_OF = text(f"{_EVENT} where subject_kind = :kind and subject = :subject order by id")
_CONCERNING = text(f"""
{_EVENT} where (subject_kind = 'player' and subject = cast(:player as text))
   or (subject_kind = 'address'
       and subject = (select encode({OF_PLAYER}, 'hex') from player where id = :player and email is not null))
 order by id
""")  # noqa: S608 - constants


@dataclass(frozen=True, slots=True)
class Operator:
    """Who acts, `player:` and an id or `shell:` and a name, and the reason that those concerned are shown.

    The reason is empty for what operators do to their own account.
    """

    actor: str
    reason: str


@dataclass(frozen=True, slots=True)
class OperatorEvent:
    """An act in the log; `act` is a past participle, `details` hold no secret."""

    id: int
    at: datetime
    actor: str
    act: str
    subject_kind: SubjectKind
    subject: str
    reason: str
    details: Mapping[str, Any]


def note(
    db: Connection,
    by: Operator,
    act: str,
    kind: SubjectKind,
    subject: object,
    now: datetime,
    /,
    **details: Any,
) -> None:
    """Write an act to the log; it commits with the act itself."""
    values = {"at": now, "actor": by.actor, "act": act, "reason": by.reason, "details": details}
    db.execute(insert(operator_event).values(**values, subject_kind=kind, subject=str(subject)))


def latest(db: Connection, limit: int) -> Sequence[OperatorEvent]:
    """Return the last acts, the newest first."""
    return _events(db.execute(_LAST, {"limit": limit}))


def acts_on(db: Connection, kind: SubjectKind, subject: object) -> Sequence[OperatorEvent]:
    """Return the acts on one subject, the oldest first."""
    return _events(db.execute(_OF, {"kind": kind, "subject": str(subject)}))


def acts_concerning(db: Connection, player: UUID) -> Sequence[OperatorEvent]:
    """Return the acts on a player's account and on its address, the oldest first."""
    return _events(db.execute(_CONCERNING, {"player": player}))


def _events(rows: Iterable[Any]) -> list[OperatorEvent]:
    return [OperatorEvent(*row) for row in rows]
