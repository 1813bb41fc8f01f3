"""Leagues and tournaments by the API: pages of lists, what is shown to whom, and input that nobody meant."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

import pytest
from freezegun import freeze_time

from schemas.competition import NewRound
from service.competition.leagues import rounds_of_round_robin
from service.handlers.tournaments import MOST_ENTRANTS
from service.runtime import Runtime
from service.shared import clock
from service.store import operation
from service.store.games import Games
from tests.challenged import bot_of, called
from tests.competing import carried, crowd, enter, league_of, newest, played, tournament_of, under_way
from tests.people import Person, alice, bob
from tests.rest import Caller


@pytest.fixture
def people(games: Games) -> list[Person]:
    return [alice(games), bob(games)]


def test_a_league_is_entered_played_and_shown_with_its_tables(runtime: Runtime, api: Caller) -> None:
    games, people = runtime.games, crowd(runtime.games, 7)
    league, season = league_of(games, people[1:])
    me, path = api.by(people[0]), f"/leagues/{league.slug}"
    assert me.get(path).get_json()["season"]["entry"] is None
    entered = me.post(f"{path}/entry").get_json()
    assert (entered["season"]["entry"], entered["season"]["state"]) == ("entered", "entry")
    assert me.get(f"{path}/seasons/1/groups").get_json() == {"items": [], "next": None}
    with freeze_time(clock.now() + timedelta(days=7), tick=True):
        carried(runtime, "season")
        carried(runtime, "pairing")
    for game in under_way(games, season.id):
        played(games, game)
    carried(runtime, "counted")
    first = me.get(f"{path}/seasons/1/groups?limit=1").get_json()
    second = me.get(f"{path}/seasons/1/groups?limit=1&after={first['next']}").get_json()
    assert (len(first["items"][0]["table"]), len(second["items"][0]["table"]), second["next"]) == (4, 3, None)
    (group,) = second["items"]
    assert (group["tier"], group["group"], group["table"][0]["moves"]) == (2, 2, "up")
    (game,) = group["games"]
    assert UUID(game["game"]) and {player["points"] for player in game["players"]} <= set(range(13))
    assert me.get(path).get_json()["season"]["number"] == 2
    assert [each["state"] for each in me.get(f"{path}/seasons").get_json()["items"]] == ["entry", "over"]
    assert newest(games, league).number == 2


def test_lists_have_pages_and_etags(games: Games, api: Caller, people: list[Person]) -> None:
    for _ in range(3):
        league_of(games)
        tournament_of(games, people[0])
    me = api.by(people[0])
    for path in ("/leagues", "/tournaments"):
        page = me.get(f"{path}?limit=2")
        following = me.get(f"{path}?limit=2&after={page.get_json()['next']}").get_json()
        ids = [each.get("id") or each["name"] for each in [*page.get_json()["items"], *following["items"]]]
        assert len(set(ids)) == len(ids) >= 3
        assert me.get(f"{path}?limit=2", If_None_Match=page.headers["ETag"]).status_code == 304


def test_one_by_invitation_answers_strangers_as_one_that_does_not_exist(
    games: Games, api: Caller, people: list[Person]
) -> None:
    opened = tournament_of(games, people[0], public=False)
    stranger = api.by(people[1])
    for path in ("", "/table"):
        answers = [stranger.get(f"/tournaments/{each}{path}") for each in (opened.id, people[1].id)]
        assert {answer.status_code for answer in answers} == {404}
        assert {answer.get_json()["type"] for answer in answers} == {"/problems/unknown-tournament"}
    assert str(opened.id) not in stranger.get("/tournaments").text
    assert str(opened.id) in api.by(people[0]).get("/tournaments?mine=true").text


def test_programs_and_nonsense_are_refused(games: Games, api: Caller, people: list[Person]) -> None:
    league, _ = league_of(games)
    robot = bot_of(games, people[0], "Robot")
    assert api.by(robot).post(f"/leagues/{league.slug}/entry").status_code == 403
    me = api.by(people[0])
    for name in ("no-such-league", "%00", "A B", "x" * 5000):
        assert me.get(f"/leagues/{name}").status_code == 404
    for number in (0, 2, 2**31, 10**30):
        assert me.get(f"/leagues/{league.slug}/seasons/{number}/groups").status_code == 404
    wanted = {"title": "Cup", "ruleset": "new-corp-order", "seats": 2, "system": "swiss"}
    for change in ({"pace": {"name": "none"}}, {"seats": 5}, {"rounds": 16}, {"system": "groups"}, {"title": ""}):
        assert me.post("/tournaments", wanted | change).status_code == 422


def test_what_is_kept_about_a_player_has_the_competitions(games: Games, api: Caller, people: list[Person]) -> None:
    league, _ = league_of(games)
    enter(games, league, people[0])
    opened = tournament_of(games, people[0])
    kept = api.by(people[0]).get("/me/export").get_json()["competitions"]
    assert [(each["league"], each["tournament"], each["hosts"], each["entry"]) for each in kept] == [
        (league.slug, None, False, "entered"),
        (None, str(opened.id), True, None),
    ]


def test_a_handle_that_leads_to_no_profile_stands_in_no_table(games: Games, api: Caller, people: list[Person]) -> None:
    for person in people:
        called(games, person, f"u{person.id.hex[:12]}")
    opened = tournament_of(games, people[0], people)
    path, me = f"/tournaments/{opened.id}", api.by(alice(games))
    assert all(line["handle"] for line in me.get(f"{path}/table").json["table"])
    with games.engine.begin() as db:
        for person in people:
            operation.block_player(db, person.id, "Spam.")
    assert [line["handle"] for line in me.get(f"{path}/table").json["table"]] == [None, None]
    assert me.get(path).json["host"]["handle"] is None


def test_the_rounds_of_the_largest_round_robin_can_all_be_begun() -> None:
    last = rounds_of_round_robin(MOST_ENTRANTS, 2) - 1
    assert NewRound().load({"after": last}) == {"after": last}
    assert NewRound().validate({"after": last + 1})
