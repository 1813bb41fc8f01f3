"""A new game by three choices: alone, with friends, with anybody; and the buttons that begin one at once."""

from __future__ import annotations

from uuid import UUID, uuid4

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.store.games import Games, Position
from tests.browsing import browser, form_on, send
from tests.builders import now_at
from tests.people import alice

FORM = {"kind": "friends", "seats": "3", "start": "host", "on_resignation": "play-on", "pace": "daily"}


@pytest.fixture
def web(app: Flask, games: Games) -> FlaskClient:
    """Alice's browser."""
    return browser(app, games, alice(games))


def opened(games: Games, location: str | None) -> Position:
    """Return the game that an answer leads to."""
    assert location is not None and location.startswith("/games/")
    return now_at(games, UUID(location.partition("?")[0].rpartition("/")[2]))


def test_friends_are_invited_by_the_form_that_opens_the_table(web: FlaskClient, games: Games) -> None:
    addresses = [f"{uuid4().hex}@example.org" for _ in range(2)]
    answer = send(web, "/games/new", "/games/new", **FORM, emails="\r\n".join(addresses))
    assert answer.status_code == 303 and "missed" not in str(answer.location)
    position = opened(games, answer.location)
    assert (position.game.terms.access, position.game.seats) == ("invitation", 3)
    page = web.get(str(answer.location)).text
    assert all(address in page for address in addresses)


def test_an_invitation_that_was_not_sent_is_told_and_the_table_is_there(web: FlaskClient, games: Games) -> None:
    address = f"{uuid4().hex}@example.org"
    answer = send(web, "/games/new", "/games/new", **FORM, emails=f"nonsense {address}")
    assert answer.status_code == 303
    page = web.get(str(answer.location)).text
    assert "Some invitations were not sent." in page and address in page
    assert opened(games, answer.location).game.status == "open"


def test_what_strangers_read_of_a_table_says_nothing_of_its_invitations(app: Flask, web: FlaskClient) -> None:
    answer = send(web, "/games/new", "/games/new", **{**FORM, "kind": "anybody"}, emails="nonsense")
    seen = browser(app, app.extensions["runtime"].games).get(f"{answer.location}?missed=")
    assert seen.status_code == 200 and "Not all invitations" not in seen.text


def test_a_game_alone_begins_at_once_whatever_else_the_form_says(web: FlaskClient, games: Games) -> None:
    answer = send(web, "/games/new", "/games/new", **{**FORM, "kind": "alone"})
    position = opened(games, answer.location)
    assert (position.game.status, position.game.seats, position.game.terms.pace) == ("running", 1, None)


def test_the_form_has_only_the_choices_that_the_game_has(web: FlaskClient) -> None:
    both, several = (web.get(f"/games/new?ruleset={name}").text for name in ("new-corp-order", "sealed-bids"))
    assert all(f'id="kind-{kind}"' in both for kind in ("alone", "friends", "anybody"))
    assert 'id="kind-alone"' not in several and 'id="kind-friends"' in several


def test_a_stranger_who_plays_with_friends_becomes_a_guest_and_comes_to_the_form(app: Flask, games: Games) -> None:
    web = browser(app, games)
    answer = send(web, "/play/sealed-bids", "/play", **{"with": "friends"})
    assert (answer.status_code, answer.location) == (303, "/games/new?ruleset=sealed-bids")
    assert "boardroom=brd_" in answer.headers["Set-Cookie"]
    assert form_on(web.get(str(answer.location)), "/games/new").hidden["ruleset"] == "sealed-bids"


@pytest.mark.parametrize(("said", "kept"), [("Europe/Berlin", "Europe/Berlin"), ("Mars/Olympus", "UTC"), ("", "UTC")])
def test_a_new_account_keeps_the_time_zone_of_its_browser(app: Flask, games: Games, said: str, kept: str) -> None:
    web = browser(app, games)
    send(web, "/", "/play", zone=said)
    assert f'name="time_zone" value="{kept}"' in web.get("/settings").text


def test_each_game_of_the_shelf_leads_to_its_first_page_and_that_begins_it(app: Flask, games: Games) -> None:
    web = browser(app, games)
    start = web.get("/").text
    for name, ruleset in games.rulesets.items():
        assert f'href="/play/{name}"' in start
        page = web.get(f"/play/{name}")
        assert ruleset.meta.title in page.text
        assert form_on(page, "/play").hidden["ruleset"] == name


def test_the_game_that_is_offered_unasked_does_not_depend_on_the_alphabet(web: FlaskClient, games: Games) -> None:
    assert list(games.rulesets) != sorted(games.rulesets)
    assert 'name="ruleset" value="new-corp-order"' in web.get("/games/new").text


def test_a_title_that_ends_with_a_full_stop_has_no_second_one(web: FlaskClient) -> None:
    page = web.get("/games/new?ruleset=bastards-inc").text
    assert "<strong>Ba$tard$ Inc.</strong>" in page
