"""The real processes: relay and worker start, move the automaton, stop when asked, and may be killed at any time."""

from __future__ import annotations

import re
import signal
from collections.abc import Callable
from pathlib import Path
from random import Random
from threading import Event

import pytest
from redis import Redis
from standardwebhooks import Webhook

from service.local.servers import LocalServers
from service.runtime import Runtime
from tests.builders import now_at
from tests.listener import Listener, Reply
from tests.people import alice
from tests.workers import hooks, solo
from tests.workers.parts import Start
from workers.courier import AT_ONCE
from workers.queue import Jobs


def finish(runtime: Runtime, random: Random, disturb: Callable[[], None], most: int = 100) -> None:
    """Play a solo game to its end or to `most` debts, with a disturbance at each debt; then check what was paid."""
    position, debts = solo.until_owed(runtime.games, solo.solo(runtime.games), random), 0
    game = position.game.id
    while solo.owes(position) and debts < most:
        disturb()
        debts += 1
        solo.eventually(lambda: not solo.owes(now_at(runtime.games, game)))
        position = solo.until_owed(runtime.games, now_at(runtime.games, game), random)
    assert debts > 5
    solo.eventually(lambda: not solo.owes(now_at(runtime.games, game)))
    solo.assert_moved_once_per_debt(runtime.games, game, debts + solo.owes(position))


def test_relay_and_worker_play_the_automaton_through_a_whole_game(runtime: Runtime, start: Start) -> None:
    start("workers.main moves")
    start("workers.relay")
    finish(runtime, Random(2), lambda: None)


@pytest.mark.slow
def test_without_redis_the_relay_alone_plays_it(runtime: Runtime, start: Start) -> None:
    start("workers.relay", REDIS_URL="")
    finish(runtime, Random(3), lambda: None, most=6)


@pytest.mark.slow
def test_kills_and_flushes_at_any_moment_cost_no_move_and_make_none_twice(
    runtime: Runtime, start: Start, queue: Redis
) -> None:
    random = Random(4)
    parts = {module: start(module) for module in ("workers.main moves", "workers.relay")}

    def disturb() -> None:
        module = random.choice(list(parts))
        parts[module].kill()
        parts[module].wait()
        if random.random() < 0.5:
            queue.flushdb()
        parts[module] = start(module)
        # What was on its way to the killed process comes back after some seconds; here the seconds pass at once.
        solo.hurry(runtime)

    finish(runtime, random, disturb, most=10)


@pytest.mark.slow
def test_a_message_survives_the_courier_that_was_killed_over_it(
    runtime: Runtime, house: Runtime, start: Start, listener: Listener
) -> None:
    owner, over = alice(runtime.games).id, Event()

    def silence() -> Reply:
        over.wait(solo.PATIENCE)
        return Reply(500)

    webhook, secret = hooks.hook(house, owner, listener)
    row_id = hooks.sent_test(house, owner, webhook)
    listener.reply = silence
    courier = start("workers.courier", WEBHOOKS_INSECURE="true")
    solo.eventually(lambda: len(listener.received) == 1)
    courier.kill()
    courier.wait()
    over.set()
    assert solo.state_of(runtime, row_id) == ("pending", 1)
    listener.reply = Reply()
    solo.hurry(runtime)
    start("workers.courier", WEBHOOKS_INSECURE="true")
    solo.eventually(lambda: solo.state_of(runtime, row_id) == ("done", 2))
    one, two = listener.received
    assert (one.headers["webhook-id"], one.body) == (two.headers["webhook-id"], two.body)
    assert Webhook(secret).verify(two.body, dict(two.headers))


@pytest.mark.slow
def test_a_server_that_keeps_silent_holds_up_neither_the_automaton_nor_mails(
    runtime: Runtime, house: Runtime, start: Start, listener: Listener
) -> None:
    owner, over = alice(runtime.games).id, Event()

    def silence() -> Reply:
        over.wait(solo.PATIENCE)
        return Reply()

    listener.reply = silence
    webhook, _ = hooks.hook(house, owner, listener)
    rows = [hooks.sent_test(house, owner, webhook) for _ in range(AT_ONCE + 1)]
    start("workers.courier", WEBHOOKS_INSECURE="true")
    start("workers.relay", REDIS_URL="")
    solo.eventually(lambda: len(listener.received) == AT_ONCE)
    game = solo.owed(runtime.games).game.id
    solo.eventually(lambda: not solo.owes(now_at(runtime.games, game)))
    assert {solo.state_of(runtime, row)[0] for row in rows} == {"pending"}
    over.set()
    solo.eventually(lambda: {solo.state_of(runtime, row)[0] for row in rows} == {"done"})


def listens(pid: int) -> bool:
    """Return whether the process has come as far as to wait for SIGTERM: before, that ends it like any other."""
    (caught,) = re.findall(r"^SigCgt:\s*(\w+)$", Path(f"/proc/{pid}/status").read_text(), re.MULTILINE)
    return bool(int(caught, 16) >> (signal.SIGTERM - 1) & 1)


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_asked_to_stop_each_process_stops_while_the_others_go_on(
    runtime: Runtime, start: Start, number: signal.Signals
) -> None:
    parts = [start(module) for module in ("workers.courier", "workers.relay", "workers.main moves")]
    game = solo.owed(runtime.games).game.id
    solo.eventually(lambda: not solo.owes(now_at(runtime.games, game)))
    while parts:
        process = parts.pop(0)
        solo.eventually(lambda: listens(process.pid))  # noqa: B023
        process.send_signal(number)
        assert process.wait(solo.PATIENCE) == 0
        assert all(other.poll() is None for other in parts)


@pytest.mark.slow
def test_a_worker_waits_for_a_redis_that_comes_later_and_survives_its_end(
    runtime: Runtime, start: Start, scratch: Path
) -> None:
    socket = scratch / "late.sock"
    worker = start("workers.main moves", REDIS_URL=f"unix://{socket}")
    position = solo.solo(runtime.games)
    for seed in (5, 6):
        position = solo.until_owed(runtime.games, now_at(runtime.games, position.game.id), Random(seed))
        row = solo.row_of(runtime, position.game.id)
        assert solo.state_of(runtime, row) == ("pending", 0)
        with LocalServers(scratch / "data", wanted=frozenset({"redis"})) as servers:
            assert servers.redis_url is not None
            socket.unlink(missing_ok=True)
            socket.symlink_to(servers.redis_url.removeprefix("unix://"))
            with Redis.from_url(servers.redis_url) as redis:
                Jobs(redis, "moves").add(row)
                solo.eventually(lambda: solo.state_of(runtime, row)[0] == "done")  # noqa: B023
        assert worker.poll() is None
    worker.terminate()
    assert worker.wait(solo.PATIENCE) == 0
