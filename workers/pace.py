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

# Begins and ends the absences of players: in the logs of their games, and in the mails that waited for them.

ABSENCE_LOOKED_AT_AGAIN: Final = timedelta(seconds=15)
"""The longest wait of a process whose clock is behind."""
log = structlog.get_logger()


def carry_out_absence(runtime: Runtime, row_id: int) -> None:
    """Bring the logs of a player's games in line (payload `player`, `at`), and at a return send the mails held back.

    Each game is a transaction of its own, and one that is in line already is left as it is.
    """
    with runtime.engine.begin() as db:
        row = outbox.read(db, row_id)
        if row is None:
            return
        player, at = UUID(row.payload["player"]), instant(row.payload["at"])
        now = clock.now()
        if now < at:
            # The row is due by the database's clock, and facts are dated by this process's.
            outbox.later(db, row_id, min(at - now, ABSENCE_LOOKED_AT_AGAIN), 0)
            return
        clocked = pace.clocked_games(db, player)
    failed = [error for game in clocked if (error := _failure(runtime, game))]
    if failed:
        # An error of the game itself, if there is one.
        raise min(failed, key=is_outage)
    with runtime.engine.begin() as db:
        if pace.has_absence_ended(db, player, at) and not pace.is_away(db, player, now):
            send_held_mails(db, player, at, now)
        outbox.finish(db, row_id, "done")
    runtime.games.wake()


def _failure(runtime: Runtime, game: UUID) -> Exception | None:
    """Bring the log of a game in line; return the error if it cannot be: it must not hold up the other games."""
    try:
        tell_absences(runtime.games, game)
    except Exception as error:
        # Only the class is noted: a message may quote what is hidden.
        log.warning("absence not told", game=str(game), error=error_class(error))
        return error
    return None


# Carries out lapses, and looks out for outages before any lapse is handed out.

LOOKOUT_EVERY: Final = 5.0
"""Seconds between two looks."""


def carry_out_lapse(runtime: Runtime, row_id: int) -> None:
    """Carry out the row's lapse, exactly once: its own transaction settles the row."""
    lapse(runtime.games, row_id)


def fire_timer(runtime: Runtime, row_id: int) -> None:
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
        self._due = self._time() + LOOKOUT_EVERY
        for each in ended:
            seconds = (each.ended - each.began).total_seconds()
            say = log.error if seconds > SILENT else log.warning
            say("outage is over", part=each.what, seconds=round(seconds))


# Ends pauses whose time has come.


def carry_out_pause_end(runtime: Runtime, row_id: int) -> None:
    """End the pause that the row is about (payload `until`), exactly once: that settles the row in its transaction."""
    with runtime.engine.begin() as db:
        row = outbox.read(db, row_id)
    if row is None or end_pause(runtime.games, row.game_id, row.payload["until"], clock.now()):
        return
    # This process's clock is behind that of the database.
    with runtime.engine.begin() as db:
        outbox.later(db, row_id, instant(row.payload["until"]) - clock.now(), 0)
