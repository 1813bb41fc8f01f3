"""The pages of leagues and tournaments: entered, hosted and read, by forms alone; and the mails that lead there."""

from __future__ import annotations

import re
from datetime import timedelta
from email import message_from_bytes, policy
from pathlib import Path
from uuid import UUID

import pytest
from flask import Flask
from freezegun import freeze_time
from sqlalchemy import text

from service.handlers import leagues as handlers
from service.runtime import Runtime
from service.shared import clock
from service.store.games import Games
from tests.browsing import browser, send
from tests.challenged import called
from tests.competing import OPERATOR, carried, crowd, enter, league_of, newest, played, tournament_of, under_way
from tests.letters import text_of
from tests.people import Person, alice, bob

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
    played(games, game)
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
    played(games, position[0])
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
    played(games, game)
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
