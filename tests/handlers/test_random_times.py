"""Whole random games by a clock, with all that people and the service do about time: `SEED=7` plays others."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from math import inf
from random import Random
from typing import Any, Final

import pytest
from freezegun import freeze_time
from sqlalchemy import text

from service.audit.inspect import examine, whole_record
from service.handlers import orders
from service.handlers import take_back as handlers_take_back
from service.handlers.orders import NewOrder
from service.handlers.pace import (
    AbsencePlan,
    agree_to_pause,
    announce_absence,
    end_absence,
    give_time,
    propose_pause,
    return_from_absence,
    stop_pause,
    tell_absences,
)
from service.handlers.play import Move, play, resign
from service.handlers.take_back import Wish, take_back
from service.log.recorded import instant, milliseconds
from service.record.verify import verify
from service.rules.pace import PACES, Pace
from service.rules.shared_events import TimeLapsed
from service.runtime import Runtime
from service.shared import clock
from service.shared.refusal import Refusal
from service.store.games import Games, Position
from tests.builders import now_at, paced
from tests.lapsing import logged, pending
from tests.people import Person, alice, bob, carol
from tests.record.clocked import WEEKDAYS, clocks_of
from tests.record.records import KEYS, RULESETS, SEALED_AT, SIGNER
from workers.jobs import carry_out

pytestmark = pytest.mark.slow

SEED: Final = int(os.environ.get("SEED") or 1)
GAMES: Final = 6
LIVELY: Final = 100
"""Steps after which nobody does anything any more, and the service alone brings the game to its end."""
LONGEST: Final = 1500
"""Steps after which a game that goes on still is one that never ends."""
PACES_PLAYED: Final = (
    PACES["brisk"],
    WEEKDAYS,
    PACES["live"],
    PACES["daily"],
    Pace(free=3600, bank=0, credit=30, cap=7201, weekdays="America/Santiago"),
)
KINDS: Final = ("absence", "lapse", "automaton", "order", "pause-end")
DAY: Final = timedelta(days=1)
# Deadlines lapse by the database's clock too, which is not frozen: all games are of the past.
LONG_AGO: Final = timedelta(days=1500)
# What other games knew of outages, and when the parts of the service were last seen.
_NO_OUTAGE = (text("delete from outage"), text("update last_seen set seen_at = now() + interval '1 hour'"))
_OUTAGE = text("insert into outage (what, began_at, ended_at) values ('mail', :began, :ended)")
_WAITING = text("""
select kind, payload, (extract(epoch from due_at) * 1000)::bigint as due from outbox
 where game_id = :game and kind in ('timer', 'lapse') and state = 'pending'
""")
_ROW = text("select awaited, deadlines from game where id = :game")


class Game:
    """A random game: `step` is something that happens in it."""

    def __init__(self, runtime: Runtime, position: Position, rng: Random, frozen: Any) -> None:
        self.runtime, self.games, self.id = runtime, runtime.games, position.game.id
        self.rng, self.frozen = rng, frozen
        self.moves: list[tuple[int, int]] = []
        self.refused = 0

    def step(self, lively: bool) -> None:
        """Let time pass, then the service do what is due, or somebody do something."""
        hours = self.rng.choice([0, 0, 1, 4, 20]) if lively else self.rng.choice([1, 30, 200])
        self.frozen.tick(timedelta(hours=hours, seconds=self.rng.randrange(60), milliseconds=self.rng.randrange(1000)))
        if not lively or self.rng.random() < 0.4:
            self.work()
            return
        position = now_at(self.games, self.id)
        seat = self.rng.choice(range(position.game.seats))
        deed = self.rng.choices(list(DEEDS), list(DEEDS.values()))[0]
        try:
            deed(self, position, seat, position.seats[seat].player_id)
        except Refusal:
            self.refused += 1

    def work(self) -> None:
        """Carry out all rows of the game that wait, also those that are not due yet."""
        tell_absences(self.games, self.id)
        for kind in KINDS:
            for row in pending(self.games, now_at(self.games, self.id), kind):
                carry_out(self.runtime, row.id)

    def obeys(self) -> None:
        """Assert what holds at each moment: row, outbox and log tell of the same deadlines."""
        position = now_at(self.games, self.id)
        if position.game.status != "running":
            return
        clocks = clocks_of(position)
        with self.games.engine.connect() as db:
            row = db.execute(_ROW, {"game": self.id}).one()
        wanted = {seat: clocks.deadline(seat) for seat in position.awaited}
        assert dict(zip(row.awaited, [each and milliseconds(each) for each in row.deadlines], strict=True)) == wanted
        with self.games.engine.connect() as db:
            waiting = db.execute(_WAITING, {"game": self.id}).all()
        lapses = {(each.payload["seat"], each.due) for each in waiting if each.kind == "lapse"}
        timer = min((each.due for each in waiting if each.kind == "timer"), default=inf)
        unseen = {(seat, deadline) for seat, deadline in clocks.deadlines() if deadline < timer} - lapses
        assert not unseen, "a deadline that nobody looks at"
        assert set(clocks.waits) == position.awaited


Deed = Callable[[Game, Position, int, Any], object]


def move(game: Game, position: Position, _: int, __: Any) -> None:
    """Make a random legal move, if anybody is awaited."""
    if position.awaited:
        seat = game.rng.choice(sorted(position.awaited))
        action = game.rng.choice(position.ruleset.legal(position.state, seat))
        play(game.games, Move(game.id, seat, position.decision, action, "api", None, position.seats[seat].player_id))
        game.moves.append((seat, position.decision))


def order(game: Game, position: Position, _: int, player: Any) -> None:
    """Give actions ahead that rest on nothing, or cancel all."""
    legal = [each for seat in position.awaited for each in position.ruleset.legal(position.state, seat)]
    made = [NewOrder(game.rng.choice(legal), ()) for _ in range(game.rng.randrange(3)) if legal]
    orders.give(game.games, game.id, player, made, clock.now())


def take_it_back(game: Game, _: Position, __: int, ___: Any) -> None:
    """Take back one of the moves of late."""
    if game.moves:
        seat, decision = game.rng.choice(game.moves[-3:])
        take_back(game.games, Wish(game.id, seat, decision, "web"), timedelta(hours=30), clock.now())


def ask_to_take_back(game: Game, position: Position, _: int, __: Any) -> None:
    """Ask for the last move to be taken back; all others agree, now or a little later."""
    if game.moves:
        seat, decision = game.moves[-1]
        who = position.seats[seat].player_id
        asked = handlers_take_back.ask_to_take_back(game.games, game.id, who, decision, "web", clock.now())
        game.frozen.tick(timedelta(hours=game.rng.choice([0, 2])))
        for other in handlers_take_back.asked_players(position, seat):
            player = position.seats[other].player_id
            handlers_take_back.agree_to_take_back(game.games, game.id, player, asked.request.first, "web", clock.now())


def be_away(game: Game, _: Position, __: int, player: Any) -> None:
    """Announce an absence, or end the present one."""
    if game.rng.random() < 0.3:
        end_absence(game.games, player, None, clock.now())
    else:
        days = timedelta(days=game.rng.randrange(12))
        announce_absence(game.games, player, AbsencePlan(clock.now().date() + days, None, "UTC"), clock.now())


def have_a_pause(game: Game, position: Position, _: int, player: Any) -> None:
    """Propose a pause, and let the others agree."""
    until = clock.now() + timedelta(days=game.rng.randrange(1, 29))
    propose_pause(game.games, game.id, player, until, "web", clock.now())
    proposed = clocks_of(now_at(game.games, game.id)).proposed
    for other in range(position.game.seats) if proposed else ():
        who, at = position.seats[other].player_id, instant(proposed.until)
        agree_to_pause(game.games, game.id, who, at, "web", clock.now())


def go_on(game: Game, _: Position, __: int, player: Any) -> None:
    """End the pause."""
    stop_pause(game.games, game.id, player, "web", clock.now())


def give(game: Game, position: Position, seat: int, player: Any) -> None:
    """Give another seat time."""
    give_time(game.games, game.id, player, (seat + 1) % position.game.seats, "web")


def be_back(game: Game, _: Position, seat: int, player: Any) -> None:
    """Come back after lapses."""
    return_from_absence(game.games, game.id, seat, player, "web")


def give_up(game: Game, position: Position, _: int, player: Any) -> None:
    """Resign, but not as the last but one."""
    if len(position.resigned) < position.game.seats - 2:
        resign(game.games, game.id, player, "web", clock.now())


def break_down(game: Game, _: Position, __: int, ___: Any) -> None:
    """Have mails not leave for some hours, which are just over."""
    began = clock.now()
    game.frozen.tick(timedelta(hours=game.rng.randrange(1, 9)))
    with game.games.engine.begin() as db:
        db.execute(_OUTAGE, {"began": began, "ended": clock.now()})


DEEDS: Final[dict[Deed, int]] = {
    move: 14, order: 3, take_it_back: 2, ask_to_take_back: 2, be_away: 2, have_a_pause: 1, go_on: 2,
    give: 2, be_back: 1, give_up: 1, break_down: 1,
}  # fmt: skip


def played(runtime: Runtime, seed: int) -> Position:
    """Play a random game to its end, and return it."""
    games, rng = runtime.games, Random(seed)
    name = sorted(RULESETS)[seed % len(RULESETS)]
    seats = rng.choice([each for each in RULESETS[name].meta.seats if 1 < each <= len(PEOPLE)])
    people: Sequence[Person] = [make(games, None) for make in PEOPLE[:seats]]
    began = datetime.now(UTC) - LONG_AGO + timedelta(hours=rng.randrange(1000))
    with games.engine.begin() as db:
        for each in _NO_OUTAGE:
            db.execute(each)
    with freeze_time(began) as frozen:
        pace = PACES_PLAYED[seed % len(PACES_PLAYED)]
        game = Game(runtime, paced(games, pace, name, people), rng, frozen)
        for number in range(LONGEST):
            game.step(number < LIVELY)
            game.obeys()
            if now_at(games, game.id).game.status != "running":
                break
    return now_at(games, game.id)


PEOPLE: Final = (alice, bob, carol)


@pytest.mark.parametrize("seed", range(SEED, SEED + GAMES))
def test_whatever_people_do_a_game_by_a_clock_ends_and_its_record_holds(runtime: Runtime, seed: int) -> None:
    games: Games = runtime.games
    # when a random game is played
    position = played(runtime, seed)
    # then it ends
    assert position.game.status == "finished"
    # and the log, what stands beside it and the record say the same
    with games.engine.connect() as db:
        examine(db, games, position.game.id)
        record = whole_record(db, games, position.game.id)
    record.seal(SIGNER, SEALED_AT)
    report = verify(record.text(), RULESETS, KEYS)
    assert report.holds, report.as_json()
    # and no time has lapsed early
    lapses = logged(games, position, TimeLapsed)
    assert all(milliseconds(each.at) >= each.event.deadline for each in lapses)
