"""Something hangs, a worker or the mail server: ODS moves on, and so does all that has nothing to do with it."""

from __future__ import annotations

import signal
from collections.abc import Sequence
from pathlib import Path

import pytest
from redis import Redis
from sqlalchemy import event, text

from service.handlers import sign_in
from service.runtime import Runtime
from service.shared import clock
from tests.builders import now_at, sealed_bids
from tests.faulty import HOLD, OK, Faulty
from tests.people import new_address
from tests.workers import solo
from tests.workers.parts import Start
from workers.jobs import carry_out
from workers.queue import Jobs


def moved(runtime: Runtime) -> None:
    """Let ODS owe a move, and wait until it has made it, once."""
    game = solo.owed(runtime.games).game.id
    solo.eventually(lambda: not solo.owes(now_at(runtime.games, game)))
    solo.assert_moved_once_per_debt(runtime.games, game, 1)


@pytest.mark.slow
def test_a_worker_that_hangs_stops_no_move_and_makes_none_twice_when_it_goes_on(
    runtime: Runtime, start: Start, queue: Redis, tmp_path: Path
) -> None:
    log, jobs = tmp_path / "relay.log", Jobs(queue, "moves")
    worker = start("workers.main moves")
    start("workers.relay", log=log)
    moved(runtime)
    worker.send_signal(signal.SIGSTOP)
    moved(runtime)
    moved(runtime)
    assert log.read_text().count("jobs are not taken") == 1
    assert jobs.waiting()
    games = [row.game_id for row in moves_of(runtime)]
    worker.send_signal(signal.SIGCONT)
    solo.eventually(lambda: not jobs.waiting())
    moved(runtime)
    solo.eventually(lambda: "jobs are taken again" in log.read_text())
    for game in games:
        solo.assert_moved_once_per_debt(runtime.games, game, 1)


def moves_of(runtime: Runtime) -> Sequence[object]:
    with runtime.engine.connect() as db:
        return db.execute(text("select game_id from outbox where kind = 'automaton'")).all()


def test_a_worker_that_is_overtaken_in_the_middle_of_its_move_makes_none(runtime: Runtime, queue: Redis) -> None:
    game = solo.owed(runtime.games).game.id
    row_id = solo.row_of(runtime, game)
    overtaken = []

    def overtake(*call: object) -> None:
        if "for no key update of g" in str(call[2]) and not overtaken:
            overtaken.append(True)
            # It had been counted as begun with, and came back since nothing more was heard of it.
            carry_out(runtime, row_id)

    event.listen(runtime.engine, "before_cursor_execute", overtake)
    carry_out(runtime, row_id)
    event.remove(runtime.engine, "before_cursor_execute", overtake)
    assert overtaken
    assert solo.state_of(runtime, row_id) == ("done", 2)
    solo.assert_moved_once_per_debt(runtime.games, game, 1)


@pytest.mark.slow
@pytest.mark.parametrize("with_redis", [True, False], ids=["with workers", "without redis"])
def test_a_mail_server_that_hangs_holds_up_neither_the_automaton_nor_who_signs_in(
    runtime: Runtime, start: Start, tmp_path: Path, with_redis: bool
) -> None:
    sealed_bids(runtime.games)
    parts = ["workers.relay", *(["workers.main moves", "workers.main replies", "workers.main mails"] * with_redis)]
    with Faulty(tmp_path, recipient=[HOLD, OK]) as sink:
        for part in parts:
            start(part, SMTP_URL=sink.url, **({} if with_redis else {"REDIS_URL": ""}))
        solo.eventually(sink.held.is_set)
        for _ in range(3):
            moved(runtime)
        sign_in.ask(runtime.games, new_address(), "Zoe", "en", clock.now())
        solo.eventually(lambda: bool(list(tmp_path.glob("*.eml"))))
        assert not told(runtime), "the mail that hangs is still under way"
        sink.let_go.set()
        solo.eventually(lambda: told(runtime) == ["done"] * 3)
        sink.hang_up()


def told(runtime: Runtime) -> list[str]:
    """What came of the mails to those whose turn it is, so far."""
    with runtime.engine.connect() as db:
        states = "select state from outbox where kind = 'turn-mail' and (state <> 'pending' or last_error is not null)"
        return list(db.execute(text(states)).scalars())
