"""The page of a single move: it shows what would come of it, and one press plays it."""

from __future__ import annotations

from dataclasses import replace
from html import escape
from random import Random
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from flask import Flask
from flask.testing import FlaskClient
from msgspec import structs

from service.app import create_app
from service.handlers import links
from service.rules.lookahead import afterwards
from service.rules.tabletop.table import Table
from service.runtime import Runtime
from service.store.games import Games, Position
from tests.builders import act, now_at, sealed_bids, started
from tests.games.sealed_bids.actions import Bid, Hold
from tests.letters import Page, link
from tests.people import alice, bob

ALICE, BOB, CAROL = 0, 1, 2
SCREENFUL = 24


@pytest.fixture(scope="module")
def web(app: Flask) -> FlaskClient:
    """A browser that keeps no cookies."""
    return app.test_client(use_cookies=False)


def corp(games: Games) -> Position:
    """Alice's first turn in New Corp Order, against Bob."""
    return started(games, "new-corp-order", [alice(games), bob(games)], **{"first-player": ALICE})


def path_of(position: Position, page: str, action: Any) -> str:
    return f"{page}/{links.code(position.ruleset.notate(action))}"


def parts_of(address: str) -> int:
    """How many parts of an action the address has picked."""
    return len(parse_qs(urlsplit(address).query, keep_blank_values=True)) - 1


def reached(web: FlaskClient, path: str) -> set[str]:
    """The notations of all actions that the links of the page lead to, one part after the other."""
    seen, todo, found = {path}, [path], set()
    while todo:
        page = Page(web.get(todo.pop()).text)
        found |= {form.hidden["notation"] for form in page.forms if "notation" in form.hidden}
        todo += page.picks - seen
        seen |= page.picks
    return found


def open_action(position: Position) -> Any:
    """An action of Alice's that shows nothing but her own cards."""
    legal = position.ruleset.legal(position.state, ALICE)
    return next(each for each in legal if afterwards(position.ruleset, position.state, 2, ALICE, each) is not None)


def test_it_shows_the_action_and_what_comes_of_it_on_the_table_with_one_button(web: FlaskClient, games: Games) -> None:
    position = corp(games)
    action = open_action(position)
    path = path_of(position, link(games, position, ALICE), action)
    response = web.get(path)
    page = Page(response.text)
    assert response.status_code == 200
    seen = Table(position.ruleset, position.state, 2, ALICE, "en", ["Alice", "Bob"])
    assert escape(seen.preview(action).told.sentence) in response.text
    assert 'class="place' in response.text and " chosen" in response.text
    assert f"{path.rpartition('/')[0]}" == page.confirm.action
    assert page.confirm.hidden == {"decision": "1", "notation": position.ruleset.notate(action)}
    assert now_at(games, position.game.id).version == position.version


def test_where_something_hidden_would_be_shown_it_says_so(web: FlaskClient, games: Games) -> None:
    drawing = web.get(link(games, corp(games), ALICE) + "/p-d")
    position = sealed_bids(games)
    for seat in (CAROL, BOB):
        position = act(games, position, seat, Hold()).position
    last = web.get(link(games, position, ALICE) + "/hold")
    for page in (drawing, last):
        assert page.status_code == 200
        assert "This shows something hidden; it cannot be taken back." in page.text
    shown = web.get(path_of(position, link(games, sealed_bids(games), ALICE), Hold()))
    assert "This shows something hidden" not in shown.text


def test_the_page_is_the_same_whatever_is_hidden(runtime: Runtime, games: Games) -> None:
    position = sealed_bids(games)
    path = path_of(position, link(games, position, ALICE), Bid(card=position.state.hands[ALICE][0]))
    told = set()
    for state in (position.state, *position.ruleset.imagine(position.state, ALICE)[:3]):
        known = Games(games.engine, games.rulesets)
        known.committed(replace(position, folded=structs.replace(position.folded, state=state)))
        app = create_app(replace(runtime, games=known))
        told.add(app.test_client(use_cookies=False).get(path).text)
        assert now_at(known, position.game.id).state is state
    assert len(told) == 1


def test_one_press_plays_it_and_the_next_is_told_so(web: FlaskClient, games: Games) -> None:
    position = corp(games)
    action = open_action(position)
    path = path_of(position, link(games, position, ALICE), action)
    form = Page(web.get(path).text).confirm
    played = web.post(form.action, data=form.hidden)
    assert played.status_code == 200
    assert "Your move has been played" in played.text
    again = web.post(form.action, data=form.hidden)
    assert (again.status_code, web.get(path).status_code) == (409, 410)
    assert "nothing has been played just now" in again.text
    assert now_at(games, position.game.id).decision > position.decision


@pytest.mark.parametrize("code", ["castle", "bid-99", "x", "_", "%00", "a" * 3000, "bid_41x"])
def test_a_move_that_is_not_possible_shows_those_that_are_and_plays_nothing(
    web: FlaskClient, games: Games, code: str
) -> None:
    position = sealed_bids(games)
    path = link(games, position, ALICE)
    looked, pressed = web.get(f"{path}/{code}"), web.post(f"{path}/{code}", data={"decision": position.decision})
    assert (looked.status_code, pressed.status_code) == (404, 400)
    assert reached(web, path) == {*map(position.ruleset.notate, position.ruleset.legal(position.state, ALICE))}
    assert Page(looked.text).picks == Page(web.get(path).text).picks
    assert now_at(games, position.game.id).version == position.version


def test_an_action_is_picked_part_by_part_with_links_alone_a_screenful_at_a_time(
    web: FlaskClient, games: Games
) -> None:
    position, lots = corp(games), Random(3)
    for _ in range(4):
        address = path = link(games, position, ALICE)
        while (page := Page(web.get(address).text)) and not any("notation" in form.hidden for form in page.forms):
            further = {each for each in page.picks if parts_of(each) > parts_of(address)}
            assert 0 < len(further) <= SCREENFUL
            address = lots.choice(sorted(further))
        assert page.confirm.action == path
        action = position.ruleset.parse(page.confirm.hidden["notation"])
        assert action in position.ruleset.legal(position.state, ALICE)


@pytest.mark.parametrize("way", ["0", "0.1", "99", "0.0.0.0.0.0.0", "x", "-1", "1.", "9" * 500])
def test_a_way_of_an_older_page_shows_the_beginning(web: FlaskClient, games: Games, way: str) -> None:
    path = link(games, sealed_bids(games), ALICE)
    page = web.get(f"{path}?way={way}")
    assert page.status_code == 200
    assert Page(page.text).picks == Page(web.get(path).text).picks


def test_the_link_of_a_move_that_is_past_explains_itself(web: FlaskClient, games: Games) -> None:
    position = sealed_bids(games)
    path = link(games, position, BOB)
    act(games, position, BOB, Bid(card=position.state.hands[BOB][0]))
    for answer in (web.get(f"{path}/hold"), web.post(f"{path}/hold")):
        assert answer.status_code in (409, 410)
        assert "Dieser Link wurde schon benutzt" in answer.text
