"""Writes the results of rated games, and rates their players."""

from __future__ import annotations

from service.handlers.results import record_result
from service.runtime import Runtime
from service.store import outbox


def record(runtime: Runtime, row_id: int) -> None:
    """Write the result of the finished game that the row is about, once, with the ratings that follow from it."""
    with runtime.engine.begin() as db:
        row = outbox.lock(db, row_id)
        if row is None:
            return
        record_result(db, runtime.games, row.game_id)
        outbox.finish(db, row_id, "done")
