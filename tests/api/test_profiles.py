"""A profile is found by its handle, shows what its owner allows, and a hidden one cannot be told from none."""

from __future__ import annotations

from flask import Flask

from service.handlers import people
from service.shared import clock
from service.store.games import Games
from tests.builders import finished, started
from tests.people import Person, alice, bob, carol
from tests.rest import Caller


def named(games: Games, person: Person, handle: str) -> Person:
    """The person with a handle."""
    people.take_handle(games, person.id, handle, clock.now())
    return person


def test_a_profile_tells_the_games_that_are_over_and_nothing_that_is_private(app: Flask, games: Games) -> None:
    one, other = named(games, alice(games), "profile-one"), bob(games)
    finished(games, started(games, "sealed-bids", [one, other, carol(games)]))
    started(games, "sealed-bids", [one, other, carol(games)])

    answer = Caller(app.test_client(), other.token).get("/players/Profile-One")

    shown = answer.get_json()
    assert set(shown) == {
        *("handle", "name", "bot", "since", "played", "results", "sources", "answers", "ratings", "last"),
    }
    assert (shown["handle"], shown["name"], shown["bot"]) == ("profile-one", "Alice", False)
    assert shown["played"] == [{"ruleset": "sealed-bids", "seats": 3, "games": 1}]
    again = Caller(app.test_client(), other.token).get("/players/profile-one", If_None_Match=answer.headers["ETag"])
    assert (again.status_code, again.data) == (304, b"")


def test_a_hidden_profile_is_found_by_its_owner_alone(app: Flask, games: Games) -> None:
    one, other = named(games, alice(games), "profile-two"), bob(games)
    owner, stranger = Caller(app.test_client(), one.token), Caller(app.test_client(), other.token)
    same = {"instance": "", "request_id": ""}
    unknown = stranger.get("/players/profile-three").get_json()
    for visibility in ("hidden", "friends"):
        assert owner.patch("/me", {"visibility": visibility}).status_code == 200
        refused = stranger.get("/players/profile-two")
        assert refused.status_code == 404
        assert {**refused.get_json(), **same} == {**unknown, **same}
        assert owner.get("/players/profile-two").status_code == 200


def test_what_cannot_be_a_handle_is_nobodys(app: Flask, games: Games) -> None:
    asking = Caller(app.test_client(), bob(games).token)
    for nonsense in ("%00", "a%00b", "%F0%9F%8E%B2", "-a-", "x" * 3000):
        assert asking.get(f"/players/{nonsense}").status_code == 404
