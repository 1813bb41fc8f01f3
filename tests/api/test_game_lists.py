"""The list of games: whose, which, and page by page."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import text

from schemas.fields import cursor
from service.handlers.invitations import rematch
from service.shared import clock
from service.store.game_row import Terms
from service.store.games import Games
from tests.builders import finished, opened, started, table_for
from tests.people import Person, alice, bob, carol
from tests.rest import Caller, refused

PUBLIC = Terms(access="public")
NOON = datetime(2020, 1, 1, 12, tzinfo=UTC)


@pytest.fixture
def people(games: Games) -> list[Person]:
    """Alice, Bob and Carol, in a house where nobody has played before."""
    with games.engine.begin() as db:
        db.execute(text("update game set access = 'invitation' where access = 'public'"))
    return [alice(games), bob(games), carol(games)]


def ids(caller: Caller, query: str = "") -> list[str]:
    answer = caller.get(f"/games?limit=100&{query}").json
    assert answer
    return [each["id"] for each in answer["items"]]


def test_a_game_is_listed_with_what_one_wants_to_know(api: Caller, games: Games, people: list[Person]) -> None:
    terms = Terms(name="Friday Night", access="public")
    game = table_for(games, "sealed-bids", people[0], 3, terms)
    for person, seat in ((people[0], 0), (people[1], None)):
        answer = api.by(person).get("/games").json
        assert answer
        (item,) = answer["items"]
        assert datetime.fromisoformat(item.pop("created_at")).tzinfo
        assert item == {
            "id": str(game),
            "ruleset": "sealed-bids",
            "status": "open",
            "name": "Friday Night",
            "host": "Alice",
            "access": "public",
            "seats": 3,
            "seats_taken": 1,
            "seat": seat,
            "to_act": False,
            "deadline": None,
            "pace": None,
        }


def test_one_sees_ones_own_games_and_public_ones_but_no_others(api: Caller, games: Games, people: list[Person]) -> None:
    mine = str(opened(games, "sealed-bids", people))
    public = str(table_for(games, "sealed-bids", people[1], 3, PUBLIC))
    table_for(games, "sealed-bids", people[1], 3, Terms())
    watched = str(started(games, "sealed-bids", [*people[1:], alice(games)]).game.id)
    unwatched = started(games, "sealed-bids", [*people[1:], alice(games)]).game.id
    called_off = table_for(games, "sealed-bids", people[1], 3, PUBLIC)
    with games.engine.begin() as db:
        db.execute(text("update game set spectators = false where id = :id"), {"id": unwatched})
        db.execute(text("update game set status = 'cancelled' where id = :id"), {"id": called_off})
    caller = api.by(people[0])
    assert ids(caller) == [watched, public, mine]
    assert ids(caller, "mine=true") == [mine]
    assert ids(caller, "mine=false") == [watched, public]
    assert ids(caller, "status=running") == [watched]
    assert ids(caller, "status=open&mine=false") == [public]
    assert ids(caller, "ruleset=new-corp-order") == []
    assert ids(caller, "ruleset=sealed-bids&status=open") == [public, mine]


def test_open_to_me_are_games_in_which_i_could_sit_down(api: Caller, games: Games, people: list[Person]) -> None:
    table_for(games, "sealed-bids", people[0], 3, PUBLIC)
    table_for(games, "sealed-bids", people[1], 3, Terms())
    opened(games, "sealed-bids", [*people[1:], alice(games)])
    one = str(table_for(games, "sealed-bids", people[1], 4, PUBLIC))
    two = str(table_for(games, "sealed-bids", people[2], 3, PUBLIC))
    caller = api.by(people[0])
    assert ids(caller, "open_to_me=true") == [two, one]
    assert ids(caller, "open_to_me=true&seats_free=3") == [one]
    assert ids(caller, "open_to_me=true&seats_free=4") == []
    assert ids(caller, "open_to_me=true&mine=false") == [two, one]
    assert ids(caller, "open_to_me=true&mine=true") == []
    assert len(ids(caller, "seats_free=2")) == 3


def test_a_rematch_is_open_to_those_who_are_asked(api: Caller, games: Games, people: list[Person]) -> None:
    over = finished(games, started(games, "sealed-bids", people))
    with games.engine.begin() as db:
        db.execute(text("update game set access = 'invitation' where id = :id"), {"id": over.game.id})
    again = str(rematch(games, over.game.id, people[1].id, clock.now()).game.id)
    for person in (people[0], people[2]):
        assert ids(api.by(person), "open_to_me=true") == [again]
        assert ids(api.by(person)) == [again, str(over.game.id)]
        assert ids(api.by(person), "mine=false") == [again]
    assert ids(api.by(people[1]), "open_to_me=true") == []
    assert ids(api.by(alice(games))) == []


def test_250_games_of_one_moment_are_paged_without_loss_or_repetition(
    api: Caller, games: Games, people: list[Person]
) -> None:
    made = {str(table_for(games, "sealed-bids", people[index % 3], 3, PUBLIC)) for index in range(250)}
    with games.engine.begin() as db:
        db.execute(text("update game set created_at = :noon where access = 'public'"), {"noon": NOON})
    caller, seen, query = api.by(people[0]), [], ""
    while True:
        page: Any = caller.get(f"/games?limit=37{query}").json
        seen += [each["id"] for each in page["items"]]
        if page["next"] is None:
            break
        query = f"&after={page['next']}"
        # Whatever comes after one has begun to read is no business of the pages to come.
        table_for(games, "sealed-bids", people[1], 3, PUBLIC)
    assert len(seen) == 250
    assert set(seen) == made
    assert seen == sorted(seen, reverse=True)


def test_a_page_ends_where_it_says(api: Caller, games: Games, people: list[Person]) -> None:
    for _ in range(3):
        table_for(games, "sealed-bids", people[0], 3, PUBLIC)
    caller = api.by(people[0])
    assert caller.get("/games?limit=3").json["next"] is None  # type: ignore[index]
    following = caller.get("/games?limit=2").json["next"]  # type: ignore[index]
    rest = caller.get(f"/games?limit=2&after={following}").json
    assert rest
    assert (len(rest["items"]), rest["next"]) == (1, None)


@pytest.mark.parametrize(
    ("query", "parameter"),
    [
        ("mine=yes", "mine"),
        ("open_to_me=false", "open_to_me"),
        ("seats_free=0", "seats_free"),
        ("seats_free=17", "seats_free"),
        ("ruleset=Not+A+Slug", "ruleset"),
        ("after=", "after"),
        (f"after={UUID(int=7)}", "after"),
        ("after=" + "A" * 31, "after"),
        ("after=" + "A" * 33, "after"),
        ("after=" + "A" * 31 + "%0A", "after"),
        ("after=" + "A" * 31 + "%2B", "after"),
        ("limit=101", "limit"),
    ],
)
def test_a_filter_that_there_is_not_is_named(query: str, parameter: str, api: Caller, people: list[Person]) -> None:
    body = refused(api.by(people[0]).get(f"/games?{query}"), 422, "validation")
    assert body["errors"][0]["parameter"] == parameter


@pytest.mark.parametrize("place", ["A" * 32, "_" * 32, cursor(NOON + timedelta(microseconds=1), UUID(int=7))])
def test_a_cursor_of_ones_own_making_is_a_place_like_any_other(place: str, api: Caller, people: list[Person]) -> None:
    assert api.by(people[0]).get(f"/games?after={place}").status_code == 200
