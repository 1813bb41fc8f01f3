"""Games with a clock, what happens to it, and the rows of the outbox that reminders and lapses come to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import text

from service.handlers import lobby
from service.handlers.append import record
from service.handlers.play import play_automaton
from service.handlers.transaction import transaction
from service.mail.pace import plan_reminders, remind
from service.rules.pace import PACES, Pace
from service.rules.shared_events import TimeLapsed
from service.runtime import Runtime
from service.shared import clock
from service.store.events import Cause
from service.store.game_row import Terms
from service.store.games import Games, Position
from tests.builders import now_at, table_for
from tests.people import Person, alice, bob, carol
from workers.relay import Relay

HOUR = timedelta(hours=1)
AT_ONCE = Pace(free=0, bank=0, credit=0, cap=0)
"""A pace at which each wait is over as it begins."""
_ROWS = text(
    "select id, payload, not_before as due_at, state from outbox where game_id = :game and kind = :kind order by id"
)


def paced(
    games: Games,
    pace: Pace = PACES["daily"],
    ruleset: str = "sealed-bids",
    people: Sequence[Person] = (),
    **options: Any,
) -> Position:
    """Return a game with a clock at its first decision, of Alice, Bob and Carol unless told."""
    seated = people or [alice(games), bob(games), carol(games)]
    game = table_for(games, ruleset, seated[0], len(seated), Terms(access="public", pace=pace), **options)
    for person in seated[1:]:
        lobby.join(games, game, person.id, clock.now())
    return lobby.start(games, game, seated[0].id, clock.now())


def happens(games: Games, position: Position, event: Any, door: str = "api") -> Position:
    """Append a fact of time."""
    with transaction(games.engine) as db:
        now = games.lock(db, position.game.id)
        after, _ = record(db, now, [event], Cause(event.seat, door, now.decision))
    games.committed(after)
    return after


def lapses(games: Games, position: Position, seat: int, ends: bool = False) -> Position:
    """Let a seat's time lapse now."""
    deadline = None if position.clocks is None else position.clocks.deadline(seat)
    assert deadline is not None
    fact = TimeLapsed(seat=seat, decision=position.decision, deadline=deadline, ends=ends)
    return happens(games, position, fact, "timeout")


def stands_in(games: Games, position: Position, seat: int) -> Position:
    """Let the stand-in play for a seat until nothing is left for it."""
    while play_automaton(games, position.game.id, seat):
        pass
    return now_at(games, position.game.id)


def rows(games: Games, position: Position, kind: str, state: str = "pending") -> list[Any]:
    """Return the rows of a kind about the game in the outbox that are in a state."""
    with games.engine.connect() as db:
        found = db.execute(_ROWS, {"game": position.game.id, "kind": kind}).all()
    return [row for row in found if row.state == state]


def planned_for(games: Games, position: Position, seat: int) -> list[Any]:
    """Return the reminders that are planned for a seat."""
    return [row for row in rows(games, position, "remind") if row.payload["seat"] == seat]


def plans(games: Games, position: Position, now: datetime | None = None) -> None:
    """Have the reminders planned that the turn mails of a game bring with them."""
    for row in rows(games, position, "turn-mail"):
        plan_reminders(games, row.id, now or clock.now())


def reminds(games: Games, position: Position, seat: int, now: datetime) -> list[Any]:
    """Carry out the reminders that are due for a seat at a moment; return the mails that are written for it by then."""
    while due := [row for row in planned_for(games, position, seat) if row.due_at <= now]:
        for row in due:
            remind(games, row.id, now)
    return [row for row in rows(games, position, "reminder") if row.payload["seat"] == seat]


def run(runtime: Runtime) -> None:
    """Carry out what is due."""
    relay = Relay(replace(runtime, redis=None))
    while relay.drain():
        pass


def asked_at(position: Position, seat: int) -> datetime:
    """Return when the wait of a seat began."""
    assert position.clocks is not None
    return datetime.fromtimestamp(position.clocks.waits[seat].asked / 1000, UTC)


ALICE, BOB = 0, 1
HALF, TENTH = 60 * HOUR, 108 * HOUR
"""Times at which the reminders are due at the pace `daily`, after the wait has begun."""


def numbers(found: list[Any]) -> list[int]:
    """Return which reminder each row is: the first or the second."""
    return [row.payload["number"] for row in found]


def after(position: Position, time: timedelta) -> datetime:
    """The moment so long after Alice was asked."""
    return asked_at(position, ALICE) + time
