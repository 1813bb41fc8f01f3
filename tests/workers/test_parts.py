"""Several parts in one process: all of them work, and one that hangs or breaks down is noticed."""

from __future__ import annotations

import signal
import smtplib
import socket
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from threading import Event, Thread

import pytest
from sqlalchemy import text

from service.mail import envelope_sender
from service.runtime import Runtime
from service.shared import clock
from service.store.heartbeats import EVERY, IDLE, Heart, database_now, late
from service.store.mail import suppression_digest
from tests.builders import now_at
from tests.listener import Listener
from tests.people import alice, new_address
from tests.workers import hooks, solo
from tests.workers.parts import Start
from tests.workers.test_inbox import REPORT
from workers.drain import Drain
from workers.parts import Together


class Part(Drain):
    """A part that does what a test wants at each turn of its loop."""

    def __init__(self, runtime: Runtime, turn: Callable[[], None]) -> None:
        super().__init__(replace(runtime, heart=Heart(runtime.engine)))
        self._turn = turn

    def drain(self) -> bool:
        self._turn()
        return False


@pytest.fixture(autouse=True)
def _no_beats(runtime: Runtime) -> None:
    with runtime.engine.begin() as db:
        db.execute(text("delete from heartbeat"))


def test_relay_courier_and_inbox_do_their_work_in_one_process(
    runtime: Runtime, start: Start, house: Runtime, listener: Listener, tmp_path: Path
) -> None:
    owner = alice(house.games).id
    webhook, _ = hooks.hook(house, owner, listener)
    # given a port that another program has, then relay and courier work while the inbox says that it cannot
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        there = {"INBOUND_LISTEN": f"lmtp://127.0.0.1:{port}", "WEBHOOKS_INSECURE": "true"}
        process = start("workers.parts relay courier inbox", log=tmp_path / "log", **there)
        solo.eventually(lambda: "the inbox cannot listen" in (tmp_path / "log").read_text())
        game = solo.owed(runtime.games).game.id
        solo.eventually(lambda: not solo.owes(now_at(runtime.games, game)))
        hooks.sent_test(house, owner, webhook)
        solo.eventually(lambda: bool(listener.received))
    # and it takes mails in once it can
    gone = new_address()
    back = envelope_sender.bounce_address(runtime.settings, gone, clock.now())
    solo.eventually(lambda: taken_in(port, back, REPORT.replace(b"gone@example.org", gone.encode())))
    with runtime.engine.connect() as db:
        known = text("select status from mail_trouble where address_hash = :hash")
        assert db.execute(known, {"hash": suppression_digest(gone)}).scalar() == "5.1.1"
    process.send_signal(signal.SIGTERM)
    assert process.wait(60) == 0


def taken_in(port: int, recipient: str, mail: bytes) -> bool:
    try:
        with smtplib.LMTP("127.0.0.1", port) as door:
            return not door.sendmail("", [recipient], mail)
    except OSError:
        return False


@pytest.mark.slow
def test_a_part_that_hangs_is_late_by_itself_while_the_others_go_on(runtime: Runtime) -> None:
    hung, go_on, turns = Event(), Event(), []

    def hang() -> None:
        hung.set()
        go_on.wait()

    parts = Together({"one": Part(runtime, lambda: turns.append(1)), "two": Part(runtime, hang)})
    with runtime.engine.connect() as db:
        since = database_now(db) - timedelta(hours=1)
    parts.begin("")
    running = Thread(target=parts.run)
    running.start()
    try:
        assert hung.wait(60)
        age(runtime, IDLE + EVERY)
        done = len(turns)
        solo.eventually(lambda: len(turns) > done + 1)
        solo.eventually(lambda: silent(runtime, since) == {"two"})
    finally:
        go_on.set()
        parts.stop()
        running.join()


def age(runtime: Runtime, seconds: float) -> None:
    """Let all that was said be older, as after so many seconds."""
    with runtime.engine.begin() as db:
        db.execute(text("update heartbeat set beat_at = beat_at - make_interval(secs => :by)"), {"by": seconds})


def silent(runtime: Runtime, since: datetime) -> set[str]:
    with runtime.engine.connect() as db:
        return {each.part for each in late(db, since)}


def test_a_part_that_breaks_down_ends_the_process_with_its_error(runtime: Runtime) -> None:
    def break_down() -> None:
        raise ZeroDivisionError

    parts = Together({"one": Part(runtime, lambda: None), "two": Part(runtime, break_down)})
    with pytest.raises(ZeroDivisionError):
        parts.run()


@pytest.mark.parametrize(
    "words",
    ["relay web", pytest.param("", marks=pytest.mark.slow), pytest.param("relay relay", marks=pytest.mark.slow)],
)
def test_names_that_are_no_parts_are_refused_with_those_that_are(start: Start, tmp_path: Path, words: str) -> None:
    process = start(f"workers.parts {words}", log=tmp_path / "log")
    assert process.wait(60) == 1
