"""Absences in tests: the clock stands where a test puts it, and the rows of the outbox are carried out when it says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import text

from service.log.recorded import Recorded
from service.rules.pace import PACES, Pace
from service.runtime import Runtime
from service.shared import clock
from service.store import events
from service.store.game_row import Terms
from service.store.games import Games, Position
from tests.builders import now_at, started
from tests.people import Person
from workers.pace import carry_out_absence

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
"""A Monday."""
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
DAILY = PACES["daily"]

_DUE = text("""
select id from outbox where kind = 'absence' and state = 'pending' and payload ->> 'player' = :player
   and cast(payload ->> 'at' as bigint) <= :now order by not_before, id
""")


@dataclass(slots=True)
class Clock:
    """The clock of the test."""

    now: datetime = NOON

    def pass_time(self, time: timedelta) -> datetime:
        """Let time pass; return the moment."""
        self.now += time
        return self.now


def stopped_clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Return a clock that shows what the test says, to all that ask for the time in this process."""
    stopped = Clock()
    monkeypatch.setattr(clock, "now", lambda: stopped.now)
    return stopped


def clocked(games: Games, people: Sequence[Person], pace: Pace = DAILY, ruleset: str = "sealed-bids") -> Position:
    """Return a game with a clock at its first decision."""
    return started(games, ruleset, people, terms=Terms(access="public", pace=pace))


def carry_out(runtime: Runtime, person: Person, now: datetime) -> int:
    """Have the rows about a player's absences carried out that are due by the clock of the test; return how many."""
    due = due_rows(runtime, person, now)
    for row in due:
        carry_out_absence(runtime, row)
    return len(due)


def due_rows(runtime: Runtime, person: Person, now: datetime) -> Sequence[int]:
    """Return the rows about a player's absences that are due."""
    values = {"player": str(person.id), "now": round(now.timestamp() * 1000)}
    with runtime.engine.connect() as db:
        return db.execute(_DUE, values).scalars().all()


def told(games: Games, game: UUID, *kinds: type[Any]) -> list[Recorded]:
    """Return the events of these kinds in the log of a game."""
    position = now_at(games, game)
    with games.engine.connect() as db:
        log = events.read(db, position.codec, game, 0, position.version)
    return [each for each in log if isinstance(each.event, kinds)]


def deadline_of(position: Position, seat: int) -> int:
    """Return the deadline of a seat that waits."""
    assert position.clocks is not None
    deadline = position.clocks.deadline(seat)
    assert deadline is not None
    return deadline
