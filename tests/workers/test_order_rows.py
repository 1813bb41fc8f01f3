"""When the row of an order is carried out, and what makes it void: times, races, processes that die (T-30, T-32)."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import timedelta

import pytest
from sqlalchemy import event, text

from service.handlers import orders
from service.handlers.play import Move, play
from service.handlers.refusals import (
    NotYourTurn,
    StaleDecision,
)
from service.handlers.take_back import Wish, take_back
from service.rules.pace import Pace
from service.runtime import Runtime
from service.shared import clock
from service.store import outbox
from service.store.fast_path import hand_of
from service.store.games import Games
from tests.builders import act, now_at, paced, started
from tests.ordering import (
    ALICE,
    BOB,
    alice_plots,
    by_order,
    corp,
    kept,
    mails_to,
    order,
    player_in,
    plot,
    rows,
    settle,
    solo,
    try_orders,
    unconditional,
    waiting,
)
from tests.people import alice, bob
from tests.rest import Caller
from workers.jobs import carry_out


def test_t32_an_order_is_not_written_before_a_random_time_that_is_drawn_once(runtime: Runtime) -> None:
    games, delays = runtime.games, set()
    due = text("select extract(epoch from not_before - added_at) from outbox where id = :id")
    for _ in range(12):
        position = corp(games)
        order(games, position, BOB, "P D D")
        alice_plots(games, position)
        (row,) = rows(runtime, position.game.id)
        with runtime.engine.connect() as db:
            delays.add(round(float(db.execute(due, {"id": row}).scalar_one())))
    assert min(delays) >= 5 and max(delays) <= 60 and len(delays) > 1


def test_t32_nobody_is_there_to_tell_it_in_a_solo_game(runtime: Runtime) -> None:
    games, position = runtime.games, solo(runtime.games)
    position = act(games, position, ALICE, position.ruleset.legal(position.state, ALICE)[0]).position
    order(games, position, ALICE, "P D")
    (row,) = rows(runtime, position.game.id)
    with runtime.engine.connect() as db:
        left = text("select not_before <= clock_timestamp() from outbox where id = :id")
        assert db.execute(left, {"id": row}).scalar_one()


def test_orders_given_several_times_at_ones_own_turn_are_tried_once(runtime: Runtime) -> None:
    games, position = runtime.games, corp(runtime.games)
    for notation in ("P 1 2", "P D D", "P 2 3"):
        order(games, position, ALICE, notation)
    assert len(rows(runtime, position.game.id)) == 1
    try_orders(runtime, position)
    (played,) = by_order(games, position.game.id)
    assert played.action == {"type": "plot", "sources": ["2", "3"]}


def test_a_player_who_moves_first_makes_the_row_void(runtime: Runtime) -> None:
    games, position = runtime.games, corp(runtime.games)
    order(games, position, BOB, "P D D")
    asked = alice_plots(games, position)
    moved = act(games, asked, BOB, plot(asked, "1", "2")).position
    assert try_orders(runtime, position).version == moved.version
    assert waiting(games, position, BOB) == ["P D D"]
    assert len(rows(runtime, position.game.id, "skipped")) == 1


def test_orders_cancelled_in_time_leave_the_decision_to_the_player(runtime: Runtime) -> None:
    games, position = runtime.games, corp(runtime.games)
    order(games, position, BOB, "P D D")
    asked = alice_plots(games, position)
    orders.cancel(games, position.game.id, player_in(position, BOB), clock.now())
    assert try_orders(runtime, position).version == asked.version
    assert len(mails_to(games, position, BOB)) == 1


def test_a_take_back_makes_the_row_void_and_no_order_answers_in_its_place(runtime: Runtime) -> None:
    games, position = runtime.games, corp(runtime.games)
    order(games, position, BOB, "P D D")
    order(games, position, ALICE, unconditional(position, "P D D"), unconditional(position, "P D D"))
    infiltrate = next(
        each for each in position.ruleset.legal(position.state, ALICE) if position.ruleset.notate(each).startswith("I")
    )
    act(games, position, ALICE, infiltrate)
    wish = Wish(position.game.id, ALICE, position.decision, "api")
    back = take_back(games, wish, timedelta(minutes=10), clock.now()).position
    assert try_orders(runtime, position).version == back.version
    assert [mail.payload["decision"] for mail in mails_to(games, position, ALICE)][-1] == back.decision
    assert len(waiting(games, position, ALICE)) == 2 and len(waiting(games, position, BOB)) == 1


@pytest.mark.parametrize("times", range(4))
def test_an_order_and_the_players_own_move_race_and_one_is_written(runtime: Runtime, times: int) -> None:
    games, position = runtime.games, corp(runtime.games)
    order(games, position, BOB, "P D D")
    asked = alice_plots(games, position)
    (row,) = rows(runtime, position.game.id)

    def move() -> None:
        with suppress(StaleDecision, NotYourTurn):
            play(games, Move(position.game.id, BOB, asked.decision, plot(asked, "1", "2"), "api"))

    with ThreadPoolExecutor(8) as threads:
        for work in [lambda: carry_out(runtime, row), move] * 4:
            threads.submit(work)
    after = now_at(games, position.game.id)
    with games.engine.connect() as db:
        log = db.execute(
            text("select door from event where game_id = :game and decision = :decision and action is not null"),
            {"game": position.game.id, "decision": asked.decision},
        ).scalars()
        (door,) = log
    assert after.awaited == {ALICE}
    assert waiting(games, position, BOB) == ([] if door == "order" else ["P D D"])


def test_workers_that_got_the_same_row_at_once_play_it_once(runtime: Runtime) -> None:
    games, position = runtime.games, corp(runtime.games)
    order(games, position, BOB, "P D D", "P D D")
    alice_plots(games, position)
    (row,) = rows(runtime, position.game.id)
    with ThreadPoolExecutor(6) as threads:
        list(threads.map(lambda _: carry_out(runtime, row), range(6)))
    assert len(by_order(games, position.game.id)) == 1
    assert len(waiting(games, position, BOB)) == 1


@pytest.mark.parametrize("point", ["before_cursor_execute", "commit"])
def test_a_worker_that_dies_in_the_middle_leaves_the_order_to_the_next(runtime: Runtime, point: str) -> None:
    games, position = runtime.games, corp(runtime.games)
    order(games, position, BOB, "P D D")
    asked = alice_plots(games, position)
    (row,) = rows(runtime, position.game.id)

    class Died(BaseException):
        pass

    seen: list[object] = []

    def die(*call: object) -> None:
        seen.append(call)
        if (point == "commit" and len(seen) == 3) or (point != "commit" and "insert into event" in str(call[2])):
            raise Died

    event.listen(runtime.engine, point, die)
    try:
        with pytest.raises(Died):
            carry_out(runtime, row)
    finally:
        event.remove(runtime.engine, point, die)
    assert now_at(Games(games.engine, games.rulesets), position.game.id).version == asked.version
    assert waiting(games, position, BOB) == ["P D D"]
    try_orders(runtime, position)
    assert len(by_order(games, position.game.id)) == 1


def test_an_order_of_which_workers_die_is_dropped_and_the_player_asked(runtime: Runtime) -> None:
    games, position = runtime.games, corp(runtime.games)
    order(games, position, BOB, "P D D")
    asked = alice_plots(games, position)
    (row,) = rows(runtime, position.game.id)
    with runtime.engine.begin() as db:
        db.execute(text("update outbox set attempts = 8 where id = :id"), {"id": row})
    carry_out(runtime, row)
    assert now_at(games, position.game.id).version == asked.version
    assert (kept(games, position, BOB)[0].dropped or {})["why"] == "failed"
    assert len(mails_to(games, position, BOB)) == 1


def test_an_action_accepted_while_orders_are_given_takes_account_of_them(runtime: Runtime) -> None:
    """Given a position read before Bob gave an order, when Alice acts on it, then the order is tried nevertheless."""
    games, position = runtime.games, corp(runtime.games)
    order(games, position, BOB, "P D D")
    move = Move(position.game.id, ALICE, position.decision, plot(position, "D", "D"), "api")
    play(games, move, seen=position)
    assert len(rows(runtime, position.game.id)) == 1
    assert mails_to(games, position, BOB) == []


def test_an_action_is_one_statement_whether_there_are_orders_or_not(runtime: Runtime) -> None:
    games, counted = runtime.games, []
    for given in ((), ("P D D",)):
        position = corp(games)
        order(games, position, BOB, *given)
        position, seen = now_at(games, position.game.id), []

        def note(*call: object, seen: list[object] = seen) -> None:
            seen.append(call[2])

        event.listen(hand_of(games.engine).engine, "before_cursor_execute", note)
        act_on = Move(position.game.id, ALICE, position.decision, plot(position, "1", "2"), "api")
        play(games, act_on, seen=position)
        event.remove(hand_of(games.engine).engine, "before_cursor_execute", note)
        counted.append(len([each for each in seen if "from seed" not in str(each)]))
    assert counted == [1, 1]


def test_t32_an_order_is_played_before_its_seats_time_is_up(runtime: Runtime) -> None:
    games = runtime.games
    pace = Pace(free=12, bank=0, credit=0, cap=0)
    for _ in range(8):
        position = paced(games, pace, "new-corp-order", [alice(games), bob(games)], **{"first-player": ALICE})
        order(games, position, BOB, "P D D")
        asked = act(games, position, ALICE, plot(position, "D", "D")).position
        assert asked.clocks is not None and asked.awaited == {BOB}
        (row,) = rows(runtime, position.game.id)
        due = text("select extract(epoch from not_before) * 1000 from outbox where id = :id")
        with runtime.engine.connect() as db:
            at = db.execute(due, {"id": row}).scalar_one()
        assert at < (asked.clocks.deadline(BOB) or 0)


def test_an_action_on_a_remembered_position_takes_account_of_orders_too(
    runtime: Runtime, api: Caller, games: Games
) -> None:
    people = [alice(games), bob(games)]
    position = started(games, "new-corp-order", people, **{"first-player": ALICE})
    now = position
    for seat in (ALICE, BOB):
        assert api.by(people[seat]).act(position.game.id, now.decision, "P D D").status_code == 201
        now = settle(games, now_at(games, position.game.id), seat)
    order(games, position, BOB, unconditional(position, "P D D"))
    # The process remembers the game as it was before the order.
    notations = map(now.ruleset.notate, now.ruleset.legal(now.state, ALICE))
    infiltrate = next(each for each in notations if each.startswith("I"))
    assert api.by(people[ALICE]).act(position.game.id, now.decision, infiltrate).status_code == 201
    assert now_at(games, position.game.id).awaited == {BOB}
    assert len(rows(runtime, position.game.id)) == 1


def test_the_relay_knows_when_the_next_order_is_due(runtime: Runtime) -> None:
    games, position = runtime.games, corp(runtime.games)
    with runtime.engine.begin() as db:
        db.execute(text("delete from outbox"))
        assert outbox.seconds_left(db, ["order", "lapse", "automaton"]) is None
    order(games, position, BOB, "P D D")
    alice_plots(games, position)
    with runtime.engine.begin() as db:
        left = outbox.seconds_left(db, ["order", "lapse", "automaton"])
        assert left is not None and 4 < left <= 60
        assert outbox.seconds_left(db, ["lapse", "automaton"]) is None


def test_an_order_given_at_ones_own_turn_is_played_at_that_turn(runtime: Runtime) -> None:
    games, position = runtime.games, corp(runtime.games)
    order(games, position, ALICE, "P D D")
    assert len(rows(runtime, position.game.id)) == 1
    after = try_orders(runtime, position)
    assert after.awaited == {BOB}
    assert [each.seat for each in by_order(games, position.game.id)] == [ALICE]
