"""Another game with the same people."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import uuid4

import pytest
from flask import Flask
from sqlalchemy import text

from service.store.games import Games, Position
from tests.builders import finished, now_at, started
from tests.people import Person, alice, bob, carol
from tests.rest import Caller, refused


@pytest.fixture
def people(games: Games) -> list[Person]:
    # Addresses of their own, since each gets only so many invitations a day.
    return [
        alice(games, f"{uuid4().hex}@example.org"),
        bob(games, email=None),
        carol(games, f"{uuid4().hex}@example.org"),
    ]


@pytest.fixture
def over(games: Games, people: list[Person]) -> Position:
    """A private game with an option and a name that Alice, Bob and Carol have played to its end."""
    position = started(games, "sealed-bids", people, double=True)
    with games.engine.begin() as db:
        terms = text("update game set access = 'invitation', name = 'Friday', on_resignation = 'end' where id = :id")
        db.execute(terms, {"id": position.game.id})
    return finished(games, position)


def again(caller: Caller, over: Position) -> dict[str, Any]:
    answer = caller.post(f"/games/{over.game.id}/rematch")
    assert answer.status_code == 201, answer.text
    assert answer.json
    assert answer.headers["Location"] == f"/api/v1/games/{answer.json['id']}"
    return dict(answer.json)


def test_the_same_game_is_opened_with_whoever_asks_as_its_host(
    api: Caller, people: list[Person], over: Position
) -> None:
    table = again(api.by(people[1]), over)
    assert table["id"] != str(over.game.id)
    assert (table["status"], table["host"], table["seat"]) == ("open", 0, 0)
    assert [seat["name"] for seat in table["seats"]] == ["Bob", None, None]
    assert (table["ruleset"], table["options"]) == ("sealed-bids", {"double": True})
    assert (table["name"], table["access"], table["on_resignation"]) == ("Friday", "invitation", "end")


def test_the_others_get_a_seat_when_they_accept(
    api: Caller, games: Games, people: list[Person], over: Position
) -> None:
    table = again(api.by(people[1]), over)
    path = f"/games/{table['id']}"
    refused(api.by(carol(games)).post(f"{path}/seats"), 404, "unknown-game")
    for seat, person in ((1, people[0]), (2, people[2])):
        seen = api.by(person).get(path).json
        assert seen
        assert seen["seat"] is None
        assert api.by(person).post(f"{path}/seats").json == {"seat": seat}
    begun = api.by(people[1]).post(f"{path}/start").json
    assert begun
    assert [seat["name"] for seat in begun["seats"]] == ["Bob", "Alice", "Carol"]


def test_the_host_sees_who_is_asked_and_may_take_it_back(api: Caller, people: list[Person], over: Position) -> None:
    path = f"/games/{again(api.by(people[1]), over)['id']}"
    listed = api.by(people[1]).get(f"{path}/invitations").json
    assert listed
    assert sorted((each["player"], each["email"]) for each in listed["items"]) == [("Alice", None), ("Carol", None)]
    for each in listed["items"]:
        api.by(people[1]).delete(f"{path}/invitations/{each['id']}")
    refused(api.by(people[0]).post(f"{path}/seats"), 404, "unknown-game")


def test_those_with_an_address_are_asked_by_mail(
    api: Caller, games: Games, people: list[Person], over: Position
) -> None:
    table = again(api.by(people[0]), over)
    with games.engine.connect() as db:
        found = text("select kind from outbox where game_id = :id")
        assert db.execute(found, {"id": table["id"]}).scalars().all() == ["invitation"]


def test_whoever_asks_later_gets_the_same_game(app: Flask, games: Games, people: list[Person], over: Position) -> None:
    def ask(person: Person) -> dict[str, Any]:
        return again(Caller(app.test_client(), person.token), over)

    with ThreadPoolExecutor(3) as threads:
        tables = list(threads.map(ask, people))
    assert len({table["id"] for table in tables}) == 1
    assert sorted(str(table["seat"]) for table in tables) == ["0", "None", "None"]
    with games.engine.connect() as db:
        found = text("select count(*) from game where rematch_of = :id")
        assert db.execute(found, {"id": over.game.id}).scalar_one() == 1


def test_after_a_rematch_that_was_called_off_there_may_be_another(
    api: Caller, people: list[Person], over: Position
) -> None:
    first = again(api.by(people[0]), over)
    api.by(people[0]).post(f"/games/{first['id']}/cancel")
    second = again(api.by(people[1]), over)
    assert second["id"] != first["id"]


def test_a_rematch_needs_a_game_that_is_over_and_a_seat_in_it(
    api: Caller, games: Games, people: list[Person], over: Position
) -> None:
    running = started(games, "sealed-bids", people)
    refused(api.by(people[0]).post(f"/games/{running.game.id}/rematch"), 409, "game-not-over")
    refused(api.by(carol(games)).post(f"/games/{running.game.id}/rematch"), 403, "not-seated")
    refused(api.by(carol(games)).post(f"/games/{over.game.id}/rematch"), 404, "unknown-game")
    assert now_at(games, over.game.id) == over
