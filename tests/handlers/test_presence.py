"""After three lapses in a row nobody waits for a seat, until its player is back by whatever they do."""

from __future__ import annotations

import pytest
from flask import Flask

from service.handlers import links
from service.handlers.pace import return_to
from service.handlers.play import Move, play, resign
from service.handlers.refusals import AlreadyResigned, NotRunning, NotSeated, StaleDecision, UnknownGame
from service.rules.pace import Pace
from service.rules.shared_events import PlayerBack, TimeLapsed
from service.runtime import Runtime
from service.shared import clock
from service.store.games import Games, Position
from tests.browsing import browser, form_on
from tests.builders import act, first_legal, now_at, paced, sealed_bids
from tests.games.sealed_bids.actions import Hold
from tests.lapsing import AT_ONCE, carried_out, logged, pending, stood_in
from tests.letters import Page
from tests.people import Person, alice, bob, carol
from tests.rest import Caller, refused
from workers.jobs import carry_out

ALICE, BOB = 0, 1
IMPATIENT = Pace(free=0, bank=0, credit=0, cap=7200)
"""Each wait is over as it begins, but who comes back has an hour."""


def in_corp(games: Games) -> tuple[Position, list[Person]]:
    people = [alice(games), bob(games)]
    return paced(games, IMPATIENT, "new-corp-order", people, **{"first-player": ALICE}), people


def absent(runtime: Runtime, position: Position, seat: int) -> Position:
    """The game when the seat's time has run out three times in a row, at a decision that is its own."""
    games = runtime.games
    while True:
        position = now_at(games, position.game.id)
        assert position.clocks is not None
        if seat in position.clocks.absent and seat in position.to_act:
            return position
        others = position.awaited - {seat}
        if others:
            act(games, position, min(others), first_legal(position, min(others)))
        elif seat in position.awaited:
            carried_out(runtime, position, seat=seat)
        else:
            carried_out(runtime, position, "automaton")


def test_t14_after_three_lapses_the_stand_in_plays_at_once_and_nobody_is_asked(runtime: Runtime, games: Games) -> None:
    position, _ = in_corp(games)
    position = stood_in(runtime, absent(runtime, position, ALICE))
    while ALICE not in position.to_act:
        position = act(games, position, BOB, first_legal(position, BOB)).position
    assert position.clocks is not None and not position.clocks.waits
    mails = {row.payload["decision"] for row in pending(games, position, "turn-mail") if row.payload["seat"] == ALICE}
    assert position.decision not in mails
    before = len(logged(games, position, object))
    after = carried_out(runtime, position, "automaton")
    made = logged(games, after, object)[before:]
    assert made and {(each.seat, each.door) for each in made} == {(ALICE, "worker")}
    assert len(logged(games, after, TimeLapsed)) == 3


def test_t14_whoever_presses_i_am_back_is_awaited_again_and_written_to(runtime: Runtime, games: Games) -> None:
    position, people = in_corp(games)
    position = absent(runtime, position, ALICE)
    after = return_to(games, position.game.id, people[ALICE].id, "api")
    assert after.awaited == {ALICE} and after.clocks is not None and not after.clocks.absent
    assert after.clocks.banks[ALICE] == 3600_000
    (told,) = logged(games, after, PlayerBack)
    assert (told.seat, told.door, told.event) == (ALICE, "api", PlayerBack(seat=ALICE))
    asked = [row.payload for row in pending(games, after, "turn-mail")]
    assert {"decision": after.decision, "seat": ALICE} in asked
    assert return_to(games, position.game.id, people[ALICE].id, "api").version == after.version


def test_t14_the_stand_in_that_was_under_way_plays_no_more_and_can_play_the_same_decision_later(
    runtime: Runtime, games: Games
) -> None:
    people = [alice(games), bob(games)]
    position = paced(games, AT_ONCE, "new-corp-order", people, **{"first-player": ALICE})
    position = absent(runtime, position, ALICE)
    (late,) = pending(games, position, "automaton")
    return_to(games, position.game.id, people[ALICE].id, "api")
    carry_out(runtime, late.id)
    assert now_at(games, position.game.id).awaited == {ALICE}
    # She comes back without any time in her bank, and it runs out again at the same decision.
    lapsed = carried_out(runtime, position)
    assert lapsed.decision == position.decision and lapsed.stood_in == {ALICE}
    assert carried_out(runtime, lapsed, "automaton").decision > position.decision


@pytest.mark.parametrize("door", ["api", "web", "link", "reply"])
def test_t14_a_move_of_its_own_brings_a_seat_back_and_counts(runtime: Runtime, games: Games, door: str) -> None:
    position, _ = in_corp(games)
    position = absent(runtime, position, ALICE)
    action = first_legal(position, ALICE)
    played = play(games, Move(position.game.id, ALICE, position.decision, action, door))  # type: ignore[arg-type] # a door
    assert [each.door for each in logged(games, position, PlayerBack)] == [door]
    assert {each.door for each in played.events} == {door}


def test_t14_a_move_that_is_refused_brings_a_seat_back_too(runtime: Runtime, games: Games) -> None:
    position, _ = in_corp(games)
    position = absent(runtime, position, ALICE)
    with pytest.raises(StaleDecision):
        play(games, Move(position.game.id, ALICE, 1, first_legal(position, ALICE), "api"))
    assert now_at(games, position.game.id).awaited == {ALICE}


@pytest.mark.parametrize("door", ["order", "worker"])
def test_t14_what_a_player_has_ordered_ahead_brings_nobody_back(runtime: Runtime, games: Games, door: str) -> None:
    position, _ = in_corp(games)
    position = absent(runtime, position, ALICE)
    with pytest.raises(StaleDecision):
        play(games, Move(position.game.id, ALICE, 1, first_legal(position, ALICE), door))  # type: ignore[arg-type] # a door
    assert not logged(games, position, PlayerBack)


def test_t14_in_a_game_of_simultaneous_decisions_the_others_do_not_wait(runtime: Runtime, games: Games) -> None:
    people = [alice(games), bob(games), carol(games)]
    position = paced(games, IMPATIENT, people=people)
    position = stood_in(runtime, position)
    while position.clocks is not None and len(position.clocks.absent) < 3:
        position = stood_in(runtime, position)
        if position.game.status == "finished":
            break
    # Three lots, three lapses each: all are absent only at the last one.
    assert position.clocks is not None and position.clocks.absent == {0, 1, 2}


def test_t14_only_who_sits_in_a_running_game_can_come_back(runtime: Runtime, games: Games) -> None:
    position = sealed_bids(games)
    stranger = carol(games)
    with pytest.raises(NotSeated):
        return_to(games, position.game.id, stranger.id, "api")
    with pytest.raises(UnknownGame):
        return_to(games, stranger.id, stranger.id, "api")
    seat = position.seats[BOB].player_id
    resign(games, position.game.id, seat, "api", clock.now())
    with pytest.raises(AlreadyResigned):
        return_to(games, position.game.id, seat, "api")
    for other in (0, 2):
        if now_at(games, position.game.id).game.status == "running":
            resign(games, position.game.id, position.seats[other].player_id, "api", clock.now())
    with pytest.raises(NotRunning):
        return_to(games, position.game.id, seat, "api")


def test_t14_over_the_api(runtime: Runtime, games: Games, api: Caller) -> None:
    position, people = in_corp(games)
    position = absent(runtime, position, ALICE)
    place = f"/games/{position.game.id}/back"
    refused(api.by(carol(games)).post(place), 403, "not-seated")
    answer = api.by(people[ALICE]).post(place)
    assert answer.status_code == 200 and answer.json and answer.json["to_act"] == [ALICE]
    resign(games, position.game.id, people[BOB].id, "api", clock.now())
    refused(api.by(people[ALICE]).post(place), 409, "game-not-running")
    refused(api.post(place), 401, "unauthenticated")


def test_t14_the_page_of_the_table_has_a_button_and_the_others_read_who_is_absent(
    runtime: Runtime, games: Games, app: Flask
) -> None:
    position, people = in_corp(games)
    position = absent(runtime, position, ALICE)
    place = f"/games/{position.game.id}"
    page = browser(app, games, people[BOB]).get(place)
    assert "Zeit dreimal nacheinander abgelaufen ist: Alice" in page.text.replace("\u2068", "").replace("\u2069", "")
    web = browser(app, games, people[ALICE])
    form = form_on(web.get(place), f"{place}/back")
    assert web.post(form.action, data=form.hidden).status_code == 303
    assert now_at(games, position.game.id).awaited == {ALICE}
    assert "I am back" not in web.get(place).text


def test_t14_opening_a_link_changes_nothing_and_its_button_brings_the_player_back(
    runtime: Runtime, games: Games, app: Flask
) -> None:
    position, _ = in_corp(games)
    position = absent(runtime, position, ALICE)
    with games.engine.begin() as db:
        token = links.issue(db, position.game.id, ALICE, 1, clock.now())
    web = app.test_client()
    page = web.get(f"/t/{token}")
    assert page.status_code == 410 and not logged(games, position, PlayerBack)
    assert web.post(f"/t/{token}/link/back-again").status_code == 410, "scanners send no form"
    form, *_ = (each for each in Page(page.text).forms if each.action == f"/t/{token}/link/back-again")
    done = web.post(form.action, data=form.hidden)
    assert done.status_code == 200 and "You are back" in done.text
    assert [each.door for each in logged(games, position, PlayerBack)] == ["link"]
    assert now_at(games, position.game.id).awaited == {ALICE}


def test_t14_a_form_behind_a_link_brings_the_player_back_though_it_comes_too_late(
    runtime: Runtime, games: Games, app: Flask
) -> None:
    position, _ = in_corp(games)
    position = absent(runtime, position, ALICE)
    with games.engine.begin() as db:
        token = links.issue(db, position.game.id, ALICE, 1, clock.now())
    answer = app.test_client().post(f"/t/{token}", data={"decision": "1", "notation": "P 1"})
    assert answer.status_code == 409 and "Your time for this decision ran out" in answer.text
    assert now_at(games, position.game.id).awaited == {ALICE}


def test_t14_a_hold_in_a_game_where_all_decide_at_once_is_a_move_too(runtime: Runtime, games: Games) -> None:
    position = paced(games, IMPATIENT)
    for _ in range(2):
        position = stood_in(runtime, position)
    position = carried_out(runtime, position)
    assert position.clocks is not None and position.clocks.absent == {0, 1, 2}
    after = play(games, Move(position.game.id, BOB, position.decision, Hold(), "api")).position
    assert after.clocks is not None and after.clocks.absent == {0, 2}
