"""A process says that it lives, in a row that stays for as long as it tells anything."""

from __future__ import annotations

from datetime import timedelta
from threading import Event, Thread
from time import monotonic
from typing import Any

import pytest
from sqlalchemy import event, text

from service.http.heartbeat import STUCK_AFTER_S, Liveness
from service.runtime import Runtime
from service.shared import clock
from service.store.engine import build_engine
from service.store.fast_path import hand_of
from service.store.heartbeats import EVERY, IDLE, JOB, Heart, ages, database_now, late
from service.store.pruning import HEARTBEATS, prune
from tests.promises import committed
from tests.rest import Caller

pytestmark = pytest.mark.usefixtures("no_beats")


@pytest.fixture
def no_beats(runtime: Runtime) -> None:
    with runtime.engine.begin() as db:
        db.execute(text("delete from heartbeat"))


def rows(runtime: Runtime) -> list[Any]:
    with runtime.engine.connect() as db:
        return [*db.execute(text("select part, pid, patience, started_at, beat_at from heartbeat order by started_at"))]


def aged(runtime: Runtime, by: timedelta) -> None:
    with runtime.engine.begin() as db:
        db.execute(text("update heartbeat set beat_at = beat_at - :by, started_at = started_at - :by"), {"by": by})


def test_a_process_that_has_not_begun_as_a_part_says_nothing(runtime: Runtime) -> None:
    Heart(runtime.engine).beat()
    assert rows(runtime) == []


def test_a_beat_is_written_only_when_it_tells_something_new(runtime: Runtime, monkeypatch: pytest.MonkeyPatch) -> None:
    moment = [100.0]
    monkeypatch.setattr("service.store.heartbeats.monotonic", lambda: moment[0])
    heart = Heart(runtime.engine)
    heart.begin("relay")

    def said(patience: int) -> Any:
        heart.beat(patience)
        return rows(runtime)[0]

    first = said(IDLE)
    assert (first.part, first.patience) == ("relay", IDLE)
    assert said(IDLE) == first
    job = said(JOB)
    assert job.patience == JOB
    assert said(IDLE) == job
    moment[0] += EVERY
    assert said(IDLE).patience == IDLE
    assert len(rows(runtime)) == 1


def test_a_beat_is_one_statement_and_no_transaction(runtime: Runtime) -> None:
    heart, said = Heart(runtime.engine), list[str]()
    everything = hand_of(runtime.engine).engine
    heart.begin("relay")
    heart.beat()
    notes = {"before_cursor_execute": lambda *call: said.append(call[2]), "begin": lambda *_: said.append("begin")}
    for name, note in notes.items():
        event.listen(everything, name, note)
    try:
        heart.beat(JOB)
    finally:
        for name, note in notes.items():
            event.remove(everything, name, note)
    assert len(said) == 1 and "insert into heartbeat" in said[0]
    assert rows(runtime)[0].patience == JOB


def test_two_heartbeats_of_an_idle_process_may_be_lost_before_it_is_late() -> None:
    assert EVERY * 3 < IDLE


def test_who_is_late_is_known_by_what_it_has_said_it_needs(runtime: Runtime) -> None:
    with runtime.engine.connect() as db:
        since = database_now(db) - timedelta(hours=1)
    for part, patience in (("relay", IDLE), ("worker", JOB)):
        heart = Heart(runtime.engine)
        heart.begin(part)
        heart.beat(patience)
    for seconds, expected in ((IDLE - 5, set()), (10, {"relay"}), (JOB, {"relay", "worker"})):
        aged(runtime, timedelta(seconds=seconds))
        with runtime.engine.connect() as db:
            assert {each.part for each in late(db, since)} == expected
            assert late(db, database_now(db)) == []


def test_a_database_out_of_reach_stops_nobody_who_says_that_he_lives() -> None:
    nowhere = build_engine("postgresql+psycopg://nobody@127.0.0.1:1/nothing")
    heart = Heart(nowhere)
    heart.begin("relay")
    heart.beat()
    nowhere.dispose()


def test_the_last_row_of_each_part_stays_however_old_it_is(runtime: Runtime) -> None:
    for _ in range(2):
        heart = Heart(runtime.engine)
        heart.begin("relay")
        heart.beat()
        aged(runtime, HEARTBEATS + timedelta(days=1))
    prune(runtime.engine, clock.now())
    (left,) = rows(runtime)
    assert left.beat_at < clock.now() - HEARTBEATS
    with runtime.engine.connect() as db:
        assert ages(db) == {}


def test_metrics_show_how_long_ago_each_part_was_heard_of(runtime: Runtime, api: Caller) -> None:
    for part in ("relay", "web-1"):
        heart = Heart(runtime.engine)
        heart.begin(part)
        heart.beat()
    aged(runtime, timedelta(seconds=100))
    said = dict(line.rsplit(" ", 1) for line in api.client.get("/metrics").text.splitlines() if line[0] != "#")
    for part in ("relay", "web-1"):
        assert 100 <= float(said[f'boardroom_beat_age_seconds{{part="{part}"}}']) < 160


def test_a_web_process_is_stuck_when_requests_are_under_way_and_none_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    begun, over = Event(), Event()

    def serve(environ: Any, start: Any) -> list[bytes]:
        begun.set()
        over.wait(60)
        return []

    pulse = Liveness(serve)
    assert not pulse.stuck()
    request = Thread(target=pulse, args=({}, lambda *_: None))
    request.start()
    assert begun.wait(60)
    later = monotonic() + STUCK_AFTER_S
    monkeypatch.setattr("service.http.heartbeat.monotonic", lambda: later - 10)
    assert not pulse.stuck()
    monkeypatch.setattr("service.http.heartbeat.monotonic", lambda: later + 10)
    assert pulse.stuck()
    over.set()
    request.join()
    assert not pulse.stuck()


def test_a_request_that_waits_for_events_may_wait_for_less() -> None:
    document = committed()
    asked = [each for path in document["paths"].values() for each in path.get("get", {}).get("parameters", ())]
    waits = [each["schema"]["maximum"] for each in asked if each.get("name") == "wait"]
    assert waits and max(waits) < STUCK_AFTER_S
