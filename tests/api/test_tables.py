"""Tables before the game: on what terms, who may know of them, and how people come and go."""

from __future__ import annotations

import re
from typing import Any
from uuid import UUID, uuid4

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from service.store.game_row import Terms
from service.store.games import Games
from tests.builders import now_at, opened, started, table_for
from tests.people import Person, alice, bob, carol
from tests.rest import Caller, refused

PLAN = {"ruleset": "sealed-bids", "seats": 3}
TERMS: dict[str, Any] = {
    "name": "Friday Night",
    "access": "public",
    "spectators": False,
    "start": "full",
    "on_resignation": "end",
    "training": True,
}
ANYBODYS_GUESS = {"decision": 1, "action": {"type": "hold"}}


@pytest.fixture
def people(games: Games) -> list[Person]:
    return [alice(games), bob(games), carol(games)]


def test_a_table_is_run_on_the_terms_that_its_host_wishes(api: Caller, people: list[Person]) -> None:
    new = api.by(people[0]).post("/games", {**PLAN, **TERMS}).json
    assert new
    assert {name: new[name] for name in TERMS} == TERMS
    assert (new["host"], new["status"]) == (0, "open")


def test_without_wishes_a_table_is_private_and_its_host_starts_it(api: Caller, people: list[Person]) -> None:
    new = api.by(people[0]).post("/games", PLAN).json
    assert new
    assert [new[name] for name in TERMS] == [None, "invitation", True, "host", "play-on", False]


@pytest.mark.parametrize(
    "wish",
    [
        {"name": ""},
        {"name": "a" * 61},
        {"name": "two\nlines"},
        {"name": 1},
        {"access": "secret"},
        {"access": None},
        {"access": ["public"]},
        {"spectators": "false"},
        {"spectators": 0},
        {"start": "now"},
        {"on_resignation": "cry"},
        {"training": None},
        {"rematch_of": str(uuid4())},
        {"host": str(uuid4())},
        {"status": "running"},
    ],
)
def test_terms_that_there_are_not_are_refused(wish: dict[str, Any], api: Caller, people: list[Person]) -> None:
    caller = api.by(people[0])
    refused(caller.post("/games", {**PLAN, **wish}), 422, "validation")
    assert caller.get("/games?mine=true").json == {"items": [], "next": None}


def test_a_game_for_one_is_never_public(api: Caller, people: list[Person]) -> None:
    solo = {"ruleset": "new-corp-order", "seats": 1}
    wrong = refused(api.by(people[0]).post("/games", {**solo, "access": "public"}), 422, "bad-option")
    assert wrong["errors"][0]["pointer"] == "/access"
    assert api.by(people[0]).post("/games", solo).status_code == 201


def test_a_game_that_starts_when_full_starts_with_the_last_seat_taken(
    api: Caller, games: Games, people: list[Person]
) -> None:
    game = table_for(games, "sealed-bids", people[0], 3, Terms(access="public", start="full"))
    assert api.by(people[1]).post(f"/games/{game}/seats").json == {"seat": 1}
    assert now_at(games, game).game.status == "open"
    assert api.by(people[2]).post(f"/games/{game}/seats").json == {"seat": 2}
    begun = api.by(people[2]).get(f"/games/{game}").json
    assert begun
    assert (begun["status"], begun["to_act"], begun["version"]) == ("running", [0, 1, 2], 4)
    assert refused(api.by(people[0]).post(f"/games/{game}/start"), 409, "not-open")["reason"] == "started"


def test_a_game_for_one_that_starts_when_full_starts_at_once(api: Caller, people: list[Person]) -> None:
    new = api.by(people[0]).post("/games", {"ruleset": "new-corp-order", "seats": 1, "start": "full"}).json
    assert new
    assert (new["status"], new["to_act"]) == ("running", [0])


def test_a_stranger_cannot_tell_a_private_game_from_none_by_any_operation(
    app: Flask, api: Caller, games: Games, people: list[Person]
) -> None:
    secret = table_for(games, "sealed-bids", people[0], 3, Terms())
    running = started(games, "sealed-bids", people).game.id
    _make(games, running, access="invitation")
    stranger = api.by(carol(games))
    asked = 0
    for rule in app.url_map.iter_rules():
        if rule.rule.startswith("/api/v1") and "<uuid:game_id>" in rule.rule:
            for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}:
                for game in (secret, running):
                    there, nowhere = (_ask(stranger, method, rule.rule, each) for each in (game, uuid4()))
                    assert (there.status_code, _said(there)) == (nowhere.status_code, _said(nowhere)), rule.rule
                    assert there.status_code in (404, 422), rule.rule
                    asked += 1
    assert asked >= 30
    listed = stranger.get("/games?limit=100").json
    assert listed
    assert not {str(secret), str(running)} & {each["id"] for each in listed["items"]}


def test_a_public_game_may_be_looked_at_unless_it_wants_no_spectators(
    api: Caller, games: Games, people: list[Person]
) -> None:
    stranger, seated = api.by(carol(games)), api.by(people[1])
    running = started(games, "sealed-bids", people).game.id
    assert stranger.get(f"/games/{running}").status_code == 200
    _make(games, running, spectators=False)
    for path in ("", "/events", "/legal-actions", "/board", "/standings"):
        refused(stranger.get(f"/games/{running}{path}"), 404, "unknown-game")
        assert seated.get(f"/games/{running}{path}").status_code == 200
    refused(stranger.act(running, 1, {"type": "hold"}), 404, "unknown-game")
    refused(stranger.post(f"/games/{running}/seats"), 404, "unknown-game")


def test_who_leaves_frees_a_seat_for_the_next(api: Caller, games: Games, people: list[Person]) -> None:
    game = opened(games, "sealed-bids", people)
    left = api.by(people[1]).delete(f"/games/{game}/seats/mine")
    assert (left.status_code, left.data) == (204, b"")
    assert [seat.seat for seat in now_at(games, game).seats] == [0, 2]
    refused(api.by(people[1]).delete(f"/games/{game}/seats/mine"), 403, "not-seated")
    assert api.by(bob(games)).post(f"/games/{game}/seats").json == {"seat": 1}


def test_at_the_start_the_seats_are_in_the_order_of_joining(api: Caller, games: Games, people: list[Person]) -> None:
    game = opened(games, "sealed-bids", people)
    api.by(people[0]).delete(f"/games/{game}/seats/mine")
    late = alice(games)
    assert api.by(late).post(f"/games/{game}/seats").json == {"seat": 0}
    table = api.by(people[1]).get(f"/games/{game}").json
    assert table
    assert (table["host"], [seat["name"] for seat in table["seats"]]) == (1, ["Alice", "Bob", "Carol"])
    begun = api.by(people[1]).post(f"/games/{game}/start").json
    assert begun
    assert [seat["name"] for seat in begun["seats"]] == ["Bob", "Carol", "Alice"]
    assert (begun["host"], begun["seat"]) == (0, 0)
    position = now_at(games, game)
    assert [seat.player_id for seat in position.seats] == [people[1].id, people[2].id, late.id]
    own = api.by(late).get(f"/games/{game}").json
    assert own
    assert own["view"]["hand"] == list(position.state.hands[2])


def test_the_last_to_come_hears_the_seat_that_the_game_gives(api: Caller, games: Games, people: list[Person]) -> None:
    game = table_for(games, "sealed-bids", people[0], 3, Terms(access="public", start="full"))
    api.by(people[1]).post(f"/games/{game}/seats")
    api.by(people[0]).delete(f"/games/{game}/seats/mine")
    assert api.by(people[2]).post(f"/games/{game}/seats").json == {"seat": 0}
    last = alice(games)
    assert api.by(last).post(f"/games/{game}/seats").json == {"seat": 2}
    assert [seat.name for seat in now_at(games, game).seats] == ["Bob", "Carol", "Alice"]


def test_a_host_who_leaves_hands_over_to_whoever_has_been_there_longest(
    api: Caller, games: Games, people: list[Person]
) -> None:
    game = opened(games, "sealed-bids", people)
    api.by(people[1]).delete(f"/games/{game}/seats/mine")
    api.by(people[1]).post(f"/games/{game}/seats")
    api.by(people[0]).delete(f"/games/{game}/seats/mine")
    refused(api.by(people[1]).post(f"/games/{game}/cancel"), 403, "not-host")
    cancelled = api.by(people[2]).post(f"/games/{game}/cancel").json
    assert cancelled
    assert cancelled["status"] == "cancelled"


def test_a_game_that_the_last_one_leaves_is_cancelled(api: Caller, games: Games, people: list[Person]) -> None:
    game = table_for(games, "sealed-bids", people[0], 3)
    assert api.by(people[0]).delete(f"/games/{game}/seats/mine").status_code == 204
    assert now_at(games, game).game.status == "cancelled"
    refused(api.by(people[1]).post(f"/games/{game}/seats"), 404, "unknown-game")
    assert refused(api.by(people[0]).post(f"/games/{game}/start"), 409, "not-open")["reason"] == "cancelled"
    refused(api.by(people[0]).act(game, 0, {"type": "hold"}), 409, "game-not-running")


def test_only_the_host_kicks_and_only_others_and_only_before_the_start(
    api: Caller, games: Games, people: list[Person]
) -> None:
    game = opened(games, "sealed-bids", people)
    host = api.by(people[0])
    refused(api.by(people[1]).delete(f"/games/{game}/seats/2"), 403, "not-host")
    assert refused(host.delete(f"/games/{game}/seats/0"), 409, "not-open")["reason"] == "own-seat"
    assert host.delete(f"/games/{game}/seats/1").status_code == 204
    for seat in (1, 3, 10**30):
        assert refused(host.delete(f"/games/{game}/seats/{seat}"), 409, "not-open")["reason"] == "empty"
    assert api.by(people[1]).post(f"/games/{game}/seats").json == {"seat": 1}
    host.post(f"/games/{game}/start")
    before = now_at(games, game)
    for answer in (
        host.delete(f"/games/{game}/seats/1"),
        host.delete(f"/games/{game}/seats/mine"),
        api.by(people[1]).delete(f"/games/{game}/seats/mine"),
        host.post(f"/games/{game}/cancel"),
    ):
        assert refused(answer, 409, "not-open")["reason"] == "started"
    assert now_at(games, game) == before


def test_coming_and_going_changes_the_tag_even_if_the_number_stays(
    api: Caller, games: Games, people: list[Person]
) -> None:
    game = opened(games, "sealed-bids", people)
    host = api.by(people[0])
    tag = host.get(f"/games/{game}").headers["ETag"]
    assert host.get(f"/games/{game}", If_None_Match=tag).status_code == 304
    host.delete(f"/games/{game}/seats/2")
    api.by(carol(games)).post(f"/games/{game}/seats")
    assert host.get(f"/games/{game}", If_None_Match=tag).status_code == 200


def _make(games: Games, game: UUID, **terms: Any) -> None:
    with games.engine.begin() as db:
        for name, value in terms.items():
            db.exec_driver_sql(f"update game set {name} = %s where id = %s", (value, game))


def _ask(caller: Caller, method: str, rule: str, game: UUID) -> TestResponse:
    path = re.sub(r"<int:\w+>", "0", rule.replace("<uuid:game_id>", str(game)))
    path = re.sub(r"<\w+:\w+>", str(UUID(int=0)), path).removeprefix("/api/v1")
    if method == "POST":
        return caller.post(path, ANYBODYS_GUESS if path.endswith("/actions") else {})
    if method == "PUT":
        return caller.put(path, {})
    return caller.delete(path) if method == "DELETE" else caller.get(path)


def _said(answer: TestResponse) -> dict[str, Any]:
    return {name: value for name, value in (answer.json or {}).items() if name != "request_id"}
