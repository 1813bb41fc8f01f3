"""Operators in tests: Zoë, who looks after the service from its machine, and what the log says of her acts."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import text

from service.handlers.sessions import let_in
from service.runtime import Runtime
from service.shared import clock
from service.store.games import Games
from service.store.operation import Operator, OperatorEvent, acts_on, latest_operator_acts
from tests.people import Person

ZOE = Operator("shell:zoe", "spam at every table")
_VERIFIED = text("update player set email_verified = true, email_confirmed = true where id = :id")


def last_act(games: Games) -> OperatorEvent:
    """Return the last act in the log of operators."""
    with games.engine.connect() as db:
        return latest_operator_acts(db, 1)[0]


def acts_of(games: Games, kind: Any, subject: object) -> list[str]:
    """Return the acts on a subject, the oldest first."""
    with games.engine.connect() as db:
        return [each.act for each in acts_on(db, kind, subject)]


def verified(games: Games, person: Person) -> Person:
    """Return the person after they have signed in with their address, which nobody else has."""
    with games.engine.begin() as db:
        db.execute(_VERIFIED, {"id": person.id})
        let_in(db, person.id, clock.now(), "mail")
    return person


@contextmanager
def nothing_in_force(runtime: Runtime) -> Iterator[None]:
    """Let what is put in force in the block end with it, in the database and in this process."""
    try:
        yield
    finally:
        with runtime.engine.begin() as db:
            db.execute(text("delete from mode"))
        runtime.mode.look()
