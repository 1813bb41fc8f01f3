"""An operator answers a report of a player, which closes it."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from sqlalchemy import text

from service.handlers.refusals import UnknownSubject
from service.handlers.transaction import transaction
from service.store.games import Games
from service.store.operation import Operator, note_operator_act

_ANSWER = text("""
update report set answer = :answer, answered_at = :now where id = :id and answer is null returning reported
""")


def answer(games: Games, report: UUID, words: str, by: Operator, now: datetime) -> None:
    """Answer a report that is open; its reporter is shown the words. UnknownSubject."""
    with transaction(games.engine) as db:
        if db.execute(_ANSWER, {"id": report, "answer": words, "now": now}).first() is None:
            raise UnknownSubject
        note_operator_act(db, by, "report-answered", "report", report, now)
