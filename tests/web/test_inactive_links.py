"""A link that has nothing left to do says so, in its player's language, and never plays."""

from __future__ import annotations

from datetime import timedelta

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.handlers import links
from service.handlers.resign import resign
from service.handlers.talk import say
from service.shared import clock
from service.store.games import Games
from tests.builders import act, now_at, sealed_bids
from tests.games.sealed_bids.actions import Hold
from tests.letters import Page, link, press

ALICE, BOB, CAROL = 0, 1, 2


@pytest.fixture(scope="module")
def web(app: Flask) -> FlaskClient:
    """A browser that keeps no cookies."""
    return app.test_client(use_cookies=False)


def test_a_link_that_has_played_says_what_was_played_and_by_which_door(web: FlaskClient, games: Games) -> None:
    position = sealed_bids(games)
    path = link(games, position, ALICE)
    press(web, path, "hold")
    looked, pressed = web.get(path), press(web, path, "hold")
    assert (looked.status_code, pressed.status_code) == (410, 409)
    for page in (looked, pressed):
        assert "This link has been used already" in page.text
        assert "Hold the cards." in page.text
        assert "by a link in a mail" in page.text
    assert "nothing has been played just now" in pressed.text
    assert "nothing has been played just now" not in looked.text
    assert now_at(games, position.game.id).version == position.version + 1


def test_a_past_link_shows_nothing_of_the_table_as_it_is_now(web: FlaskClient, games: Games) -> None:
    position = sealed_bids(games)
    path = link(games, position, ALICE)
    for seat in (ALICE, BOB, CAROL):
        position = act(games, position, seat, Hold()).position
    page = web.get(path).text
    assert "It is your move again" in page
    assert "Hand:" not in page
    assert [(form.action, form.inputs, form.buttons) for form in Page(page).forms] == [(f"{path}/link/fresh", [], [])]


def test_a_past_link_speaks_its_players_language(web: FlaskClient, games: Games) -> None:
    position = sealed_bids(games)
    path = link(games, position, CAROL)
    act(games, position, CAROL, Hold())
    page = web.get(path).text
    assert '<html lang="fr">' in page
    assert "Ce lien a déjà servi" in page
    assert "par l’API" in page


def test_a_link_of_a_finished_game_tells_the_result(web: FlaskClient, games: Games) -> None:
    position = sealed_bids(games)
    path = link(games, position, BOB)
    while position.ruleset.outcome(position.state) is None:
        position = act(games, position, min(position.ruleset.to_act(position.state)), Hold()).position
    looked, pressed = web.get(path), press(web, path, "hold")
    assert (looked.status_code, pressed.status_code) == (410, 409)
    assert "Alice, Bob und Carol" in looked.text
    assert 'class="ending"' in looked.text and 'class="board"' in looked.text


def test_an_old_link_no_longer_plays_and_says_so(web: FlaskClient, games: Games) -> None:
    position = sealed_bids(games)
    with games.engine.begin() as db:
        long_ago = clock.now() - timedelta(days=400)
        path = "/t/" + links.issue(db, position.game.id, ALICE, 1, long_ago)
    assert web.get(path).status_code == 410
    assert press(web, path, "hold").status_code == 409
    assert "too long ago" in web.get(path).text
    assert now_at(games, position.game.id).version == position.version


@pytest.mark.parametrize("token", ["a" * 26, "short", "A" * 26, "%00" * 9, "ö" * 26, "a" * 3000])
def test_an_unknown_link_is_a_friendly_404_in_the_visitors_language(web: FlaskClient, token: str) -> None:
    for response in (web.get(f"/t/{token}", headers={"Accept-Language": "de-AT,de"}), web.post(f"/t/{token}")):
        assert response.status_code == 404
        assert response.mimetype == "text/html"
    assert "Diese Seite gibt es nicht" in web.get(f"/t/{token}", headers={"Accept-Language": "de-AT,de"}).text


def test_what_was_said_is_no_answer_to_a_decision(web: FlaskClient, games: Games) -> None:
    position = sealed_bids(games)
    path = link(games, position, ALICE)
    say(games, position.game.id, position.seats[ALICE].player_id, "I shall hold.", "api", clock.now())
    assert web.get(path).status_code == 200
    press(web, path, "hold")
    page = web.get(path)
    assert page.status_code == 410
    assert "Hold the cards." in page.text
    assert "says something" not in page.text


def test_whoever_has_resigned_is_told_that_there_is_nothing_to_do(web: FlaskClient, games: Games) -> None:
    position = sealed_bids(games)
    path = link(games, position, ALICE)
    resign(games, position.game.id, position.seats[ALICE].player_id, "api", clock.now())
    for page in (web.get(path), press(web, path, "hold")):
        assert page.status_code in (409, 410)
        assert "You have resigned from this game." in page.text
