"""An action moves a deadline on, and the game's timer stays: a row of the outbox is written for few of them."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest
from freezegun import freeze_time
from sqlalchemy import text

from service.handlers.pace import give_time, restore_waiting
from service.log.recorded import instant
from service.rules.shared_events import TimeLapsed
from service.runtime import Runtime
from service.shared import clock
from service.store import outbox, pace
from service.store.games import Games, Position
from tests.builders import act, first_legal, now_at, paced
from tests.games.sealed_bids.actions import Hold
from tests.house import forget_what_is_due
from tests.lapsing import AT_ONCE, HOUR, HOURLY, begun, logged, seen
from tests.people import alice, bob
from workers.effects import of_urgency
from workers.jobs import carry_out
from workers.relay import Lane

ALICE, BOB, CAROL = 0, 1, 2
_WAITING = text("""
select id, kind, payload, due_at from outbox
 where game_id = :game and state = 'pending' and kind in ('timer', 'lapse') order by due_at, id
""")
_MOVE = text("""
with moved as (update game set timer = :at where id = :game)
update outbox set not_before = :at, due_at = :at, dedupe_key = 'timer:moved:' || game_id
 where game_id = :game and kind = 'timer'
""")
_TIMER = text("select timer from game where id = :game")


@pytest.fixture(autouse=True)
def _quiet(runtime: Runtime) -> None:
    forget_what_is_due(runtime)
    for what in ("relay", "mail", "web"):
        seen(runtime.games, what, clock.now())


def corp(games: Games) -> Position:
    """New Corp Order between Alice, who begins, and Bob, with an hour for each wait."""
    return paced(games, HOURLY, "new-corp-order", [alice(games), bob(games)], **{"first-player": ALICE})


def answered(games: Games, position: Position) -> Position:
    """The game once Alice has made her whole turn."""
    while ALICE in position.awaited:
        position = act(games, position, ALICE, first_legal(position, ALICE)).position
    return position


def waits(games: Games, position: Position) -> list[Any]:
    """Return kind, payload and moment of the rows that wait for the deadlines of a game."""
    with games.engine.connect() as db:
        return list(db.execute(_WAITING, {"game": position.game.id}))


def timer(games: Games, position: Position) -> datetime | None:
    with games.engine.connect() as db:
        found: datetime | None = db.execute(_TIMER, {"game": position.game.id}).scalar_one()
    return found


def deadline(position: Position, seat: int) -> datetime:
    assert position.clocks is not None
    found = position.clocks.deadline(seat)
    assert found is not None
    return instant(found)


def put_timer(games: Games, position: Position, at: datetime) -> None:
    """Have the game's timer fire at a moment."""
    with games.engine.begin() as db:
        db.execute(_MOVE, {"game": position.game.id, "at": at})


def is_due(games: Games, *kinds: str) -> bool:
    with games.engine.connect() as db:
        left = outbox.seconds_left(db, kinds)
    return left is not None and left <= 0


def drained(runtime: Runtime) -> None:
    """Let the relay hand out all that is due, and carry it out."""
    lane = Lane(replace(runtime, redis=None), "moves")
    while lane.drain() or is_due(runtime.games, "timer", "lapse"):
        pass


def test_ten_actions_within_their_deadlines_leave_one_timer(games: Games) -> None:
    # given a game with a clock
    position = corp(games)
    first = deadline(position, ALICE)
    with freeze_time(clock.now()) as frozen:
        # when ten actions are played, one a minute
        for _ in range(10):
            frozen.tick(timedelta(minutes=1))
            (seat,) = position.awaited
            position = act(games, position, seat, first_legal(position, seat)).position
    # then one timer waits, for the deadline that was the first
    assert [(row.kind, row.due_at) for row in waits(games, position)] == [("timer", first)]
    assert timer(games, position) == first


def test_a_timer_whose_deadline_was_moved_on_is_set_anew_and_lets_nothing_lapse(runtime: Runtime, games: Games) -> None:
    # given a game in which Alice answered half an hour before her deadline, which has passed since
    with freeze_time(clock.now() - timedelta(minutes=90), tick=True):
        position = corp(games)
    with freeze_time(clock.now() - timedelta(minutes=45), tick=True):
        position = answered(games, position)
    # when the relay hands out what is due
    drained(runtime)
    # then nothing lapsed, and the timer is that of Bob's deadline
    assert not logged(games, position, TimeLapsed)
    assert [(row.kind, row.due_at) for row in waits(games, position)] == [("timer", deadline(position, BOB))]
    assert timer(games, position) == deadline(position, BOB)


def test_a_timer_that_fires_lets_all_lapse_that_is_due_and_is_set_for_the_next_deadline(
    runtime: Runtime, games: Games
) -> None:
    # given three seats that are asked together, one of which was given an hour more
    position = begun(games, timedelta(minutes=90))
    with freeze_time(clock.now() - timedelta(minutes=80), tick=True):
        position = give_time(games, position.game.id, position.seats[ALICE].player_id, CAROL, "api").position
    # when the relay hands out what is due
    drained(runtime)
    # then the two others have lapsed, and the timer is that of the third
    assert [each.event.seat for each in logged(games, position, TimeLapsed)] == [ALICE, BOB]
    assert [(row.kind, row.due_at) for row in waits(games, position)] == [("timer", deadline(position, CAROL))]


def test_a_deadline_before_the_timer_gets_one_of_its_own(games: Games) -> None:
    # given a timer far ahead, as it is left by a wait with a fuller bank
    position = corp(games)
    put_timer(games, position, clock.now() + 10 * HOUR)
    # when the next seat is asked, whose deadline comes first
    position = answered(games, position)
    # then that deadline has a timer
    assert timer(games, position) == deadline(position, BOB)
    assert ("timer", deadline(position, BOB)) in [(row.kind, row.due_at) for row in waits(games, position)]


def test_a_timer_that_was_lost_is_set_anew_by_the_next_action(games: Games) -> None:
    # given a game whose timer should have fired, and whose row is gone
    position = begun(games, timedelta(minutes=59))
    position = act(games, position, ALICE, Hold()).position
    put_timer(games, position, clock.now() - HOUR)
    with games.engine.begin() as db:
        db.execute(text("delete from outbox where game_id = :game and kind = 'timer'"), {"game": position.game.id})
    # when somebody acts
    position = act(games, position, BOB, Hold()).position
    # then the deadline of the last seat has a timer
    assert [(row.kind, row.due_at) for row in waits(games, position)] == [("timer", deadline(position, CAROL))]


def test_a_timer_of_a_game_that_is_locked_fires_by_a_job_when_the_game_is_free(runtime: Runtime, games: Games) -> None:
    # given a timer that is due, of a game in which an action is being written
    position = begun(games, 2 * HOUR)
    with games.engine.begin() as acting, games.engine.begin() as db:
        games.lock(acting, position.game.id)
        # when the timers fire, then nobody waits and the row is still there
        assert pace.fire_due_timers(db) == 0
    (row,) = waits(games, position)
    # when a worker gets it
    carry_out(runtime, row.id)
    # then all three deadlines are to lapse, and there is no timer
    assert [(row.kind, row.payload["seat"]) for row in waits(games, position)] == [
        ("lapse", seat) for seat in (ALICE, BOB, CAROL)
    ]
    assert timer(games, position) is None


def test_a_game_that_is_over_has_no_timer_once_it_has_fired(runtime: Runtime, games: Games) -> None:
    # given a game that a lapse ends
    position = paced(games, replace(AT_ONCE, on_lapse="end"))
    drained(runtime)
    position = now_at(games, position.game.id)
    assert position.game.status == "finished"
    # then nothing is left to look at
    drained(runtime)
    assert not waits(games, position)


def test_t15_a_deadline_in_the_respite_of_an_outage_is_looked_at_although_the_timer_fired_before(games: Games) -> None:
    # given a timer from before an outage, and deadlines in the half hour after it
    position = begun(games, timedelta(minutes=30))
    put_timer(games, position, clock.now() - 2 * HOUR)
    seen(games, "relay", clock.now() - 3 * HOUR)
    # when the outage is over
    with games.engine.begin() as db:
        pace.note_outages(db, of_urgency("awaited", "mail"))
    # then lapses are due, which will find that time is owed
    assert is_due(games, "lapse")
    assert [row.payload["seat"] for row in waits(games, position) if row.kind == "lapse"] == [ALICE, BOB, CAROL]


def test_rows_of_the_version_before_lapse_beside_a_timer_and_once(runtime: Runtime, games: Games) -> None:
    # given a game whose deadlines have rows of their own, as a process of the version before has written them
    position = begun(games, 2 * HOUR)
    with games.engine.begin() as db:
        pace.reset_timers(db, [position.game.id])
    assert {row.kind for row in waits(games, position)} == {"lapse", "timer"}
    # when the relay hands out what is due
    drained(runtime)
    # then each seat has lapsed once, and what waits is the timer of the next decision
    assert [each.event.seat for each in logged(games, position, TimeLapsed)] == [ALICE, BOB, CAROL]
    position = now_at(games, position.game.id)
    assert [(row.kind, row.due_at) for row in waits(games, position)] == [("timer", deadline(position, ALICE))]


def test_what_is_rebuilt_gives_each_deadline_a_row_that_the_version_before_knows(games: Games) -> None:
    position = corp(games)
    with games.engine.begin() as db:
        db.execute(text("delete from outbox where game_id = :game"), {"game": position.game.id})
    restore_waiting(games, position.game.id)
    assert [(row.kind, row.due_at) for row in waits(games, position)] == [("lapse", deadline(position, ALICE))]
    assert timer(games, position) is None
