"""Effects of absences, lapses and pauses."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import timedelta
from time import monotonic
from typing import Final
from uuid import UUID

import structlog
from sqlalchemy import Engine

from service.handlers.lapse import lapse
from service.handlers.pace import end_pause, tell_absences
from service.handlers.transaction import transaction
from service.log.recorded import instant
from service.mail.pace import send_held_mails
from service.runtime import Runtime
from service.shared import clock
from service.shared.error_class import error_class
from service.store import outbox, pace
from service.store.heartbeats import SILENT
from workers.outage import is_outage

# Absences: begin and end them in the logs of games, and send the mails that waited for the end.

ABSENCE_LOOKED_AT_AGAIN: Final = timedelta(seconds=15)
"""Longest wait of a process whose clock is behind."""
log = structlog.get_logger()


def carry_out_absence(runtime: Runtime, row_id: int) -> None:
    """Bring the logs of a player's games up to date (payload `player`, `at`), and at a return send the held mails.

    Each game has its own transaction, and a game that is up to date is not changed.
    """
    with runtime.engine.begin() as db:
        row = outbox.read(db, row_id)
        if row is None:
            return
        player, at = UUID(row.payload["player"]), instant(row.payload["at"])
        now = clock.now()
        if now < at:
            # The row is due by the database's clock, and events are dated by this process's.
            outbox.later(db, row_id, min(at - now, ABSENCE_LOOKED_AT_AGAIN), 0)
            return
        clocked = pace.clocked_games(db, player)
    failed = [error for game in clocked if (error := _failure(runtime, game))]
    if failed:
        # Prefer an error of a game itself to an outage.
        raise min(failed, key=is_outage)
    with runtime.engine.begin() as db:
        if pace.has_absence_ended(db, player, at) and not pace.is_away(db, player, now):
            send_held_mails(db, player, at, now)
        outbox.finish(db, row_id, "done")
    runtime.games.wake()


def _failure(runtime: Runtime, game: UUID) -> Exception | None:
    """Bring the log of a game up to date; return an error, so that it does not hold up the other games."""
    try:
        tell_absences(runtime.games, game)
    except Exception as error:
        # Log only the class: a message may quote hidden information.
        log.warning("absence not told", game=str(game), error=error_class(error))
        return error
    return None


# Lapses, and the look-out for outages before any lapse is handed out.

LOOKOUT_EVERY: Final = 5.0
"""Seconds between two looks."""


def carry_out_lapse(runtime: Runtime, row_id: int) -> None:
    """Carry out the row's lapse, exactly once: its own transaction settles the row."""
    lapse(runtime.games, row_id)


def fire_timer(runtime: Runtime, row_id: int) -> None:
    """Fire the timer of a game that was locked when the relay looked."""
    with transaction(runtime.engine) as db:
        row = outbox.lock(db, row_id)
        if row is not None:
            pace.fire_timer(db, row)


class Lookout:
    """Recorder of outages of relay, outgoing mail and web servers (T-15); any number may run."""

    def __init__(self, engine: Engine, mails: Sequence[str], time: Callable[[], float] = monotonic) -> None:
        """Take `mails`, the kinds of outbox rows that are mails."""
        self._engine, self._mails, self._time = engine, mails, time
        self._due = 0.0

    def look(self) -> None:
        """Look, unless the last look was less than LOOKOUT_EVERY seconds ago."""
        if self._time() < self._due:
            return
        with self._engine.begin() as db:
            ended = pace.note_outages(db, self._mails)
        self._due = self._time() + LOOKOUT_EVERY
        for each in ended:
            seconds = (each.ended - each.began).total_seconds()
            say = log.error if seconds > SILENT else log.warning
            say("outage is over", part=each.what, seconds=round(seconds))


# Ends of pauses.


def carry_out_pause_end(runtime: Runtime, row_id: int) -> None:
    """End the row's pause (payload `until`), exactly once: its transaction settles the row."""
    with runtime.engine.begin() as db:
        row = outbox.read(db, row_id)
    if row is None or end_pause(runtime.games, row.game_id, row.payload["until"], clock.now()):
        return
    # This process's clock is behind that of the database.
    with runtime.engine.begin() as db:
        outbox.later(db, row_id, instant(row.payload["until"]) - clock.now(), 0)
