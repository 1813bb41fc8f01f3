"""A process goes by the database's clock, whatever its machine's says, and moments in a log never fall."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from freezegun import freeze_time

from service.audit.log import lobby_events
from service.handlers import lobby
from service.handlers.play import Move, play, resign
from service.handlers.refusals import Unavailable
from service.runtime import Runtime
from service.shared import clock
from service.store import events
from service.store.engine import build_engine
from service.store.games import Games
from service.store.heartbeats import Heart, clocks, database_now
from tests.builders import act, first_legal, now_at, opened, sealed_bids, started
from tests.people import alice, bob
from tests.rest import Caller
from tests.statements import heard
from tests.timed_machine import machine_off

OFF = pytest.mark.parametrize("seconds", [-50, 50, 7200])
HOUR = timedelta(hours=1)


def right_now(games: Games) -> datetime:
    with games.engine.connect() as db:
        return database_now(db)


def moments(games: Games, game: UUID) -> list[datetime]:
    position = now_at(games, game)
    with games.engine.connect() as db:
        return [each.at for each in events.read(db, position.codec, game)]


def first_move(games: Games, position: Any) -> Any:
    seat = min(position.awaited)
    return act(games, position, seat, first_legal(position, seat))


@OFF
def test_a_move_has_the_moment_of_the_database_whatever_the_machine_says(games: Games, seconds: int) -> None:
    position = sealed_bids(games)
    with machine_off(seconds):
        first_move(games, position)
        assert clock.ahead() == pytest.approx(seconds, abs=1)
        assert abs(clock.now() - right_now(games)) < timedelta(seconds=1)
    last = moments(games, position.game.id)[-1]
    assert abs(last - right_now(games)) < timedelta(seconds=2)


@OFF
def test_what_is_done_under_a_lock_is_refused_once_and_then_has_the_right_moment(games: Games, seconds: int) -> None:
    people = [alice(games), bob(games)]
    game = started(games, "new-corp-order", people).game.id
    with machine_off(seconds):
        with pytest.raises(Unavailable):
            resign(games, game, people[0].id, "api", clock.now())
        resign(games, game, people[0].id, "api", clock.now())
    assert abs(moments(games, game)[-1] - right_now(games)) < timedelta(seconds=2)


@OFF
def test_a_new_connection_measures_the_clock_before_anything_is_written(runtime: Runtime, seconds: int) -> None:
    with machine_off(seconds):
        engine = build_engine(runtime.settings.database_url)
        try:
            with engine.connect() as db:
                assert clock.ahead() == pytest.approx(seconds, abs=1)
                assert abs(clock.now() - database_now(db)) < timedelta(seconds=1)
        finally:
            engine.dispose()


def test_a_machine_that_keeps_time_corrects_nothing_and_an_action_stays_one_statement(games: Games) -> None:
    position = sealed_bids(games)
    assert clock.ahead() == pytest.approx(0, abs=0.5)
    seat = min(position.awaited)
    move = Move(position.game.id, seat, position.decision, first_legal(position, seat), "api")
    with heard(games) as said:
        play(games, move, seen=position)
    assert len(said) == 1 and "insert into event" in said[0]


def test_moments_of_a_log_never_fall_even_where_the_clock_of_the_database_did(games: Games) -> None:
    with freeze_time(clock.now() + HOUR):
        position = sealed_bids(games)
    after = first_move(games, position).position
    first_move(games, now_at(games, after.game.id))
    found = moments(games, position.game.id)
    assert found == sorted(found) and found[-1] == found[0]


def test_moments_of_a_lobby_never_fall_nor_does_that_of_the_start(games: Games) -> None:
    people = [alice(games), bob(games)]
    with freeze_time(clock.now() + HOUR):
        game = opened(games, "new-corp-order", people)
    lobby.start(games, game, people[0].id, clock.now())
    with games.engine.connect() as db:
        found = [each.at for each, _ in lobby_events(db, game)]
    assert found == sorted(found) and len(found) == 4
    assert moments(games, game)[0] >= found[-1]


def test_a_slow_answer_of_the_database_alone_corrects_nothing() -> None:
    clock.measured(100.0, 107.0, 108.0)
    assert clock.ahead() == 0
    clock.measured(100.0, 110.0, 108.0)
    assert clock.ahead() == -2
    clock.measured(100.0, 90.0, 108.0)
    assert clock.ahead() == 10
    clock.measured(100.0, 100.0, 100.0)


def test_a_process_whose_clock_is_off_says_so_in_its_heartbeat_in_readyz_and_at_metrics(
    runtime: Runtime, api: Caller
) -> None:
    heart = Heart(runtime.engine)
    heart.begin("relay-off")
    with machine_off(-50):
        heart.beat()
        assert api.client.get("/readyz").json["clock_ahead_seconds"] == pytest.approx(-50, abs=1)
        heart.beat(1000)
        said = dict(line.rsplit(" ", 1) for line in api.client.get("/metrics").text.splitlines() if line[0] != "#")
    assert float(said['boardroom_clock_off_seconds{part="relay-off"}']) == pytest.approx(50, abs=1)
    with runtime.engine.connect() as db:
        assert {each.part: each.ahead for each in clocks(db)}["relay-off"] == pytest.approx(-50, abs=1)
    ready = api.client.get("/readyz")
    assert ready.status_code == 200 and "clock_ahead_seconds" not in (ready.json or {})
