"""Games whose deadlines pass, and what workers do about them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from freezegun import freeze_time
from sqlalchemy import Connection, text

from service.log.recorded import Recorded
from service.players.player import substitute_action
from service.rules.pace import Pace
from service.runtime import Runtime
from service.shared import clock
from service.store import events, outbox
from service.store.games import Games, Position
from service.store.pace import fire_timer
from tests.builders import now_at, paced
from workers.jobs import carry_out

HOUR = timedelta(hours=1)
AT_ONCE = Pace(free=0, bank=0, credit=0, cap=0)
"""A pace at which each wait is over as it begins."""
HOURLY = Pace(free=3600, bank=0, credit=0, cap=7200)

_DUE = text("""
select id, payload from outbox where game_id = :game and kind = :kind and state = 'pending' order by due_at, id
""")


def begun(games: Games, ago: timedelta, pace: Pace = HOURLY, **how: Any) -> Position:
    """Return a game with a clock that began a while ago."""
    with freeze_time(clock.now() - ago, tick=True):
        return paced(games, pace, **how)


def pending(games: Games, position: Position, kind: str = "lapse") -> list[Any]:
    """Return id and payload of the pending outbox rows of a game, in the order in which they are due.

    Those of lapses are written when its timers fire, which they do now, whether they are due or not.
    """
    with games.engine.begin() as db:
        if kind == "lapse":
            fired(db, position)
        return list(db.execute(_DUE, {"game": position.game.id, "kind": kind}))


def fired(db: Connection, position: Position) -> None:
    """Let the timers of a game fire as if all of its deadlines had passed."""
    for timer in db.execute(_DUE, {"game": position.game.id, "kind": "timer"}).all():
        row = outbox.lock(db, timer.id)
        if row is not None:
            fire_timer(db, row, until=datetime.max.replace(tzinfo=UTC))


def carried_out(runtime: Runtime, position: Position, kind: str = "lapse", seat: int | None = None) -> Position:
    """Carry out the rows of a game that are pending now, or those of a seat; return the game after that."""
    for row in pending(runtime.games, position, kind):
        if seat is None or row.payload["seat"] == seat:
            carry_out(runtime, row.id)
    return now_at(runtime.games, position.game.id)


def stood_in(runtime: Runtime, position: Position) -> Position:
    """Let the lapses that are due be carried out, and the stand-in play until nothing is left for it."""
    position = carried_out(runtime, position)
    while pending(runtime.games, position, "automaton"):
        position = carried_out(runtime, position, "automaton")
    return position


def instead_of(position: Position, seat: int) -> Any:
    """Return the action that the stand-in has to play for a seat."""
    game, seats = position.game, position.game.seats
    return substitute_action(position.ruleset, seats, str(game.id), position.decision, position.state, seat)


def logged(games: Games, position: Position, *kinds: type[Any]) -> list[Recorded]:
    """Return what the log of the game tells of these kinds."""
    with games.engine.connect() as db:
        log = events.read(db, position.codec, position.game.id)
    return [each for each in log if isinstance(each.event, kinds)]


def read(games: Games, row_id: int) -> outbox.OutboxRow | None:
    """Return a row that is pending."""
    with games.engine.connect() as db:
        return outbox.read(db, row_id)


def seen(games: Games, what: str, at: datetime) -> None:
    """Have a part of the service last been seen at a moment."""
    with games.engine.begin() as db:
        db.execute(
            text("insert into last_seen values (:what, :at) on conflict (what) do update set seen_at = :at"),
            {"what": what, "at": at},
        )
