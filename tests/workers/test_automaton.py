"""The automaton makes each move that it owes, once, whatever breaks on the way."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from redis import Redis
from sqlalchemy import event

from service.handlers.play import play_automaton
from service.runtime import Runtime
from service.store import outbox
from service.store.games import Games
from tests.builders import now_at
from tests.workers import solo
from workers.jobs import carry_out
from workers.queue import Jobs
from workers.relay import Relay


def test_a_decision_that_leaves_the_automaton_to_move_writes_a_row_with_the_events(runtime: Runtime) -> None:
    position = solo.owed(runtime.games)
    decision = position.ruleset.decision(position.state)
    with runtime.engine.connect() as db:
        row = outbox.read(db, solo.row_of(runtime, position.game.id))
    assert row is not None
    assert (row.kind, row.dedupe_key) == ("automaton", f"automaton:{position.game.id}:{decision}")


def test_the_move_is_recorded_as_the_workers_and_settles_the_row(runtime: Runtime) -> None:
    position = solo.owed(runtime.games)
    row_id = solo.row_of(runtime, position.game.id)
    carry_out(runtime, row_id)
    (move,) = solo.automaton_moves(runtime.games, position.game.id)
    assert {(each.seat, each.door) for each in move} == {(1, "worker")}
    assert move[0].decision == position.ruleset.decision(position.state)
    assert solo.state_of(runtime, row_id) == ("done", 1)
    assert not solo.owes(now_at(runtime.games, position.game.id))


def test_a_row_that_is_done_does_nothing_more(runtime: Runtime) -> None:
    game = solo.owed(runtime.games).game.id
    row_id = solo.row_of(runtime, game)
    for _ in range(3):
        carry_out(runtime, row_id)
    assert solo.state_of(runtime, row_id) == ("done", 1)
    solo.assert_moved_once_per_debt(runtime.games, game, 1)


def test_workers_that_got_the_same_row_at_once_make_one_move(runtime: Runtime) -> None:
    game = solo.owed(runtime.games).game.id
    row_id = solo.row_of(runtime, game)
    with ThreadPoolExecutor(6) as threads:
        list(threads.map(lambda _: carry_out(runtime, row_id), range(6)))
    assert solo.state_of(runtime, row_id)[0] == "done"
    solo.assert_moved_once_per_debt(runtime.games, game, 1)


def test_a_row_whose_debt_is_paid_already_is_skipped_or_done_and_never_moves_again(runtime: Runtime) -> None:
    game = solo.owed(runtime.games).game.id
    assert play_automaton(runtime.games, game)
    assert not play_automaton(runtime.games, game)
    assert solo.state_of(runtime, solo.row_of(runtime, game)) == ("done", 0)
    solo.assert_moved_once_per_debt(runtime.games, game, 1)


@pytest.mark.parametrize("point", ["before_cursor_execute", "commit"])
def test_a_worker_that_dies_in_the_middle_leaves_the_row_to_the_next(runtime: Runtime, point: str) -> None:
    game = solo.owed(runtime.games).game.id
    before = now_at(runtime.games, game)
    row_id = solo.row_of(runtime, game)

    class Died(BaseException):
        pass

    seen = []

    def die(*call: object) -> None:
        seen.append(call)
        # The attempt and the look at the row have their own commits; the append is what comes after them.
        if (point == "commit" and len(seen) == 3) or (point != "commit" and "insert into event" in str(call[2])):
            raise Died

    event.listen(runtime.engine, point, die)
    with pytest.raises(Died):
        carry_out(runtime, row_id)
    event.remove(runtime.engine, point, die)
    assert now_at(runtime.games, game) == before
    assert solo.state_of(runtime, row_id) == ("pending", 1)
    carry_out(runtime, row_id)
    solo.assert_moved_once_per_debt(runtime.games, game, 1)


def test_an_attempt_that_fails_is_noted_without_what_is_hidden(runtime: Runtime) -> None:
    row_id = solo.row_of(runtime, solo.owed(runtime.games).game.id)

    def fail(*call: object) -> None:
        if "insert into event" in str(call[2]):
            raise ValueError("the deck begins with red")

    event.listen(runtime.engine, "before_cursor_execute", fail)
    carry_out(runtime, row_id)
    event.remove(runtime.engine, "before_cursor_execute", fail)
    with runtime.engine.connect() as db:
        assert db.exec_driver_sql("select last_error from outbox where id = %s", (row_id,)).scalar() == "ValueError"
    assert solo.state_of(runtime, row_id) == ("pending", 1)


def test_a_row_that_failed_too_often_is_dead_and_keeps_nobody_waiting(runtime: Runtime) -> None:
    game = solo.owed(runtime.games).game.id
    row_id = solo.row_of(runtime, game)
    solo.tire(runtime, row_id)

    def fail(*call: object) -> None:
        if "insert into event" in str(call[2]):
            raise ValueError

    event.listen(runtime.engine, "before_cursor_execute", fail)
    carry_out(runtime, row_id)
    carry_out(runtime, row_id)
    event.remove(runtime.engine, "before_cursor_execute", fail)
    assert solo.state_of(runtime, row_id)[0] == "dead"
    with runtime.engine.begin() as db:
        assert row_id not in {each.id for each in outbox.claim(db, "automaton", 100)}


def test_rows_lost_with_redis_come_back(runtime: Runtime, queue: Redis) -> None:
    game = solo.owed(runtime.games).game.id
    relay = Relay(runtime)
    relay.drain()
    assert Jobs(queue, "moves").waiting() == 1
    queue.flushdb()
    relay.drain()
    assert Jobs(queue, "moves").waiting() == 0
    solo.hurry(runtime)
    relay.drain()
    assert Jobs(queue, "moves").waiting() == 1
    carry_out(runtime, solo.row_of(runtime, game))
    solo.assert_moved_once_per_debt(runtime.games, game, 1)


def test_rows_lost_between_claim_and_queue_come_back(runtime: Runtime, games: Games, queue: Redis) -> None:
    solo.owed(games)
    with runtime.engine.begin() as db:
        assert len(outbox.claim(db, "automaton", 100)) == 1
    relay = Relay(runtime)
    relay.drain()
    assert Jobs(queue, "moves").waiting() == 0
    solo.hurry(runtime)
    relay.drain()
    assert Jobs(queue, "moves").waiting() == 1
