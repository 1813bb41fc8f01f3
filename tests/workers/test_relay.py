"""The relay hands out what is due, and is not stopped by a missing Redis."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from socket import AF_UNIX, socket
from typing import Any

import pytest
from redis import Redis
from sqlalchemy import event, text
from structlog.testing import capture_logs

from service.handlers import sign_in
from service.runtime import Runtime
from service.shared import clock
from service.shared.redis_client import connect_redis
from service.store import outbox
from service.store.fast_path import hand_of
from service.store.games import Games
from tests.builders import act, now_at, sealed_bids
from tests.games.sealed_bids.actions import Hold
from tests.people import new_address
from tests.workers import solo
from workers.courier import Courier
from workers.effects import EFFECTS
from workers.queue import QUEUES, Jobs
from workers.relay import FLOWS, IN_VAIN, JOBS_A_SECOND, Lane, Relay


def states(runtime: Runtime) -> dict[str, int]:
    with runtime.engine.connect() as db:
        found = text("select state, count(*) as n from outbox where kind not in ('night', 'deal-best') group by state")
        return {row.state: row.n for row in db.execute(found)}


def test_without_redis_the_relay_carries_everything_out_itself(runtime: Runtime, mailbox: Path) -> None:
    game = solo.owed(runtime.games).game.id
    sealed_bids(runtime.games)
    Relay(replace(runtime, redis=None)).drain()
    solo.assert_moved_once_per_debt(runtime.games, game, 1)
    assert states(runtime) == {"done": 4}
    assert len(list(mailbox.glob("*.eml"))) == 3


def test_a_relay_whose_first_lane_breaks_down_ends_with_its_error(runtime: Runtime) -> None:
    def break_down(*call: Any) -> None:
        if "last_seen" in call[2]:
            raise ZeroDivisionError

    event.listen(runtime.engine, "before_cursor_execute", break_down)
    try:
        with ThreadPoolExecutor(1) as threads:
            running = threads.submit(Relay(replace(runtime, redis=None)).run)
            assert isinstance(running.exception(timeout=60), ZeroDivisionError)
    finally:
        event.remove(runtime.engine, "before_cursor_execute", break_down)


def test_with_redis_out_of_reach_the_relay_carries_everything_out_itself(runtime: Runtime, tmp_path: Path) -> None:
    game = solo.owed(runtime.games).game.id
    Relay(replace(runtime, redis=connect_redis(f"unix://{tmp_path}/nobody.sock"))).drain()
    solo.assert_moved_once_per_debt(runtime.games, game, 1)


def test_of_many_rows_one_waits_for_a_redis_that_hangs(runtime: Runtime, scratch: Path) -> None:
    owed = [solo.owed(runtime.games).game.id for _ in range(3)]
    with socket(AF_UNIX) as silent:
        silent.bind(str(scratch / "silent.sock"))
        silent.listen()
        Lane(replace(runtime, redis=connect_redis(f"unix://{scratch}/silent.sock")), "moves").drain()
        silent.setblocking(False)
        silent.accept()[0].close()
        with pytest.raises(BlockingIOError):
            silent.accept()
    for game in owed:
        solo.assert_moved_once_per_debt(runtime.games, game, 1)


def test_rows_handed_out_stay_out_of_sight_for_a_while(runtime: Runtime, queue: Redis) -> None:
    sealed_bids(runtime.games)
    one, other = Relay(runtime), Relay(runtime)
    one.drain()
    other.drain()
    assert Jobs(queue, "mails").waiting() == 3
    assert states(runtime) == {"pending": 3}


def test_two_relays_at_once_share_the_rows(runtime: Runtime) -> None:
    sealed_bids(runtime.games)
    with runtime.engine.begin() as one, runtime.engine.begin() as other:
        assert len(outbox.claim(one, "turn-mail", 2)) == 2
        assert len(outbox.claim(other, "turn-mail", 2)) == 1


def test_moves_what_is_waited_for_and_all_other_mails_go_through_queues_of_their_own(
    runtime: Runtime, queue: Redis
) -> None:
    sealed_bids(runtime.games)
    solo.owed(runtime.games)
    sign_in.ask(runtime.games, new_address(), "Zoe", "en", clock.now())
    Relay(runtime).drain()
    assert {name: {kind_of(runtime, call) for call in _waiting(queue, name)} for name in QUEUES} == {
        "moves": {"automaton"},
        "replies": {"sign-in"},
        "mails": {"turn-mail"},
        "computers": set(),
    }


def test_there_is_a_flow_for_each_queue() -> None:
    assert set(QUEUES) == set(FLOWS)


def test_a_full_queue_is_not_filled_further(runtime: Runtime, queue: Redis) -> None:
    jobs, full = fill(queue, "mails")
    sealed_bids(runtime.games)
    assert not Relay(runtime).drain()
    assert jobs.waiting() == full
    with runtime.engine.begin() as db:
        assert len(outbox.claim(db, "turn-mail", 100)) == 3


def test_a_move_is_not_handed_out_again_before_a_worker_can_have_come_to_it(runtime: Runtime, queue: Redis) -> None:
    jobs, _ = fill(queue, "moves")
    row, seconds = solo.row_of(runtime, solo.owed(runtime.games).game.id), jobs.waiting() // JOBS_A_SECOND
    Relay(runtime).drain()
    assert seconds > 1 and seconds - 1 < wait_of(runtime, row) <= seconds + 1


@pytest.mark.parametrize(("failures", "seconds"), [(0, 1), (1, 2), (2, 4)])
def test_a_move_that_was_tried_often_in_vain_comes_back_as_soon_as_after_the_first_time(
    runtime: Runtime, failures: int, seconds: int
) -> None:
    row = solo.row_of(runtime, solo.owed(runtime.games).game.id)
    with runtime.engine.begin() as db:
        tried = "update outbox set attempts = 7, failures = :failures where id = :id"
        db.execute(text(tried), {"id": row, "failures": failures})
    Relay(runtime).drain()
    assert seconds - 1 < wait_of(runtime, row) <= seconds


def wait_of(runtime: Runtime, row: int) -> float:
    """In how many seconds a row is due again."""
    with runtime.engine.connect() as db:
        left = text("select extract(epoch from not_before - clock_timestamp()) from outbox where id = :id")
        return float(db.execute(left, {"id": row}).scalar_one())


def test_the_automaton_does_not_wait_for_room_in_the_queue(runtime: Runtime, queue: Redis) -> None:
    jobs, full = fill(queue, "moves")
    solo.owed(runtime.games)
    Relay(runtime).drain()
    assert jobs.waiting() == full + 1


def test_a_move_handed_out_in_vain_twice_is_made_by_the_relay_until_somebody_takes_the_jobs(
    runtime: Runtime, queue: Redis
) -> None:
    jobs, relay = Jobs(queue, "moves"), Relay(runtime)
    with capture_logs() as told:
        first = solo.owed(runtime.games).game.id
        for _ in range(IN_VAIN):
            relay.drain()
            assert solo.owes(now_at(runtime.games, first))
            solo.hurry(runtime)
        relay.drain()
        solo.assert_moved_once_per_debt(runtime.games, first, 1)
        second = solo.owed(runtime.games).game.id
        relay.drain()
        solo.assert_moved_once_per_debt(runtime.games, second, 1)
    assert [each["queue"] for each in told if each["log_level"] == "error"] == ["moves"]
    assert jobs.waiting() == IN_VAIN
    queue.flushdb()
    third = solo.owed(runtime.games).game.id
    relay.drain()
    assert jobs.waiting() == 1
    assert solo.owes(now_at(runtime.games, third))


def test_mails_whose_worker_hangs_over_a_full_queue_are_sent_by_the_relay(
    runtime: Runtime, queue: Redis, mailbox: Path
) -> None:
    relay = Relay(runtime)
    sealed_bids(runtime.games)
    relay.drain()
    fill(queue, "mails")
    for _ in range(IN_VAIN):
        solo.hurry(runtime)
        relay.drain()
    assert states(runtime) == {"done": 3}
    assert len(list(mailbox.glob("*.eml"))) == 3


def test_a_row_that_somebody_has_begun_with_is_not_said_to_be_left_lying(runtime: Runtime, queue: Redis) -> None:
    row_id = solo.row_of(runtime, solo.owed(runtime.games).game.id)
    relay = Relay(runtime)
    for turn in range(1, 4):
        relay.drain()
        assert Jobs(queue, "moves").waiting() == turn
        with runtime.engine.begin() as db:
            outbox.attempt(db, row_id, tuple(EFFECTS))
        solo.hurry(runtime)


def test_jobs_carry_nothing_but_the_row_id(runtime: Runtime, queue: Redis) -> None:
    solo.owed(runtime.games)
    Relay(runtime).drain()
    (call,) = _waiting(queue, "moves")
    assert call == {"function": "workers.jobs.perform", "id": call["id"], "rest": [None, {}]}


def test_a_mail_for_a_decision_gone_by_is_skipped(runtime: Runtime, games: Games, mailbox: Path) -> None:
    position = sealed_bids(games)
    for seat in (0, 1, 2):
        act(games, position, seat, Hold())
    Relay(replace(runtime, redis=None)).drain()
    # Whoever acted last knows of the next decision, and is written to only if it is left lying.
    assert states(runtime) == {"skipped": 3, "done": 2, "pending": 1}
    assert len(list(mailbox.glob("*.eml"))) == 2
    assert now_at(games, position.game.id).state.lot == 2


def fill(queue: Redis, name: str) -> tuple[Jobs, int]:
    """Fill a queue with jobs about nothing, and return it, and how many they are."""
    jobs, full = Jobs(queue, name), FLOWS[name].full or 300
    for _ in range(full):
        jobs.add(0)
    return jobs, full


def kind_of(runtime: Runtime, call: dict[str, Any]) -> str:
    with runtime.engine.connect() as db:
        row = outbox.read(db, call["id"])
    assert row is not None
    return row.kind


def _waiting(queue: Redis, name: str) -> list[dict[str, Any]]:
    jobs = Jobs(queue, name)._queue.jobs
    calls = []
    for job in jobs:
        name, instance, args, kwargs = job.serializer.loads(job.data)
        (row_id,) = args
        calls.append({"function": name, "id": row_id, "rest": [instance, kwargs]})
    return calls


def test_an_idle_relay_and_courier_ask_once_for_all_kinds(runtime: Runtime) -> None:
    relay, courier = Relay(runtime), Courier(runtime)
    relay.drain()
    asked: list[str] = []
    everything = hand_of(runtime.engine).engine

    def note(*call: Any) -> None:
        asked.append(call[2])

    event.listen(everything, "before_cursor_execute", note)
    try:
        assert not relay.drain()
        assert not courier.drain()
    finally:
        event.remove(everything, "before_cursor_execute", note)
    assert len(asked) == len(QUEUES) + 1
    assert all("min(first.not_before)" in each for each in asked)
