"""An action on a game whose timer is known sends none, and rests on that timer: no deadline is lost when it fires."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from threading import Event
from time import monotonic
from typing import Any

import pytest
from msgspec import structs
from sqlalchemy import Connection, text

from service.handlers.play import Move, play, play_remembered
from service.log.codec import action_json
from service.log.recorded import instant, milliseconds
from service.store import outbox, pace
from service.store.events import StaleVersion
from service.store.games import Games, Position
from tests.builders import act, first_legal, now_at
from tests.games.sealed_bids.actions import Hold
from tests.lapsing import begun
from tests.people import alice, bob, carol
from tests.rest import Caller

ALICE, BOB, CAROL = 0, 1, 2
AGO = timedelta(minutes=30)
TURNS = 30
_TIMERS = text(
    "select id, due_at from outbox where game_id = :game and kind = 'timer' and state = 'pending' order by id"
)
_TIMER = text("select timer from game where id = :game")
_TAKE = text("""
with held as (update game set timer = null where id = :game returning id)
delete from outbox using held where game_id = held.id and kind = 'timer' and state = 'pending'
""")
# By one statement, so that all of it is of one moment.
_WAITING = text("""
select game.timer, coalesce(json_agg(json_build_array(kind, payload ->> 'seat', payload ->> 'deadline', due_at)), '[]')
       as rows
  from game left join outbox on game_id = game.id and kind in ('timer', 'lapse') and state = 'pending'
 where game.id = :game group by game.id
""")
_WRITERS = text("""
select count(*) from pg_stat_activity where wait_event_type = 'Lock' and query like '%update game set version%'
""")


def hold(position: Position, seat: int) -> Move:
    return Move(position.game.id, seat, position.decision, Hold(), "api")


def timer(games: Games, position: Position) -> Any:
    with games.engine.connect() as db:
        return db.execute(_TIMER, {"game": position.game.id}).scalar_one()


def timer_rows(games: Games, position: Position) -> list[datetime]:
    with games.engine.connect() as db:
        return [row.due_at for row in db.execute(_TIMERS, {"game": position.game.id})]


def let_fire(db: Connection, position: Position, until: datetime | None = None) -> int:
    """Let the timers of the game fire, as if it was a moment, and return how many there were."""
    found = [outbox.lock(db, row.id) for row in db.execute(_TIMERS, {"game": position.game.id}).all()]
    due = [row for row in found if row is not None]
    for row in due:
        pace.fire_timer(db, row, until)
    return len(due)


def take_timer(db: Connection, position: Position) -> None:
    """Take the game's timer away, as one that fires when no deadline is ahead."""
    db.execute(_TAKE, {"game": position.game.id})


def forget_timer(games: Games, position: Position) -> None:
    with games.engine.begin() as db:
        take_timer(db, position)


def require_timed(games: Games, position: Position) -> None:
    """Fail unless each deadline has its lapse or a timer that is no later, and the game's timer has a row."""
    assert position.clocks is not None
    with games.engine.connect() as db:
        found = db.execute(_WAITING, {"game": position.game.id}).one()
    fires = [datetime.fromisoformat(at) for kind, _, _, at in found.rows if kind == "timer"]
    lapses = {(int(seat), int(deadline)) for kind, seat, deadline, _ in found.rows if kind == "lapse"}
    for seat, deadline in position.clocks.deadlines():
        assert (seat, deadline) in lapses or any(at <= instant(deadline) for at in fires)
    assert found.timer is None or any(at <= found.timer for at in fires)


def test_an_action_finds_the_timer_that_a_game_is_known_without(games: Games) -> None:
    # given a game, as a process knows it that has not heard of its timer
    position = begun(games, AGO)
    first = timer(games, position)
    unaware = replace(position, game=structs.replace(position.game, timer=None))
    # when Alice acts there
    after = play(games, hold(position, ALICE), seen=unaware).position
    # then the game's timer stays, has one row, and is known from now on
    assert after.game.timer == first == timer(games, position)
    assert timer_rows(games, position) == [first]


def test_an_action_sets_a_timer_and_knows_it_where_there_is_none(games: Games) -> None:
    # given a game whose deadlines have lapses of their own, as versions without timers want it
    position = begun(games, AGO)
    with games.engine.begin() as db:
        let_fire(db, position, datetime.max.replace(tzinfo=UTC))
    position = now_at(games, position.game.id)
    assert position.game.timer is None
    # when Alice acts
    after = play(games, hold(position, ALICE), seen=position).position
    # then the game has a timer for the first deadline
    assert after.clocks is not None
    first = min(deadline for _, deadline in after.clocks.deadlines())
    assert after.game.timer is not None and milliseconds(after.game.timer) == first
    assert timer_rows(games, position) == [after.game.timer] == [timer(games, position)]


def test_an_action_on_a_timer_that_has_fired_is_stale_and_is_tried_again(games: Games) -> None:
    # given a game as it is remembered, whose timer has fired since
    position = begun(games, AGO)
    remembered = act(games, position, ALICE, Hold()).position
    forget_timer(games, position)
    # when Bob acts on what is remembered, then nothing is written
    with pytest.raises(StaleVersion):
        play_remembered(games, hold(remembered, BOB), remembered, None)
    assert now_at(games, position.game.id).version == remembered.version
    # and when the game is read anew, the action is accepted, and Carol's deadline has a timer
    after = play(games, hold(remembered, BOB), seen=remembered).position
    assert after.game.timer is not None and timer_rows(games, position) == [after.game.timer]
    require_timed(games, after)


def test_an_action_that_meets_a_timer_that_fires_loses_no_deadline(games: Games) -> None:
    # given a relay that has taken the timer of a game, and has not committed that yet
    position = begun(games, AGO)
    with ThreadPoolExecutor(1) as threads:
        with games.engine.begin() as relay, games.engine.connect() as watch:
            take_timer(relay, position)
            # when Alice acts on the game as it was before
            playing = threads.submit(play, games, hold(position, ALICE), seen=position)
            deadline = monotonic() + 60
            while not watch.execute(_WRITERS).scalar_one():
                assert monotonic() < deadline, "the action does not come"
                watch.rollback()
        after = playing.result().position
    # then her action is accepted, and the deadlines of the others have a timer
    assert after.version > position.version
    require_timed(games, after)


def test_no_deadline_is_lost_while_two_relays_let_timers_fire_all_the_time(games: Games) -> None:
    # given a game, and two relays that let its timers fire, in turn as of now and as if all time had passed
    position, fires, over = begun(games, AGO), Event(), Event()

    def relay() -> int:
        fired = 0
        while not over.is_set():
            with games.engine.begin() as db:
                fired += let_fire(db, position, datetime.max.replace(tzinfo=UTC) if fired % 2 else None)
            if fired:
                fires.set()
        return fired

    with ThreadPoolExecutor(2) as threads:
        relays = [threads.submit(relay) for _ in range(2)]
        try:
            assert fires.wait(60)
            for _ in range(TURNS):
                # when the next seat acts, on what the last action has led to
                seat = min(position.awaited, default=None)
                if seat is None:
                    break
                move = Move(position.game.id, seat, position.decision, first_legal(position, seat), "api")
                position = play(games, move, seen=position).position
                # then each deadline is looked at in time
                require_timed(games, position)
        finally:
            over.set()
        assert sum(each.result() for each in relays)


def test_an_action_over_the_api_is_accepted_although_the_timer_that_is_remembered_is_gone(
    games: Games, api: Caller
) -> None:
    # given a game that Alice has acted in, whose timer is gone since
    people = [alice(games), bob(games), carol(games)]
    position = begun(games, AGO, people=people)
    sent = action_json(Hold())
    assert api.by(people[ALICE]).act(position.game.id, position.decision, sent).status_code == 201
    forget_timer(games, position)
    # when Bob acts, then he is told nothing of it, and Carol's deadline has a timer
    assert api.by(people[BOB]).act(position.game.id, position.decision, sent).status_code == 201
    after = now_at(games, position.game.id)
    assert after.game.timer is not None
    require_timed(games, after)
