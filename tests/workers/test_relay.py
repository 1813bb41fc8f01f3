"""The relay hands out what is due, and is not stopped by a missing Redis."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from redis import Redis
from sqlalchemy import text

from service.redis_client import connect_redis
from service.runtime import Runtime
from service.store import outbox
from service.store.games import Games
from tests.builders import act, now_at, sealed_bids
from tests.games.sealed_bids.actions import Hold
from tests.workers import solo
from workers.queue import Jobs
from workers.relay import FULL_QUEUE, Relay


def states(runtime: Runtime) -> dict[str, int]:
    with runtime.engine.connect() as db:
        found = text("select state, count(*) as n from outbox where kind <> 'night' group by state")
        return {row.state: row.n for row in db.execute(found)}


def test_without_redis_the_relay_carries_everything_out_itself(runtime: Runtime, mailbox: Path) -> None:
    game = solo.owed(runtime.games).game.id
    sealed_bids(runtime.games)
    Relay(replace(runtime, redis=None)).drain()
    solo.assert_moved_once_per_debt(runtime.games, game, 1)
    assert states(runtime) == {"done": 4}
    assert len(list(mailbox.glob("*.eml"))) == 3


def test_with_redis_out_of_reach_the_relay_carries_everything_out_itself(runtime: Runtime, tmp_path: Path) -> None:
    game = solo.owed(runtime.games).game.id
    Relay(replace(runtime, redis=connect_redis(f"unix://{tmp_path}/nobody.sock"))).drain()
    solo.assert_moved_once_per_debt(runtime.games, game, 1)


def test_rows_handed_out_stay_out_of_sight_for_a_while(runtime: Runtime, queue: Redis) -> None:
    sealed_bids(runtime.games)
    one, other = Relay(runtime), Relay(runtime)
    one.drain()
    other.drain()
    assert Jobs(queue).waiting() == 3
    assert states(runtime) == {"pending": 3}


def test_two_relays_at_once_share_the_rows(runtime: Runtime) -> None:
    sealed_bids(runtime.games)
    with runtime.engine.begin() as one, runtime.engine.begin() as other:
        assert len(outbox.claim(one, "turn-mail", 2)) == 2
        assert len(outbox.claim(other, "turn-mail", 2)) == 1


def test_the_automaton_goes_before_the_mails(runtime: Runtime, queue: Redis) -> None:
    sealed_bids(runtime.games)
    solo.owed(runtime.games)
    Relay(runtime).drain()
    (first, *_) = (int(call["id"]) for call in _waiting(queue))
    with runtime.engine.connect() as db:
        row = outbox.read(db, first)
    assert row is not None
    assert row.kind == "automaton"


def test_a_full_queue_is_not_filled_further(runtime: Runtime, queue: Redis) -> None:
    jobs = Jobs(queue)
    for _ in range(FULL_QUEUE):
        jobs.add(0, first=False)
    sealed_bids(runtime.games)
    assert not Relay(runtime).drain()
    assert jobs.waiting() == FULL_QUEUE
    with runtime.engine.begin() as db:
        assert len(outbox.claim(db, "turn-mail", 100)) == 3


def test_the_automaton_does_not_wait_for_room_in_the_queue(runtime: Runtime, queue: Redis) -> None:
    jobs = Jobs(queue)
    for _ in range(FULL_QUEUE):
        jobs.add(0, first=False)
    solo.owed(runtime.games)
    Relay(runtime).drain()
    assert jobs.waiting() == FULL_QUEUE + 1


def test_jobs_carry_nothing_but_the_row_id(runtime: Runtime, queue: Redis) -> None:
    solo.owed(runtime.games)
    Relay(runtime).drain()
    (call,) = _waiting(queue)
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


def _waiting(queue: Redis) -> list[dict[str, object]]:
    jobs = Jobs(queue)._queue.jobs
    calls = []
    for job in jobs:
        name, instance, args, kwargs = job.serializer.loads(job.data)
        (row_id,) = args
        calls.append({"function": name, "id": row_id, "rest": [instance, kwargs]})
    return calls
