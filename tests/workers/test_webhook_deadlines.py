"""Webhooks are told of deadlines: with each step, at half of the time, and when a time has lapsed (T-07, T-10)."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from freezegun import freeze_time
from sqlalchemy import text

from service.log.recorded import milliseconds
from service.messages.webhooks import LAPSED, NEAR, TURN
from service.rules.pace import Pace
from service.rules.shared_events import TimeGiven
from service.runtime import Runtime
from service.store.games import Games, Position
from tests.builders import act
from tests.games.sealed_bids.actions import Hold
from tests.listener import Listener
from tests.people import Person, alice, bob, carol
from tests.timed import deadline_of, lapsed, noted, timed
from tests.workers.hooks import hook, run_out
from workers.messages import tell_deadline_near

HOUR = Pace(free=3600, bank=0, credit=0, cap=0)


def received(listener: Listener) -> list[tuple[str, Any]]:
    """Return type and data of all that came in."""
    bodies = [json.loads(each.body) for each in listener.received]
    listener.received.clear()
    return [(each["type"], each["data"]) for each in bodies]


def three(games: Games) -> list[Person]:
    return [alice(games), bob(games), carol(games)]


def rows(house: Runtime, position: Position) -> list[Any]:
    with house.engine.connect() as db:
        found = text("select * from outbox where game_id = :game and kind = 'deadline-near' order by id")
        return list(db.execute(found, {"game": position.game.id}))


def carried_out(house: Runtime, position: Position) -> None:
    """Carry out all that is there of this kind, due or not, and deliver what comes of it."""
    for row in rows(house, position):
        tell_deadline_near(house, row.id)
    run_out(house)


def said(games: Games, position: Position, seat: int) -> str:
    return datetime.fromtimestamp(deadline_of(games, position, seat) / 1000, UTC).isoformat()


def test_t07_each_message_says_until_when_the_seats_have_time(house: Runtime, games: Games, listener: Listener) -> None:
    people = three(games)
    hook(house, people[1].id, listener, kinds=[TURN])
    position = timed(games, people, HOUR)
    run_out(house)
    ((_, data),) = received(listener)
    due = said(games, position, 1)
    assert data["deadlines"] == [{"seat": seat, "deadline": due} for seat in range(3)]


def test_t07_half_of_the_time_before_a_deadline_its_player_and_the_hosts_table_are_told(
    house: Runtime, games: Games, listener: Listener
) -> None:
    people = three(games)
    hook(house, people[1].id, listener, kinds=[NEAR])
    position = timed(games, people, HOUR)
    with Listener() as of_stranger:
        hook(house, carol(games).id, of_stranger, kinds=[NEAR])
        (row,) = rows(house, position)
        assert milliseconds(row.not_before) == deadline_of(games, position, 1) - 1_800_000
        carried_out(house, position)
        carried_out(house, position)
        assert received(of_stranger) == []
    ((kind, data),) = received(listener)
    assert (kind, data["near"], data["seat"], data["to_act"]) == (NEAR, 1, 1, [0, 1, 2])
    assert {"seat": 1, "deadline": said(games, position, 1)} in data["deadlines"]


def test_t07_the_webhook_of_a_table_is_told_of_every_deadline(house: Runtime, games: Games, listener: Listener) -> None:
    people = three(games)
    position = timed(games, people, HOUR)
    hook(house, people[0].id, listener, position.game.id, kinds=[NEAR])
    noted(games, position, TimeGiven(seat=2, by=0, seconds=3600, reason="player"), "web")
    (row,) = rows(house, position)
    assert milliseconds(row.not_before) == deadline_of(games, position, 2) - 3_600_000
    carried_out(house, position)
    assert [(data["near"], data["seat"]) for _, data in received(listener)] == [(2, None)]


def test_t07_who_has_moved_or_got_more_time_is_not_told_of_the_deadline_that_was(
    house: Runtime, games: Games, listener: Listener
) -> None:
    people = three(games)
    for person in people[:2]:
        hook(house, person.id, listener, kinds=[NEAR])
    position = timed(games, people, HOUR)
    noted(games, position, TimeGiven(seat=0, by=1, seconds=3600, reason="player"), "web")
    act(games, position, 1, Hold())
    first, second, third = rows(house, position)
    for row in (first, second):
        tell_deadline_near(house, row.id)
    run_out(house)
    assert received(listener) == []
    tell_deadline_near(house, third.id)
    run_out(house)
    assert [data["near"] for _, data in received(listener)] == [0]


def test_t02_half_of_the_time_is_half_of_that_which_counts(house: Runtime, games: Games, listener: Listener) -> None:
    friday = datetime(2027, 1, 1, 12, tzinfo=UTC)
    people = three(games)
    hook(house, people[0].id, listener, kinds=[NEAR])
    with freeze_time(friday):
        position = timed(games, people, replace(HOUR, free=48 * 3600, weekdays="UTC"))
    (row,) = rows(house, position)
    assert row.not_before == friday + timedelta(days=3)


def test_t10_a_lapse_is_told_with_whose_time_it_was(house: Runtime, games: Games, listener: Listener) -> None:
    people = three(games)
    position = timed(games, people, HOUR)
    hook(house, people[1].id, listener, kinds=[LAPSED])
    lapsed(games, position, 2)
    act(games, position, 0, Hold())
    run_out(house)
    ((kind, data),) = received(listener)
    assert (kind, data["lapsed"], data["seat"]) == (LAPSED, 2, 1)
    assert [each["seat"] for each in data["deadlines"]] == [0, 1]


def test_where_no_webhook_listens_nothing_is_noted_of_half_the_time(house: Runtime, games: Games) -> None:
    assert rows(house, timed(games, three(games), HOUR)) == []
