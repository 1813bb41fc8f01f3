"""Leaderboards over the API: who is where, who is named, and how a page follows a page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import uuid4

import pytest
from sqlalchemy import text

from service.handlers import delete_account
from service.shared import clock
from service.store.games import Games
from tests.challenged import called
from tests.people import Person, alice, register
from tests.rest import Caller

_RATE = text("""
insert into rating (player_id, ruleset, seats, mu, sigma, games, opponents)
values (:player, 'three-harbours', :seats, :mu, 2.5, :games, :opponents)
""")
BOARD = "/leaderboards/three-harbours/2"


def rate(games: Games, person: Person, mu: float, played: int = 10, seats: int = 2, opponents: int = 5) -> Person:
    """Give somebody a rating after so many games."""
    with games.engine.begin() as db:
        db.execute(_RATE, {"player": person.id, "seats": seats, "mu": mu, "games": played, "opponents": opponents})
    return person


@pytest.fixture
def board(games: Games) -> list[Person]:
    """Five players, the best first, at a table that no other test rates."""
    with games.engine.begin() as db:
        db.execute(text("delete from rating where ruleset = 'three-harbours'"))
    names = ("Ada", "Ben", "Cleo", "Dora", "Emil")
    return [rate(games, register(games, name, None, "en"), 40.0 - place) for place, name in enumerate(names)]


def names(answer: Any) -> Sequence[str | None]:
    return [each["name"] for each in answer.json["items"]]


def test_players_are_listed_by_their_ratings_and_oneself_is_marked(
    api: Caller, games: Games, board: list[Person]
) -> None:
    called(games, board[0], f"ada-{uuid4().hex[:8]}")
    answer = api.by(board[1]).get(BOARD)
    assert names(answer) == ["Ada", "Ben", "Cleo", "Dora", "Emil"]
    first, second = answer.json["items"][:2]
    assert first["handle"].startswith("ada-")
    assert second == {
        "place": 2, "name": "Ben", "handle": None, "own": True,
        "number": 1920, "margin": 75, "games": 10, "provisional": False,
    }  # fmt: skip
    assert answer.json["own"] == {"place": 2, "number": 1920, "margin": 75, "games": 10, "provisional": False}


def test_all_leaderboards_are_listed_with_ones_own_ratings(api: Caller, board: list[Person]) -> None:
    listed = {(each["ruleset"], each["seats"]): each for each in api.by(board[1]).get("/leaderboards").json["items"]}
    own = {place: each["own"] for place, each in listed.items() if each["own"] is not None}
    assert own == {("three-harbours", 2): {"number": 1920, "margin": 75, "games": 10, "provisional": False}}
    assert {("new-corp-order", seats) for seats in (2, 3, 4)} < listed.keys() and ("new-corp-order", 1) not in listed
    assert listed["new-corp-order", 2]["title"] == "New Corp Order"


def test_a_page_follows_a_page_with_places_going_on(api: Caller, games: Games, board: list[Person]) -> None:
    rate(games, register(games, "Fred", None, "en"), 38.0)
    seen, after = [], ""
    for _ in range(3):
        page = api.by(board[0]).get(f"{BOARD}?limit=2{after}").json
        seen += [(each["place"], each["name"]) for each in page["items"]]
        after = f"&after={page['next']}"
    assert seen == [(1, "Ada"), (2, "Ben"), (3, "Cleo"), (4, "Fred"), (5, "Dora"), (6, "Emil")]
    assert page["next"] is None


def test_provisional_ratings_are_apart_and_have_no_place(api: Caller, games: Games, board: list[Person]) -> None:
    newcomer = rate(games, register(games, "Nora", None, "en"), 45.0, played=9)
    assert names(api.by(newcomer).get(f"{BOARD}?provisional=true")) == ["Nora"]
    answer = api.by(newcomer).get(BOARD)
    assert "Nora" not in names(answer)
    assert answer.json["own"]["provisional"] and answer.json["own"]["place"] is None


def test_a_player_whose_profile_is_not_public_keeps_the_place_without_a_name(
    api: Caller, games: Games, board: list[Person]
) -> None:
    called(games, board[2], f"cleo-{uuid4().hex[:8]}")
    with games.engine.begin() as db:
        db.execute(text("update player set visibility = 'hidden' where id = :id"), {"id": board[2].id})
    answer = api.by(board[0]).get(BOARD)
    assert names(answer) == ["Ada", "Ben", None, "Dora", "Emil"] and answer.json["items"][2]["handle"] is None
    assert "cleo" not in answer.text.lower()
    assert names(api.by(board[2]).get(BOARD))[2] == "Cleo"


def test_p17_a_deleted_account_is_in_no_list(api: Caller, games: Games, board: list[Person]) -> None:
    delete_account.delete_account(games, board[1].id, "api", clock.now())
    assert names(api.by(board[0]).get(BOARD)) == ["Ada", "Cleo", "Dora", "Emil"]


def test_an_answer_that_has_not_changed_is_not_sent_again(api: Caller, games: Games, board: list[Person]) -> None:
    tag = api.by(board[0]).get(BOARD).headers["ETag"]
    assert api.by(board[0]).get(BOARD, **{"If-None-Match": tag}).status_code == 304
    rate(games, register(games, "Fred", None, "en"), 50.0)
    assert api.by(board[0]).get(BOARD, **{"If-None-Match": tag}).status_code == 200


def test_without_a_rating_one_has_no_place(api: Caller, games: Games, board: list[Person]) -> None:
    assert api.by(alice(games)).get(BOARD).json["own"] is None


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/leaderboards/chess/2", 404),
        ("/leaderboards/new-corp-order/1", 404),
        ("/leaderboards/new-corp-order/99", 404),
        (f"{BOARD}?after={'A' * 31}", 422),
        (f"{BOARD}?after={'_' * 32}", 422),
        (f"{BOARD}?limit=101", 422),
        (f"{BOARD}?provisional=maybe", 422),
    ],
)
def test_what_there_is_not_is_refused(api: Caller, games: Games, path: str, status: int) -> None:
    assert api.by(alice(games)).get(path).status_code == status
