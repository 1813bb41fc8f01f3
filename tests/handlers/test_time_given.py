"""A player gives a waiting seat its free time once more; nobody takes time away."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from flask import Flask

from service.audit.inspect import examine
from service.handlers.pace import can_give_time, give_time
from service.handlers.play import resign
from service.handlers.refusals import NotRunning, NotSeated, TimeNotGiven
from service.rules.pace import PACES
from service.rules.shared_events import TimeGiven, TimeLapsed
from service.runtime import Runtime
from service.shared import clock
from service.store.game_row import Terms
from service.store.games import Games, Position
from tests.browsing import browser, form_on
from tests.builders import act, now_at, paced, sealed_bids
from tests.games.sealed_bids.actions import Hold
from tests.lapsing import AT_ONCE, HOUR, HOURLY, begun, carried_out, logged, pending
from tests.leaving import left
from tests.people import Person, alice, bob, carol
from tests.rest import Caller, refused

ALICE, BOB, CAROL = 0, 1, 2
DAY = 24 * 3600_000


def deadline(position: Position, seat: int) -> int:
    assert position.clocks is not None
    found = position.clocks.deadline(seat)
    assert found is not None
    return found


def three(games: Games) -> list[Person]:
    return [alice(games), bob(games), carol(games)]


def test_t16_another_player_gives_a_waiting_seat_its_free_time_once_more(games: Games) -> None:
    people = three(games)
    position = paced(games, PACES["daily"], people=people)
    after = give_time(games, position.game.id, people[ALICE].id, BOB, "api").position
    assert deadline(after, BOB) == deadline(position, BOB) + DAY
    assert deadline(after, CAROL) == deadline(position, CAROL)
    (told,) = logged(games, after, TimeGiven)
    assert (told.seat, told.door, told.action) == (BOB, "api", None)
    assert told.event == TimeGiven(seat=BOB, by=ALICE, seconds=24 * 3600, reason="player")
    assert {"seat": BOB, "deadline": deadline(after, BOB)} in [row.payload for row in pending(games, after)]


def test_t16_time_that_is_given_keeps_a_lapse_away(runtime: Runtime, games: Games) -> None:
    people = three(games)
    position = begun(games, HOUR, people=people)
    give_time(games, position.game.id, people[ALICE].id, BOB, "api")
    carried_out(runtime, position)
    assert {each.event.seat for each in logged(games, position, TimeLapsed)} == {ALICE, CAROL}


def test_t16_each_of_the_others_can_give_once_in_a_wait_and_again_in_the_next(games: Games) -> None:
    people = three(games)
    position = paced(games, HOURLY, people=people)
    game = position.game.id
    for giver in (ALICE, CAROL):
        give_time(games, game, people[giver].id, BOB, "api")
        with pytest.raises(TimeNotGiven) as again:
            give_time(games, game, people[giver].id, BOB, "api")
        assert again.value.reason == "given-before"
    assert deadline(now_at(games, game), BOB) == deadline(position, BOB) + 2 * 3600_000
    for seat in (ALICE, BOB, CAROL):
        act(games, now_at(games, game), seat, Hold())
    give_time(games, game, people[ALICE].id, BOB, "api")
    assert len(logged(games, position, TimeGiven)) == 3


def test_t16_nobody_gives_time_to_themselves_to_who_does_not_wait_or_from_outside(games: Games) -> None:
    people = three(games)
    position = paced(games, HOURLY, people=people)
    game = position.game.id
    act(games, position, BOB, Hold())
    for giver, seat, why in ((ALICE, ALICE, "own-seat"), (ALICE, BOB, "not-waiting"), (ALICE, 7, "not-waiting")):
        with pytest.raises(TimeNotGiven) as refusal:
            give_time(games, game, people[giver].id, seat, "api")
        assert refusal.value.reason == why
    with pytest.raises(NotSeated):
        give_time(games, game, carol(games).id, CAROL, "api")
    assert not logged(games, position, TimeGiven)


def test_t16_without_a_clock_or_free_time_there_is_nothing_to_give(games: Games) -> None:
    for position, why in ((sealed_bids(games), "not-waiting"), (paced(games, PACES["live"]), "no-free-time")):
        with pytest.raises(TimeNotGiven) as refusal:
            give_time(games, position.game.id, position.seats[ALICE].player_id, BOB, "api")
        assert refusal.value.reason == why
    over = paced(games, HOURLY)
    for seat in (ALICE, BOB):
        resign(games, over.game.id, over.seats[seat].player_id, "api", clock.now())
    with pytest.raises(NotRunning):
        give_time(games, over.game.id, over.seats[ALICE].player_id, BOB, "api")


def test_t16_a_player_who_has_resigned_or_is_absent_gives_no_time_and_the_record_still_holds(games: Games) -> None:
    people = three(games)
    resigned = paced(games, HOURLY, people=people)
    resign(games, resigned.game.id, people[ALICE].id, "api", clock.now())
    absent, _, _ = left(games, terms=Terms(pace=replace(HOURLY, free=60)), seat=ALICE)
    for game in (resigned.game.id, absent.game.id):
        now = now_at(games, game)
        with games.engine.connect() as db:
            assert (can_give_time(db, now, ALICE), can_give_time(db, now, BOB)) == ([], [CAROL])
        with pytest.raises(TimeNotGiven) as refusal:
            give_time(games, game, now.seats[ALICE].player_id, BOB, "api")
        assert refusal.value.reason == "unattended"
    give_time(games, resigned.game.id, people[CAROL].id, BOB, "api")
    with games.engine.connect() as db:
        assert examine(db, games, resigned.game.id) == now_at(games, resigned.game.id).version


def test_t16_on_weekdays_only_the_free_time_is_given_in_weekdays(games: Games) -> None:
    weekly = replace(PACES["weekly"], weekdays="Europe/Berlin")
    position = paced(games, weekly)
    after = give_time(games, position.game.id, position.seats[ALICE].player_id, BOB, "api").position
    assert deadline(after, BOB) >= deadline(position, BOB) + 2 * DAY


def test_t16_over_the_api(games: Games, api: Caller) -> None:
    people = three(games)
    position = paced(games, HOURLY, people=people)
    place = f"/games/{position.game.id}/time"
    refused(api.by(people[ALICE]).post(place, {"seat": "1"}), 422, "validation")
    refused(api.by(people[ALICE]).post(place, {"seat": 1, "seconds": -60}), 422, "validation")
    refused(api.by(carol(games)).post(place, {"seat": 1}), 403, "not-seated")
    refused(
        api.by(people[ALICE]).post("/games/01a20667-4263-7407-a445-522e4712cee5/time", {"seat": 1}), 404, "unknown-game"
    )
    answer = api.by(people[ALICE]).post(place, {"seat": BOB})
    assert answer.status_code == 201 and answer.json
    (event,) = answer.json["events"]
    assert event["type"] == "time-given" and event["data"]["by"] == ALICE
    told = event["text"].replace("\u2068", "").replace("\u2069", "")
    assert told == "Alice gives Bob more time: 1 hour."
    body = refused(api.by(people[ALICE]).post(place, {"seat": BOB}), 409, "time-not-given")
    assert body["reason"] == "given-before"


def test_t16_at_the_table_there_is_a_button_for_each_seat_that_can_be_given_time(games: Games, app: Flask) -> None:
    people = three(games)
    position = paced(games, HOURLY, people=people)
    place = f"/games/{position.game.id}"
    web = browser(app, games, people[ALICE])
    assert web.get(place).text.count(f'action="{place}/time"') == 2
    form = form_on(web.get(place), f"{place}/time")
    assert form.hidden["seat"] == str(BOB)
    assert web.post(form.action, data=form.hidden).status_code == 303
    assert web.get(place).text.count(f'action="{place}/time"') == 1
    again = web.post(form.action, data=form.hidden)
    assert again.status_code == 409 and "more time for this move already" in again.text
    assert f'action="{place}/time"' not in browser(app, games, carol(games)).get(place).text


def test_t16_a_seat_without_a_deadline_is_offered_nothing(games: Games) -> None:
    position = paced(games, replace(AT_ONCE, free=60))
    after = act(games, position, BOB, Hold()).position
    with games.engine.connect() as db:
        assert can_give_time(db, after, ALICE) == [CAROL]
        assert can_give_time(db, sealed_bids(games), ALICE) == []
    assert timedelta(milliseconds=deadline(after, CAROL) - deadline(position, CAROL)) == timedelta(0)
