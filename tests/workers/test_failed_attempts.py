"""Attempts are counted before they are made: what fails or kills its worker three times is dead, and told of."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from threading import Timer

import pytest
from redis import Redis
from sqlalchemy import text
from structlog.testing import capture_logs

from service.commands.cli import main
from service.handlers import operators
from service.handlers.refusals import EffectBusy
from service.runtime import Runtime
from service.shared import clock
from service.store import outbox
from service.store.operation import Operator
from service.store.outbox import Notice
from tests.builders import started
from tests.faulty import HOLD, OK, Faulty
from tests.people import alice, bob
from tests.workers import solo
from tests.workers.parts import Start
from tests.workers.solo import eventually, hurry
from workers.effects import EFFECTS
from workers.jobs import carry_out
from workers.queue import Jobs
from workers.relay import Relay

ZOE = Operator("shell:zoe", "a test")


def row_state(runtime: Runtime, row: int) -> tuple[str, int, int, str | None]:
    with runtime.engine.connect() as db:
        found = text("select state, attempts, failures, last_error from outbox where id = :id")
        return tuple(db.execute(found, {"id": row}).one())


def failing(runtime: Runtime) -> int:
    """Write a row whose effect raises, since there is no such day."""
    with runtime.engine.begin() as db:
        outbox.add(db, Notice("deal-best", "a test", {"day": "no day"}))
        row: int = db.execute(text("select max(id) from outbox")).scalar_one()
        return row


def hand_out(runtime: Runtime, row: int) -> None:
    with runtime.engine.begin() as db:
        db.execute(text("update outbox set handed_out = handed_out + 1 where id = :id"), {"id": row})


def attempted(runtime: Runtime, row: int) -> None:
    """Hand the row out, and have it carried out."""
    hand_out(runtime, row)
    carry_out(runtime, row)


def killed(runtime: Runtime, row: int) -> None:
    """Begin an attempt that nobody hears of again."""
    hand_out(runtime, row)
    with runtime.engine.begin() as db:
        outbox.attempt(db, row, tuple(EFFECTS))


@contextmanager
def held(runtime: Runtime, query: str, row: object) -> Iterator[None]:
    with runtime.engine.begin() as db:
        db.execute(text(query), {"id": row})
        yield


def test_what_raises_three_times_is_dead_and_named(runtime: Runtime) -> None:
    row = failing(runtime)
    with capture_logs() as told:
        for _ in range(4):
            attempted(runtime, row)
    assert row_state(runtime, row) == ("dead", 3, 3, "ValueError")
    (named,) = [each for each in told if each["event"] == "effect is dead"]
    assert (named["outbox"], named["kind"], named["log_level"]) == (row, "deal-best", "error")


def test_what_kills_its_worker_three_times_is_not_tried_again_and_named(runtime: Runtime) -> None:
    game = solo.owed(runtime.games).game.id
    row = solo.row_of(runtime, game)
    for _ in range(3):
        killed(runtime, row)
    with capture_logs() as told:
        attempted(runtime, row)
    assert row_state(runtime, row)[::3] == ("dead", outbox.KILLED)
    assert solo.owes(solo.now_at(runtime.games, game)), "nothing was carried out"
    assert [each["why"] for each in told if each["event"] == "effect is dead"] == [outbox.KILLED]
    operators.run_effect(runtime.games, row, ZOE, clock.now())
    attempted(runtime, row)
    solo.assert_moved_once_per_debt(runtime.games, game, 1)


def test_attempts_at_once_after_one_handing_out_count_as_one(runtime: Runtime) -> None:
    row = failing(runtime)
    hand_out(runtime, row)
    for _ in range(5):
        carry_out(runtime, row)
    assert row_state(runtime, row)[::2] == ("pending", 1)


def test_an_attempt_that_ends_in_order_makes_the_next_failure_the_first(runtime: Runtime) -> None:
    row = failing(runtime)
    for _ in range(2):
        killed(runtime, row)
    with runtime.engine.begin() as db:
        outbox.later(db, row, clock.now() - clock.now())
    attempted(runtime, row)
    assert row_state(runtime, row)[::2] == ("pending", 1)


def test_an_attempt_in_vain_because_of_a_lock_does_not_count_and_is_made_again_soon(runtime: Runtime) -> None:
    game = solo.owed(runtime.games).game.id
    row = solo.row_of(runtime, game)
    with held(runtime, "select from game where id = :id for update", game), capture_logs() as told:
        attempted(runtime, row)
    assert [each["event"] for each in told if each["log_level"] != "info"] == ["effect failed"]
    assert row_state(runtime, row)[:3] == ("pending", 0, 0)
    with runtime.engine.connect() as db:
        wait = db.execute(text("select not_before - clock_timestamp() from outbox where id = :id"), {"id": row})
        assert wait.scalar_one().total_seconds() <= outbox.SERVER_WAIT_S


def test_the_relay_never_carries_out_by_itself_what_has_failed_before(runtime: Runtime) -> None:
    row, game = failing(runtime), solo.owed(runtime.games).game.id
    killed(runtime, row)
    killed(runtime, solo.row_of(runtime, game))
    relay = Relay(replace(runtime, redis=None))
    with capture_logs() as told:
        # One after the other, in a process that nobody depends on.
        while row_state(runtime, row)[2] < 2:
            hurry(runtime)
            relay.drain()
        while solo.owes(solo.now_at(runtime.games, game)):
            hurry(runtime)
            relay.drain()
    assert not [each for each in told if each["event"] == "effect failed"]
    solo.assert_moved_once_per_debt(runtime.games, game, 1)


def test_what_has_failed_before_goes_to_the_workers_as_ever(runtime: Runtime, queue: Redis) -> None:
    row = solo.row_of(runtime, solo.owed(runtime.games).game.id)
    killed(runtime, row)
    Relay(runtime).drain()
    assert Jobs(queue, "moves").waiting() == 1


def test_a_row_that_is_being_carried_out_is_dropped_as_soon_as_its_worker_lets_go(
    runtime: Runtime, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, value in runtime.settings.environment().items():
        monkeypatch.setenv(name, value)
    row = failing(runtime)
    db = runtime.engine.connect()
    db.execute(text("select from outbox where id = :id for update"), {"id": row})
    with pytest.raises(EffectBusy):
        operators.drop_effect(runtime.games, row, ZOE, clock.now(), wait_s=1)
    # Longer than a lock is waited for elsewhere.
    Timer(4.0, db.close).start()
    assert main(["admin", "outbox", "drop", str(row), "--reason", "a test"]) == 0
    assert f"effect {row} (deal-best) is dropped" in capsys.readouterr().out
    attempted(runtime, row)
    assert row_state(runtime, row)[0] == "skipped"


@pytest.mark.slow
def test_a_mail_whose_worker_is_killed_three_times_is_dead(runtime: Runtime, start: Start, tmp_path: Path) -> None:
    people = [alice(runtime.games), bob(runtime.games, email=None)]
    started(runtime.games, "new-corp-order", people, **{"first-player": 0})
    with runtime.engine.begin() as db:
        row = db.execute(text("select id from outbox where kind = 'turn-mail'")).scalar_one()
    log = tmp_path / "worker.log"
    for number in range(1, 5):
        with Faulty(tmp_path, sender=[HOLD, OK]) as sink:
            Relay(runtime).drain()
            worker = start("workers.main mails", log, SMTP_URL=sink.url)
            if number < 4:
                eventually(sink.held.is_set)
                assert row_state(runtime, row)[:3] == ("pending", number, number)
                worker.kill()
                worker.wait()
                hurry(runtime)
            else:
                eventually(lambda: row_state(runtime, row)[0] == "dead")
    eventually(lambda: "effect is dead" in log.read_text())
    assert f"outbox={row}" in log.read_text()
