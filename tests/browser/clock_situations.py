"""Tables with a clock, as the pages show them: deadlines, absences, pauses, moves given ahead."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from service.handlers import orders, pace
from service.handlers.orders import NewOrder
from service.handlers.pace import AbsencePlan
from service.rules.pace import PACES
from service.shared import clock
from service.store.games import Games, Position
from tests.builders import paced
from tests.letters import link
from tests.people import Person, register
from tests.reminding import lapses, stands_in

Place = tuple[str, str, Person | None]
"""Name of a situation, its path, and the person at the browser."""


def clock_situations(games: Games, people: tuple[Person, ...]) -> Iterator[Place]:
    """Yield the tables of these people, at which a fourth player is away."""
    away = register(games, "Dora", None, people[0].language)
    until = clock.now() + timedelta(days=6)
    pace.announce_absence(games, away.id, AbsencePlan(until.date()), clock.now())
    seated = [*people, away]
    running = _table(games, seated)
    pace.tell_absences(games, running.game.id)
    page = f"/games/{running.game.id}"
    yield "clock-table", page, people[0]
    yield "clock-link", link(games, running, 0), None
    yield "clock-table-spectator", page, None
    yield "clock-settings-away", "/settings/away", away
    given = [NewOrder(running.ruleset.parse(each)) for each in ("P D D", "P 1 2")]
    orders.give(games, running.game.id, people[1].id, given, clock.now())
    yield "clock-table-orders", page, people[1]
    yield "clock-table-absent", f"/games/{_absent(games, people).game.id}", people[0]
    paused = _table(games, people).game.id
    pace.propose_pause(games, paused, people[0].id, until, "web", clock.now())
    yield "clock-table-pause-proposed", f"/games/{paused}", people[1]


def _table(games: Games, people: list[Person] | tuple[Person, ...]) -> Position:
    return paced(games, PACES["daily"], "new-corp-order", people, **{"first-player": 0})


def _absent(games: Games, people: tuple[Person, ...]) -> Position:
    """Return a game whose first player has not acted three times in a row."""
    position = paced(games, PACES["daily"], "sealed-bids", people)
    for _ in range(2):
        for seat in range(3):
            position = stands_in(games, lapses(games, position, seat), seat)
    return lapses(games, position, 0)
