"""Ends pauses whose time has come."""

from __future__ import annotations

from service.handlers.pause import end_pause
from service.log.recorded import instant
from service.runtime import Runtime
from service.shared import clock
from service.store import outbox


def end(runtime: Runtime, row_id: int) -> None:
    """End the pause that the row is about (payload `until`), exactly once: that settles the row in its transaction."""
    with runtime.engine.begin() as db:
        row = outbox.read(db, row_id)
    if row is None or end_pause(runtime.games, row.game_id, row.payload["until"], clock.now()):
        return
    # This process's clock is behind that of the database.
    with runtime.engine.begin() as db:
        outbox.later(db, row_id, instant(row.payload["until"]) - clock.now(), 0)
