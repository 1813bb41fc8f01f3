"""Computer players on the pages: chosen in a new game, added in the lobby, taking over; marked in every language."""

from __future__ import annotations

import re
from uuid import UUID

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.handlers.invitations import ByLink, invite
from service.rules.pace import PACES
from service.shared import clock
from service.store.game_row import Terms
from service.store.games import Games, Position
from service.store.lobby import invitation_token
from tests.browsing import browser, send
from tests.builders import now_at, table_for
from tests.docs.rooms import ROOT
from tests.leaving import leave, running
from tests.people import Person, alice, bob, carol, register
from tests.seating import against
from tests.web.test_every_page import Sound

GAME = "new-corp-order"
CALLED = {
    "en": ("Computer (normal)", "Computer 2 (normal)"),
    "de": ("Computer (mittel)", "Computer 2 (mittel)"),
    "fr": ("Ordinateur (moyen)", "Ordinateur 2 (moyen)"),
}


@pytest.fixture
def host(games: Games) -> Person:
    return alice(games)


@pytest.fixture
def hosting(app: Flask, games: Games, host: Person) -> FlaskClient:
    return browser(app, games, host)


def led_to(games: Games, location: str | None) -> Position:
    """The game that an answer leads to."""
    return now_at(games, UUID(str(location).rpartition("/")[2]))


def levels(position: Position) -> list[str | None]:
    return [seat.computer for seat in position.seats]


def test_a_game_against_two_computer_players_begins_with_one_press(games: Games, hosting: FlaskClient) -> None:
    sent = {"kind": "computer", "opponents": "2", "level": "hard", "seats": "2", "pace": "daily", "start": "host"}
    position = led_to(games, send(hosting, "/games/new", "/games/new", **sent).location)
    assert (position.game.status, position.game.terms.pace) == ("running", None)
    assert levels(position) == [None, "hard", "hard"]


@pytest.mark.parametrize(("ruleset", "opponents"), [(GAME, 1), ("bastards-inc", 1)])
def test_a_stranger_plays_at_once_against_the_computer(app: Flask, games: Games, ruleset: str, opponents: int) -> None:
    web = browser(app, games)
    assert "Play now against the computer" in web.get(f"/play/{ruleset}").text
    position = led_to(games, send(web, f"/play/{ruleset}", "/play", **{"with": "computer"}).location)
    assert (position.game.ruleset, position.game.status) == (ruleset, "running")
    assert len([each for each in levels(position) if each]) == opponents


@pytest.mark.parametrize("chosen", [{"level": "random"}, {"level": ""}, {"opponents": "9"}, {"opponents": "x"}])
def test_a_choice_that_the_game_does_not_have_is_refused_on_the_form(
    hosting: FlaskClient, chosen: dict[str, str]
) -> None:
    sent = {"kind": "computer", "opponents": "1", "level": "easy"} | chosen
    answer = send(hosting, "/games/new", "/games/new", **sent)
    assert answer.status_code == 422
    assert 'role="alert"' in answer.text


def test_the_form_says_against_how_many_a_level_is_there(hosting: FlaskClient) -> None:
    form = hosting.get("/games/new?ruleset=new-corp-order").text
    assert ">hard</option>" in form
    assert ">expert, only against 1</option>" in form


def test_the_host_adds_a_computer_player_in_the_lobby_and_takes_it_away(
    app: Flask, games: Games, host: Person, hosting: FlaskClient
) -> None:
    game = table_for(games, GAME, host, 3, Terms(access="public"))
    path = f"/games/{game}"
    send(hosting, path, f"{path}/computers", level="easy")
    page = hosting.get(path).text
    assert "Computer (easy)" in page and "computer-mark" in page
    assert f"{path}/computers" not in browser(app, games, bob(games)).get(path).text
    send(hosting, path, f"{path}/kick")
    assert levels(now_at(games, game)) == [None]
    assert send(hosting, path, f"{path}/computers", level="random").status_code == 409


@pytest.mark.parametrize("language", CALLED)
def test_computer_players_are_called_what_they_are_in_every_language(app: Flask, games: Games, language: str) -> None:
    reader = register(games, "Ann", None, language)
    position = against(games, GAME, reader, ["normal", "normal"])
    web = browser(app, games, reader)
    table, mine = web.get(f"/games/{position.game.id}").text, web.get("/games").text
    assert all(name in table and name in mine for name in CALLED[language])
    assert "ui-computer" in table
    assert " normal 1" not in table


def test_the_host_lets_a_computer_player_take_over_the_seat_of_one_who_has_left(
    app: Flask, games: Games, host: Person, hosting: FlaskClient
) -> None:
    position = leave(games, running(games, GAME, [host, bob(games), carol(games)], Terms()), 1)
    path = f"/games/{position.game.id}"
    answer = send(hosting, path, f"{path}/substitute-computers", level="normal")
    assert answer.status_code == 303
    assert levels(now_at(games, position.game.id)) == [None, "normal", None]
    page = hosting.get(path).text
    assert "Computer (normal)" in page and f"{path}/substitute-computers" not in page


def test_what_makes_no_sense_for_computer_players_is_not_offered(
    games: Games, host: Person, hosting: FlaskClient
) -> None:
    position = against(games, GAME, host, ["easy"], pace=PACES["daily"])
    page = hosting.get(f"/games/{position.game.id}").text
    for action in ("time", "take-back-request", "talk", "report"):
        assert f"/games/{position.game.id}/{action}" not in page, action


def test_an_invitation_says_who_sits_at_the_table(app: Flask, games: Games, host: Person) -> None:
    game = against(games, GAME, host, ["easy"], seats=3).game.id
    given = invite(games, game, host.id, ByLink("secret"), clock.now(), None)
    page = browser(app, games).get(f"/join/{invitation_token(given.id, 'secret')}").text
    assert "<bdi>Computer (easy)</bdi>" in page


@pytest.mark.parametrize("label", ["Play now against the computer", "Full game against the computer", "New game"])
def test_the_readme_names_buttons_that_are_on_the_first_page(app: Flask, games: Games, label: str) -> None:
    said = re.findall(r"(?<![*])[*]([A-Z][^*]+)[*]", (ROOT / "README.md").read_text())
    page = browser(app, games, alice(games)).get("/").text
    assert label in {" ".join(each.split()) for each in said}
    assert label in page


def test_the_face_of_a_computer_player_is_drawn_in_a_replay_too(app: Flask, games: Games) -> None:
    reader = register(games, "Ann", None, "en")
    position = against(games, GAME, reader, ["easy"])
    page = browser(app, games, reader).get(f"/games/{position.game.id}/replay")
    assert 'href="#ui-computer"' in page.text
    assert list(Sound(page.text).faults) == []
