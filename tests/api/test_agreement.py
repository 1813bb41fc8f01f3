"""Pauses and taking actions back by consent, over the API."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from service.shared import clock
from service.store.games import Games, Position
from tests.builders import act, finished, now_at, started
from tests.consenting import clocked, names
from tests.games.sealed_bids.actions import Bid
from tests.people import Person, alice, bob, carol
from tests.rest import Caller, refused

ALICE, BOB, CAROL = 0, 1, 2


@pytest.fixture
def people(games: Games) -> list[Person]:
    return [alice(games), bob(games), carol(games)]


@pytest.fixture
def callers(api: Caller, people: list[Person]) -> list[Caller]:
    return [api.by(person) for person in people]


@pytest.fixture
def position(games: Games, people: list[Person]) -> Position:
    return clocked(games, people=people)


def until(days: float) -> dict[str, str]:
    return {"until": (clock.now() + timedelta(days=days)).isoformat()}


def answered(answer: Any, status: int = 200) -> Any:
    assert answer.status_code == status, answer.text
    return answer.get_json()


def test_t21_a_pause_is_proposed_agreed_to_and_ended(
    games: Games, position: Position, callers: list[Caller], api: Caller
) -> None:
    place, week = f"/games/{position.game.id}/pause", until(7)
    assert answered(callers[ALICE].get(place)) == {"proposed": None, "paused": None}
    proposed = answered(callers[ALICE].post(place, week), 201)["proposed"]
    assert (proposed["seat"], proposed["agreed"], proposed["missing"]) == (ALICE, [ALICE], [BOB, CAROL])
    assert proposed["until"][:23] == week["until"][:23]
    assert answered(callers[BOB].post(f"{place}/agreement", week))["proposed"]["missing"] == [CAROL]
    paused = answered(callers[CAROL].post(f"{place}/agreement", {"until": proposed["until"]}))
    assert (paused["proposed"], paused["paused"]["agreed"]) == (None, [ALICE, BOB, CAROL])
    refused(callers[BOB].post(place, week), 409, "cannot-pause")
    assert answered(api.by(bob(games)).get(place)) == paused
    assert answered(callers[BOB].delete(place)) == {"proposed": None, "paused": None}
    refused(callers[BOB].delete(place), 409, "no-pause")
    refused(callers[BOB].post(f"{place}/agreement", week), 409, "no-pause")
    told = answered(callers[ALICE].get(f"/games/{position.game.id}/events?after={position.version}"))["items"]
    assert [each["type"] for each in told][-2:] == ["game-paused", "game-resumed"]


def test_t21_a_proposal_with_a_key_is_made_once(position: Position, games: Games, callers: list[Caller]) -> None:
    place, week = f"/games/{position.game.id}/pause", until(7)
    first, again = (callers[ALICE].post(place, week, Idempotency_Key="pause-for-a-week") for _ in range(2))
    assert answered(first, 201) == answered(again, 201)
    assert again.headers["Idempotency-Replayed"] == "true"
    assert names(games, position) == ["pause-proposed"]


@pytest.mark.parametrize("days", [-1, 0, 30.01, 400])
def test_t21_a_pause_that_is_too_long_or_over_is_refused(
    games: Games, position: Position, callers: list[Caller], days: float
) -> None:
    problem = refused(callers[ALICE].post(f"/games/{position.game.id}/pause", until(days)), 422, "bad-pause")
    assert problem["errors"][0]["pointer"] == "/until"
    assert names(games, position) == []


@pytest.mark.parametrize("said", ["tomorrow", "2026-12-01", "2026-12-01T12:00:00", 7, None, "9999-12-31T23:59:59Z"])
def test_t21_what_is_no_moment_is_refused(games: Games, position: Position, callers: list[Caller], said: Any) -> None:
    for place in ("pause", "pause/agreement"):
        answer = callers[ALICE].post(f"/games/{position.game.id}/{place}", {"until": said})
        assert answer.status_code in (409, 422) and answer.is_json
    assert names(games, position) == []


def test_t21_a_game_without_a_clock_has_no_pauses(games: Games, api: Caller) -> None:
    people = [alice(games), bob(games), carol(games)]
    place = f"/games/{started(games, 'sealed-bids', people).game.id}/pause"
    refused(api.by(people[0]).post(place, until(1)), 409, "cannot-pause")
    assert answered(api.by(people[0]).get(place)) == {"proposed": None, "paused": None}


def bids(games: Games, position: Position, *seats: int) -> Position:
    for seat in seats:
        position = act(games, position, seat, Bid(card=position.state.hands[seat][0])).position
    return position


def test_t35_an_action_is_taken_back_when_all_others_have_agreed(
    games: Games, position: Position, callers: list[Caller]
) -> None:
    bids(games, position, ALICE, BOB, CAROL)
    place = f"/games/{position.game.id}/take-back-requests"
    asked = answered(callers[ALICE].post(place, {"decision": 1}), 201)
    assert (asked["seat"], asked["decision"], asked["agreed"], asked["missing"]) == (ALICE, 1, [], [BOB, CAROL])
    assert asked["until"] > asked["asked_at"]
    assert answered(callers[BOB].get(place)) == {"items": [asked]}
    refused(callers[BOB].post(place, {"decision": 1}), 409, "take-back-not-offered")
    one = f"{place}/{asked['first']}"
    assert answered(callers[BOB].post(f"{one}/agreement"))["events"] == []
    assert answered(callers[ALICE].get(place))["items"][0]["missing"] == [CAROL]
    done = answered(callers[CAROL].post(f"{one}/agreement"))
    (event,) = done["events"]
    assert (event["type"], event["actor"], event["data"]["agreed"]) == ("action-taken-back", ALICE, [BOB, CAROL])
    assert sorted(done["table"]["to_act"]) == [ALICE, BOB, CAROL] and done["decision"] == 3
    refused(callers[BOB].post(f"{one}/agreement"), 409, "take-back-over")
    refused(callers[BOB].delete(one), 409, "take-back-over")
    assert answered(callers[BOB].get(place)) == {"items": []}


def test_t35_a_request_is_declined_and_withdrawn(games: Games, position: Position, callers: list[Caller]) -> None:
    bids(games, position, ALICE, BOB)
    place = f"/games/{position.game.id}/take-back-requests"
    for seat in (CAROL, ALICE):
        key = f"second-thoughts-{seat}"
        asked = [answered(callers[ALICE].post(place, {"decision": 1}, Idempotency_Key=key), 201) for _ in range(2)]
        assert asked[0] == asked[1]
        assert callers[seat].delete(f"{place}/{asked[0]['first']}").status_code == 204
        assert answered(callers[ALICE].get(place)) == {"items": []}


def test_t35_what_cannot_be_asked_for_is_refused_in_the_players_language(
    games: Games, people: list[Person], position: Position, callers: list[Caller]
) -> None:
    place = f"/games/{position.game.id}/take-back-requests"
    refused(callers[BOB].post(place, {"decision": 1}), 409, "nothing-to-take-back")
    untimed = started(games, "sealed-bids", people).game.id
    problem = refused(
        callers[BOB].post(f"/games/{untimed}/take-back-requests", {"decision": 1}), 409, "take-back-not-offered"
    )
    assert problem["reason"] == "no-clock"
    assert problem["detail"].startswith("In einer Partie ohne Uhr")
    over = finished(games, now_at(games, position.game.id))
    refused(callers[BOB].post(f"/games/{over.game.id}/take-back-requests", {"decision": 1}), 409, "game-not-running")
