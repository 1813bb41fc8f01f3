"""Renews links: a request for a fresh link is answered by mail."""

from __future__ import annotations

from service.handlers import fresh_links
from service.runtime import Runtime
from service.shared import clock
from service.store import outbox


def renew(runtime: Runtime, row_id: int) -> None:
    """Have the mail written that the row asks for, if there is anything to write."""
    with runtime.engine.begin() as db:
        row = outbox.lock(db, row_id)
        if row is None:
            return
        written = fresh_links.answer(db, runtime.games, bytes.fromhex(row.payload["link"]), clock.now())
        outbox.finish(db, row_id, "done" if written else "skipped")
    runtime.games.wake()
