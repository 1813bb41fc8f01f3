"""The pages of the leaderboards, of the ratings of a player, and of rated tables."""

from __future__ import annotations

from uuid import uuid4

import pytest
from flask import Flask
from sqlalchemy import text

from service.competition.ratings import Rating
from service.handlers.played import keep_played
from service.runtime import Runtime
from service.store.games import Games
from service.texts.catalog import say
from service.views.profile import profile_by_handle
from service.views.ratings import ratings_of
from service.web.local_time import shown_day
from service.web.people.profile import course, drawn, signed
from tests.browsing import browser, send
from tests.challenged import called
from tests.people import alice
from tests.rated import people, rated, rating_of, won_by_resignation
from tests.rest import Caller


@pytest.fixture
def played(runtime: Runtime) -> tuple[Rating, Rating]:
    """The ratings of two players after their first rated game, in which the second one has resigned."""
    games, two = runtime.games, people(runtime.games, 2)
    assert rated(runtime, won_by_resignation(games, *two)) is None
    first, second = (rating_of(games, person) for person in two)
    assert first and second
    return first, second


def test_anybody_sees_who_plays_well(app: Flask, games: Games, played: tuple[Rating, Rating]) -> None:
    web = browser(app, games)
    assert say("en", "nav-leaderboards") in web.get("/leaderboards").text
    listed = web.get("/leaderboards/new-corp-order/2?provisional=true").text
    assert f"<strong>{played[0].skill.number}</strong> <small>± {played[0].skill.margin}</small>" in listed


def test_a_visitor_is_told_the_own_rating(app: Flask, runtime: Runtime) -> None:
    games, two = runtime.games, people(runtime.games, 2)
    web = browser(app, games, two[0])
    assert say("en", "ra-own-none") in web.get("/leaderboards/new-corp-order/2").text
    assert rated(runtime, won_by_resignation(games, *two)) is None
    shown = web.get("/leaderboards/new-corp-order/2").text.replace("\N{NO-BREAK SPACE}", " ")
    assert "Your rating is 1560 ± 244, and provisional" in shown


@pytest.mark.parametrize("path", ["/leaderboards/chess/2", "/leaderboards/new-corp-order/1"])
def test_a_leaderboard_that_there_is_not_is_missing(app: Flask, games: Games, path: str) -> None:
    assert browser(app, games).get(path).status_code == 404


def test_an_unknown_place_is_the_beginning(app: Flask, games: Games) -> None:
    assert browser(app, games).get("/leaderboards/new-corp-order/2?after=nonsense").status_code == 200


def test_a_game_that_is_over_shows_what_it_did_to_ratings(app: Flask, runtime: Runtime) -> None:
    games, two = runtime.games, people(runtime.games, 2)
    game = won_by_resignation(games, *two)
    web = browser(app, games, two[0])
    assert "Rating:" not in web.get(f"/games/{game}").text
    rated(runtime, game)
    shown = web.get(f"/games/{game}").text
    assert "Rating: +60" in shown and "Rating: −79" in shown


def test_a_rating_of_which_no_game_is_known_has_no_course() -> None:
    assert course([], [], "en") == ""


def test_a_players_ratings_are_shown_with_their_course(app: Flask, runtime: Runtime) -> None:
    games, two = runtime.games, people(runtime.games, 2)
    for pair in (two, two[::-1]):
        rated(runtime, won_by_resignation(games, *pair))
    with app.app_context(), games.engine.connect() as db:
        (shown,) = drawn(ratings_of(db, two[0].id), "en", "UTC")
    assert (shown["title"], shown["seats"], shown["games"], shown["provisional"]) == ("New Corp Order", 2, 2, True)
    assert len(shown["course"]) == 2 and shown["course"][-1] == shown["number"]
    assert 'aria-label="Rating over 2 games: ' in shown["drawn"]
    first, last = (shown_day(shown[end], "en", "UTC") for end in ("since", "until"))
    assert shown["last"] == (signed(shown["course"][1] - shown["course"][0]), last)
    assert [shown["drawn"].count(f">{each}<") for each in (first, last)] == ([2, 2] if first == last else [1, 1])
    assert course([1579], ["26.11.2026"], "de").count("points=") == 2


def test_a_profile_tells_what_each_of_the_last_games_has_done_to_the_rating(app: Flask, runtime: Runtime) -> None:
    games, two = runtime.games, people(runtime.games, 2)
    hers = f"rated-{uuid4().hex[:12]}"
    game = won_by_resignation(games, called(games, two[0], hers), two[1])
    with games.engine.begin() as db:
        keep_played(db, games, game)
        (last,) = profile_by_handle(db, games.rulesets, two[1].id, hers, "en")["last"]
    assert last["rating_change"] is None
    rated(runtime, game)
    api = Caller(app.test_client(), two[1].token).get(f"/players/{hers}").json
    assert [each["rating_change"] for each in api["last"]] == [60] == [each["change"] for each in api["ratings"]]
    shown = app.test_client().get(f"/players/{hers}").text
    assert '<span class="chip ok">+60 · ' in shown and "</span>+60</span>" in shown


def test_a_host_says_whether_a_table_is_rated(app: Flask, games: Games) -> None:
    web, form = browser(app, games, alice(games)), {"kind": "anybody", "seats": "2", "pace": "daily"}
    assert 'name="rated" value="yes" checked' in web.get("/games/new").text
    table = send(web, "/games/new", "/games/new", **form, rated="yes").location
    assert say("en", "lobby-rated") in web.get(table).text
    table = send(web, "/games/new", "/games/new", **form).location
    assert say("en", "lobby-unrated") in web.get(table).text


def test_a_session_is_known_by_its_browser_and_the_mark_is_stored_as_a_digest(app: Flask, games: Games) -> None:
    web = browser(app, games)
    for _ in range(2):
        web.post("/play", data={"ruleset": "new-corp-order"})
        mark = web.get_cookie("browser")
        web.delete_cookie("boardroom")
    assert mark
    with games.engine.connect() as db:
        marked = text("select count(*) from token where mark = sha256(convert_to(:mark, 'UTF8'))")
        assert db.execute(marked, {"mark": mark.value}).scalar_one() == 2
