"""Leaderboards, the solo ladder, leagues and tournaments, the deal of a day."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from email import message_from_bytes, policy
from pathlib import Path
from uuid import UUID, uuid4

import pytest
from flask import Flask
from freezegun import freeze_time
from sqlalchemy import text

from service.competition.ratings import Rating
from service.handlers import leagues as handlers
from service.handlers.people import take_handle
from service.handlers.play import resign
from service.handlers.results import keep_played
from service.players.solo import SoloResult, result_of
from service.runtime import Runtime
from service.shared import clock
from service.store.games import Games, Position
from service.texts.catalog import say
from service.views.people import profile_by_handle
from service.views.ratings import ratings_of
from service.views.solo_ladder import COUNTED, RUNGS, Climbed, ScoreLadder, score_ladder_of
from service.web.local_time import shown_day
from service.web.people.profile import course, drawn, signed
from tests.browsing import browser, send
from tests.builders import now_at, started
from tests.challenged import called
from tests.competing import OPERATOR, carried, crowd, enter, league_of, newest, tournament_of, under_way
from tests.competing import played as competing_played
from tests.dealing import commit, counted, dealing, today, tried
from tests.dealing import played as dealing_played
from tests.letters import text_of
from tests.people import Person, alice, bob
from tests.rated import people as rated_people
from tests.rated import rated, rating_of, won_by_resignation
from tests.rest import Caller

__all__ = ["dealing"]


@pytest.fixture
def played(runtime: Runtime) -> tuple[Rating, Rating]:
    """The ratings of two players after their first rated game, in which the second one has resigned."""
    games, two = runtime.games, rated_people(runtime.games, 2)
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
    games, two = runtime.games, rated_people(runtime.games, 2)
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
    games, two = runtime.games, rated_people(runtime.games, 2)
    game = won_by_resignation(games, *two)
    web = browser(app, games, two[0])
    assert "Rating:" not in web.get(f"/games/{game}").text
    rated(runtime, game)
    shown = web.get(f"/games/{game}").text
    assert "Rating: +60" in shown and "Rating: −79" in shown


def test_a_rating_of_which_no_game_is_known_has_no_course() -> None:
    assert course([], [], "en") == ""


def test_a_players_ratings_are_shown_with_their_course(app: Flask, runtime: Runtime) -> None:
    games, two = runtime.games, rated_people(runtime.games, 2)
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
    games, two = runtime.games, rated_people(runtime.games, 2)
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


# The ladder of a player alone: the last games, what they count together, and the rung.

NAME = "new-corp-order"


def kept(games: Games, over: Position) -> UUID:
    """Keep what a finished game counts, as a worker does."""
    with games.engine.begin() as db:
        keep_played(db, games, over.game.id)
    return over.game.id


def given_up(games: Games, player: Person, moment: datetime) -> UUID:
    with freeze_time(moment):
        position = started(games, NAME, [player])
        return kept(games, resign(games, position.game.id, player.id, "api", clock.now()).position)


def seen(games: Games, player: Person) -> ScoreLadder:
    with games.engine.begin() as db:
        return score_ladder_of(db, games, player.id, NAME)


@pytest.mark.parametrize(("margin", "won", "counts"), [(3, True, 3), (0, True, 0), (0, False, 0), (-2, False, 0)])
def test_a_game_counts_the_points_by_which_it_was_won(margin: int, won: bool, counts: int) -> None:
    at = datetime(2027, 3, 1, tzinfo=UTC)
    assert Climbed(uuid4(), at, SoloResult(margin, won, 3)).points == counts
    assert Climbed(uuid4(), at, None).points == 0, "a game that was given up"


def test_what_the_next_rung_needs_is_told_until_the_highest() -> None:
    assert ScoreLadder((), RUNGS[0], 1).missing == RUNGS[1] - RUNGS[0]
    assert ScoreLadder((), RUNGS[-1], len(RUNGS)).missing is None


def test_the_last_ten_games_alone_count_the_newest_first_and_nobody_elses(games: Games) -> None:
    player, at = alice(games), datetime(2027, 3, 1, tzinfo=UTC)
    first = kept(games, dealing_played(games, started(games, NAME, [player]), moment=at))
    before = seen(games, player)
    [climbed] = before.games
    assert (climbed.game, climbed.result) == (first, result_of(now_at(games, first).outcome))
    assert before.total == climbed.points and before.rung == sum(before.total >= needed for needed in RUNGS)

    later = [given_up(games, player, at + timedelta(hours=number)) for number in range(1, COUNTED + 1)]
    after = seen(games, player)
    assert [each.game for each in after.games] == later[::-1]
    assert (after.total, after.rung, after.missing) == (0, 0, RUNGS[0])
    assert seen(games, bob(games)) == ScoreLadder([], 0, 0)


def test_the_page_shows_the_own_games_alone_and_asks_strangers_to_sign_in(app: Flask, games: Games) -> None:
    player = alice(games)
    over = given_up(games, player, datetime(2027, 3, 1, tzinfo=UTC))
    page = browser(app, games, player).get("/games/alone")
    assert f"/games/{over}" in page.text and "resigned" in page.text
    assert "hast noch keine Solopartie beendet" in browser(app, games, bob(games)).get("/games/alone").text
    assert "Your last games alone" not in browser(app, games).get("/games/alone").text
    assert "/games/alone" in browser(app, games, player).get("/games").text


# The pages of leagues and tournaments: entered, hosted and read, by forms alone; and the mails that lead there.

WEEK = timedelta(days=7)


@pytest.fixture
def people(games: Games) -> list[Person]:
    return [alice(games), bob(games)]


def test_a_season_is_entered_and_left_by_a_form_and_its_groups_are_read_by_anybody(
    app: Flask, runtime: Runtime
) -> None:
    games, people = runtime.games, crowd(runtime.games, 4)
    league, season = league_of(games, people[1:])
    web, path = browser(app, games, people[0]), f"/leagues/{league.slug}"
    listed = web.get("/leagues").text
    assert "First Fridays" in listed and "Open for entry until" in listed and "&lt;" not in listed
    assert web.get(path).text.count("Open for entry until") == 1, "a season is told of once"
    for act, then in (("enter", "leave"), ("leave", "enter"), ("enter", "leave")):
        assert send(web, path, f"{path}/{act}").status_code == 303
        assert f'action="{path}/{then}"' in web.get(path).text
    assert "The groups are made when entry ends" in web.get(f"{path}/1").text
    with freeze_time(clock.now() + WEEK, tick=True):
        carried(runtime, "season")
        carried(runtime, "pairing")
    (game,) = under_way(games, season.id)
    nobody = browser(app, games)
    assert f'href="/games/{game}"' in nobody.get(f"{path}/1").text
    competition = re.search(r'href="(/competitions/[^"]+)"', nobody.get(f"/games/{game}").text)
    assert competition and nobody.get(competition[1]).headers["Location"] == f"{path}/1"
    competing_played(games, game)
    carried(runtime, "counted")
    table = nobody.get(f"{path}/1").text
    assert table.count("<tr>") == 5 and "Round 1" in table
    refused = web.post(f"{path}/enter")
    assert refused.status_code == 403, "a form of another site"
    handlers.close_league(games, league.slug, OPERATOR, clock.now())
    assert "closed" in nobody.get(path).text and newest(games, league).state == "cancelled"
    for missing in ("/leagues/none", f"{path}/9", f"{path}/{10**12}", f"/competitions/{people[0].id}"):
        assert nobody.get(missing).status_code == 404


def test_a_tournament_is_hosted_from_its_form_to_its_end(app: Flask, runtime: Runtime, people: list[Person]) -> None:
    games = runtime.games
    called(games, people[1], f"bob-{people[1].id.hex[-12:]}")
    host, guest = (browser(app, games, person) for person in people)
    wanted = {"title": "Spring Cup", "ruleset": "three-harbours", "seats": "2", "pace": "daily", "system": "swiss"}
    wanted |= {"rounds": "1", "access": "invitation", "next_round": "host"}
    for wrong in ({"rounds": "many"}, {"title": ""}, {"ruleset": "chess"}, {"seats": "9"}):
        refused = send(host, "/tournaments/new", "/tournaments/new", **wanted | wrong)
        assert refused.status_code == 422 and 'role="alert"' in refused.text
    path = send(host, "/tournaments/new", "/tournaments/new", **wanted).headers["Location"]
    assert guest.get(f"/competitions/{path.rpartition('/')[2]}").status_code == 404
    assert guest.get(path).status_code == 404 and path not in guest.get("/tournaments").text
    assert send(host, path, f"{path}/invite", to="nobody-has-this").status_code == 422
    assert send(host, path, f"{path}/invite", to=f"@bob-{people[1].id.hex[-12:]}").status_code == 303
    assert path in guest.get("/tournaments").text
    for web in (host, guest):
        assert send(web, path, f"{path}/enter").status_code == 303
    assert send(host, path, f"{path}/round").status_code == 303
    carried(runtime, "pairing")
    running = host.get(path).text
    assert f'action="{path}/round"' not in running
    (game,) = re.findall(r'href="/games/([0-9a-f-]{36})"', running)
    position = under_way(games, UUID(path.rpartition("/")[2]))
    assert str(position[0]) == game
    competing_played(games, position[0])
    carried(runtime, "counted")
    assert "Over. 2 players" in host.get(path).text and f'action="{path}/close"' not in host.get(path).text


def test_an_invitation_is_declined_and_an_entry_taken_back_without_a_page_that_is_gone(
    app: Flask, games: Games, people: list[Person]
) -> None:
    called(games, people[1], handle := f"bob-{people[1].id.hex[-12:]}")
    path = f"/tournaments/{tournament_of(games, people[0], public=False).id}"
    host, guest = (browser(app, games, person) for person in people)
    for enters_first in (False, True):
        assert send(host, path, f"{path}/invite", to=handle).status_code == 303
        if enters_first:
            send(guest, path, f"{path}/enter")
        left = send(guest, path, f"{path}/leave")
        assert guest.get(path).status_code == 404
        assert path not in guest.get(left.headers["Location"]).text


def test_the_mails_of_a_season_lead_to_it_and_stop_where_they_are_not_wanted(runtime: Runtime, mailbox: Path) -> None:
    games, people = runtime.games, crowd(runtime.games, 4)
    league, season = league_of(games, people)
    with freeze_time(clock.now() + WEEK, tick=True):
        carried(runtime, "season")
        carried(runtime, "pairing")
    (game,) = under_way(games, season.id)
    with games.engine.begin() as db:
        db.execute(
            text("insert into mail_wishes (player_id, unwanted) values (:player, array['league'])"),
            {"player": people[3].id},
        )
    competing_played(games, game)
    carried(runtime, "counted")
    for person in people[1:]:
        enter(games, league, person)
    carried(runtime, "entry-closing")
    carried(runtime, "competition-begun", "competition-over", "entry-reminder")
    mails = [message_from_bytes(path.read_bytes(), policy=policy.default) for path in mailbox.glob("*.eml")]
    told = sorted(str(mail["To"]) for mail in mails if mail["List-Id"].startswith("<league."))
    # Begun when it was over: nothing to say; and the fourth wants none.
    assert [each.partition("<")[2] for each in told] == [f"player{number}@example.org>" for number in (0, 0, 1, 2)]
    assert any(f"/leagues/{league.slug}/1" in text_of(mail) for mail in mails)
    assert all(mail["List-Unsubscribe"] for mail in mails)


def test_pages_of_lists_are_reached_without_a_script(app: Flask, games: Games, people: list[Person]) -> None:
    for _ in range(2):
        tournament_of(games, people[0], people)
    shown = browser(app, games, people[1]).get("/tournaments").text
    assert shown.count("Spring Cup") >= 2 and "<script" not in shown
    assert "<h2>Deine Turniere</h2>" in shown
    assert "Your tournaments" not in browser(app, games).get("/tournaments").text
    assert 'href="/leagues"' in browser(app, games).get("/games/open").text


# The page of a day's deal, and its card on the start page: playing at once, and results when they may be known.


@pytest.fixture
def bob_has_tried(dealing: Runtime, games: Games) -> Person:
    """Bob, who has played today's deal to its end and stands in its table."""
    commit(dealing, today())
    person = bob(games)
    take_handle(games, person.id, f"bob-{uuid4().hex[:8]}", clock.now())
    counted(dealing, games, dealing_played(games, tried(games, person, clock.now()), moment=clock.now()).game.id)
    return person


@pytest.mark.usefixtures("bob_has_tried")
def test_a_stranger_tries_the_deal_with_one_press_and_sees_nobodys_result_before(app: Flask, games: Games) -> None:
    web = browser(app, games)
    assert "1 person has a result." in web.get("/").text
    for path in ("/", "/deal"):
        assert "Try today’s deal" in web.get(path).text
        assert "<bdi>Bob</bdi></span><progress" not in web.get(path).text
    answer = send(web, "/", "/deal")
    assert "/games/" in answer.headers["Location"]
    assert web.get(answer.headers["Location"]).status_code == 200
    again = send(web, "/", "/play")
    assert again.status_code == 303
    assert "Your try is not over yet." in web.get("/deal").text
    assert "Go on with your try" in web.get("/").text
    assert web.post("/deal").status_code == 403


def test_who_has_tried_sees_the_table_and_what_proves_the_cards(
    app: Flask, games: Games, bob_has_tried: Person
) -> None:
    web = browser(app, games, bob_has_tried)
    page = web.get("/deal?language=en").text
    assert "place 1" in page
    assert "<b>1</b><span>You</span>" in page
    assert "Fixed before the first try" in page
    assert "Rehearsing the same cards before, without signing in, cannot be prevented" in page
    assert "<b>1</b><span>You</span>" in web.get("/?language=en").text


@pytest.mark.usefixtures("bob_has_tried")
def test_hints_analysis_fork_and_record_are_not_offered_while_the_day_runs(
    app: Flask, games: Games, dealing: Runtime
) -> None:
    me = alice(games)
    running = tried(games, me, clock.now())
    game = f"/games/{running.game.id}"
    web = browser(app, games, me)
    assert f"{game}/hint" not in web.get(game).text
    dealing_played(games, running, moment=clock.now())
    assert f"{game}/fork" not in web.get(f"{game}/replay").text
    assert f"{game}/analysis" not in web.get(f"{game}/replay").text
    assert web.get(f"{game}/record.jsonl").status_code == 404
    assert f"{game}/record.jsonl" not in web.get(f"{game}/proof").text
    counted(dealing, games, running.game.id)


def test_without_a_deal_the_pages_say_so(app: Flask, games: Games, dealing: Runtime) -> None:
    web = browser(app, games)
    assert "There is no deal today." in web.get("/deal").text
    assert "deal" not in web.get("/").text
    assert web.get("/deal/nonsense").status_code == web.get("/deal/1999-01-01").status_code == 404
