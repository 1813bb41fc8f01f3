"""Whole random games that are played by a clock: moves, lapses, absences, pauses and time that is given."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

from freezegun import freeze_time

from service.audit.inspect import whole_record
from service.handlers import lobby
from service.handlers.append import record
from service.handlers.play import play_automaton
from service.log.clocks import Clocks
from service.log.recorded import milliseconds
from service.rules.pace import PACES, Pace
from service.rules.shared_events import (
    GamePaused,
    GameResumed,
    PauseAgreed,
    PauseProposed,
    PauseWithdrawn,
    PlayerAway,
    PlayerBack,
    TimeGiven,
    TimeLapsed,
)
from service.shared import clock
from service.store.events import Cause
from service.store.game_row import Terms
from service.store.games import Games, Position
from tests.builders import act, now_at, table_for
from tests.people import Person
from tests.record.records import SEALED_AT, SIGNER

# No game of these tests may be older than those that others make in the same database.
BEGIN = datetime(2100, 2, 4, 9, tzinfo=UTC)
WEEKDAYS = Pace(free=36 * 3600, bank=24 * 3600, credit=3600, cap=48 * 3600, weekdays="Europe/Paris")
DAY = timedelta(days=1)


def begun(games: Games, ruleset: str, people: list[Person], pace: Pace | None = PACES["daily"]) -> Position:
    """Return a game with a clock at its first decision."""
    game = table_for(games, ruleset, people[0], len(people), Terms(access="public", pace=pace))
    for person in people[1:]:
        lobby.join(games, game, person.id, clock.now())
    return lobby.start(games, game, people[0].id, clock.now())


def noted(games: Games, position: Position, event: Any, door: str = "web") -> Position:
    """Return the game after a fact of time."""
    with games.engine.begin() as db:
        after, _ = record(db, position, [event], Cause(event.seat, door, position.decision))
    games.committed(after)
    return after


def clocks_of(position: Position) -> Clocks:
    """Return the clocks of a game that has some."""
    assert position.clocks is not None
    return position.clocks


def lapsed(games: Games, position: Position, seat: int) -> Position:
    """Return the game after the seat's time has lapsed, and the stand-in has played."""
    deadline = clocks_of(position).deadline(seat)
    assert deadline is not None
    on_lapse = clocks_of(position).pace.on_lapse
    event = TimeLapsed(seat=seat, decision=position.decision, deadline=deadline, ends=on_lapse == "end")
    noted(games, position, event, "timeout")
    return stood_in(games, position)


def stood_in(games: Games, position: Position) -> Position:
    """Return the game after the stand-in has played all that it owes."""
    after = now_at(games, position.game.id)
    while due := after.stood_in & after.to_act:
        assert play_automaton(games, after.game.id, min(due))
        after = now_at(games, after.game.id)
    return after


def random_game(games: Games, ruleset: str, people: list[Person], seed: int, pace: Pace = PACES["brisk"]) -> bytes:
    """Return the sealed record of a random game with a clock."""
    rng = Random(seed)
    with freeze_time(BEGIN) as frozen:
        position = begun(games, ruleset, people, pace)
        while position.game.status == "running":
            position = _step(games, position, rng, frozen)
    with games.engine.connect() as db:
        made = whole_record(db, games, position.game.id)
    made.seal(SIGNER, SEALED_AT)
    return made.text()


def _step(games: Games, position: Position, rng: Random, frozen: Any) -> Position:
    clocks, seats = clocks_of(position), range(position.game.seats)
    frozen.tick(timedelta(seconds=rng.randrange(4 * 3600), milliseconds=rng.randrange(1000)))
    now, seat = milliseconds(clock.now()), rng.choice(seats)
    due = [each for each in clocks.waits if (clocks.deadline(each) or now + 1) <= now]
    if due:
        return lapsed(games, position, due[0])
    if clocks.paused is not None:
        frozen.tick(DAY * rng.randrange(5))
        return noted(games, position, GameResumed(seat=clocks.paused.seat), "worker")
    return _by_chance(games, position, rng, frozen, seat)


def _by_chance(games: Games, position: Position, rng: Random, frozen: Any, seat: int) -> Position:
    clocks, chosen = clocks_of(position), rng.random()
    until = milliseconds(clock.now()) + rng.randrange(1, 20) * 86_400_000
    others = [each for each in clocks.waits if each != seat]
    if seat in clocks.absent or (seat in clocks.away and chosen < 0.5):
        position = stood_in(games, noted(games, position, PlayerBack(seat=seat)))
    elif chosen < 0.1 and seat not in clocks.away:
        position = noted(games, position, PlayerAway(seat=seat, until=until), "worker")
    elif chosen < 0.15:
        position = _paused(games, position, seat, until)
    elif chosen < 0.25 and others:
        event = TimeGiven(seat=others[0], by=seat, seconds=clocks.pace.free, reason="player")
        position = noted(games, position, event)
    elif chosen < 0.5:
        frozen.tick(DAY * 3)
    else:
        mover = rng.choice(sorted(position.awaited))
        action = rng.choice(position.ruleset.legal(position.state, mover))
        position = stood_in(games, act(games, position, mover, action).position)
    return position


def _paused(games: Games, position: Position, seat: int, until: int) -> Position:
    position = noted(games, position, PauseProposed(seat=seat, until=until))
    position = noted(games, position, PauseWithdrawn(seat=seat))
    position = noted(games, position, PauseProposed(seat=seat, until=until))
    for other in range(position.game.seats):
        if other not in {seat, *clocks_of(position).absent}:
            position = noted(games, position, PauseAgreed(seat=other))
    return noted(games, position, GamePaused(seat=seat, until=until))
