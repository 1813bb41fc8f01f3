"""Carries out lapses, and looks out for outages before any lapse is handed out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import monotonic
from typing import Final

import structlog
from sqlalchemy import Engine

from service.handlers.lapse import lapse
from service.handlers.transaction import transaction
from service.runtime import Runtime
from service.store import outbox, pace
from service.store.heartbeats import SILENT

EVERY: Final = 5.0
"""Seconds between two looks."""
log = structlog.get_logger()


def carry_out(runtime: Runtime, row_id: int) -> None:
    """Carry out the row's lapse, exactly once: its own transaction settles the row."""
    lapse(runtime.games, row_id)


def fire(runtime: Runtime, row_id: int) -> None:
    """Let the game's timer fire that the relay found locked."""
    with transaction(runtime.engine) as db:
        row = outbox.lock(db, row_id)
        if row is not None:
            pace.fire_timer(db, row)


class Lookout:
    """Has written down when relay, outgoing mail and web servers were not there (T-15); any number may look."""

    def __init__(self, engine: Engine, mails: Sequence[str], time: Callable[[], float] = monotonic) -> None:
        """`mails` are the kinds of outbox rows that are mails."""
        self._engine, self._mails, self._time = engine, mails, time
        self._due = 0.0

    def look(self) -> None:
        """Look, unless that has just been done."""
        if self._time() < self._due:
            return
        with self._engine.begin() as db:
            ended = pace.note_outages(db, self._mails)
        self._due = self._time() + EVERY
        for each in ended:
            seconds = (each.ended - each.began).total_seconds()
            say = log.error if seconds > SILENT else log.warning
            say("outage is over", part=each.what, seconds=round(seconds))
