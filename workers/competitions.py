"""The steps of leagues and tournaments, each exactly once: it settles its row in its own transaction."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Final
from uuid import UUID

from sqlalchemy import Connection

from service.handlers import leagues, rounds, seasons, tournaments
from service.handlers.lobby import notify
from service.log.recorded import instant
from service.runtime import Runtime
from service.shared import clock
from service.store import competition, outbox
from service.store.outbox import OutboxRow

Step = Callable[[Connection, OutboxRow], None]
LOOK_AGAIN: Final = timedelta(seconds=15)
"""The longest wait of a process whose clock is behind."""


def begin_season(runtime: Runtime, row_id: int) -> None:
    """Begin the season that the row is about (payload `competition`, `until`)."""

    def begin(db: Connection, row: OutboxRow) -> None:
        season, until = UUID(row.payload["competition"]), row.payload["until"]
        leagues.begin_season(db, runtime.games, season, until, clock.now())

    _carry_out(runtime, row_id, begin)


def remind_of_entry(runtime: Runtime, row_id: int) -> None:
    """Write the reminders that entry into a season ends soon (payload `competition`)."""

    def remind(db: Connection, row: OutboxRow) -> None:
        found = competition.read_competition(db, UUID(row.payload["competition"]))
        if found is not None:
            seasons.remind(db, found)

    _carry_out(runtime, row_id, remind, timed=False)


def make_game(runtime: Runtime, row_id: int) -> None:
    """Make the game of the pairing that the row is about (payload `pairing`)."""
    with runtime.engine.begin() as db:
        row = outbox.lock(db, row_id)
        if row is None:
            return
        position = rounds.make_game(db, runtime.games, UUID(row.payload["pairing"]), clock.now())
        outbox.finish(db, row_id, "done")
    if position is not None:
        notify(runtime.games, position)
    runtime.games.wake()


def count_game(runtime: Runtime, row_id: int) -> None:
    """Count the game that the row is about, which is over."""
    _carry_out(runtime, row_id, lambda db, row: rounds.count_game(db, runtime.games, row.game_id, clock.now()))


def go_on(runtime: Runtime, row_id: int) -> None:
    """Begin the next round of a tournament without a host (payload `competition`, `round`)."""

    def begin(db: Connection, row: OutboxRow) -> None:
        tournament, number = UUID(row.payload["competition"]), row.payload["round"]
        tournaments.go_on(db, runtime.games, tournament, number, clock.now())

    _carry_out(runtime, row_id, begin)


def _carry_out(runtime: Runtime, row_id: int, step: Step, timed: bool = True) -> None:
    with runtime.engine.begin() as db:
        row = outbox.lock(db, row_id)
        if row is None:
            return
        early = instant(row.payload["until"]) - clock.now() if timed and "until" in row.payload else timedelta(0)
        if early > timedelta(0):
            # The row is due by the database's clock, and facts are dated by this process's.
            outbox.later(db, row_id, min(early, LOOK_AGAIN), 0)
            return
        step(db, row)
        outbox.finish(db, row_id, "done")
    runtime.games.wake()
