"""The page of a single move: it shows what would come of it, and one press plays it."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from msgspec import structs

from service.app import create_app
from service.handlers import links
from service.rules.foresight import afterwards
from service.runtime import Runtime
from service.store.games import Games
from service.store.position import Position
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


def answers_in(address: str) -> int:
    """How many answers the address of a step has been given."""
    _, _, way = address.partition("#")[0].partition("?way=")
    return way.count(".") + 1 if way else 0


def open_action(position: Position) -> Any:
    """An action of Alice's that shows nothing but her own cards."""
    legal = position.ruleset.legal(position.state, ALICE)
    return next(each for each in legal if afterwards(position.ruleset, position.state, 2, ALICE, each) is not None)


def test_it_shows_the_action_what_comes_of_it_and_the_table_after_it(web: FlaskClient, games: Games) -> None:
    position = corp(games)
    action = open_action(position)
    path = path_of(position, link(games, position, ALICE), action)
    response = web.get(path)
    page = Page(response.text)
    assert response.status_code == 200
    assert position.ruleset.describe(action, ALICE, "en", ["Alice", "Bob"]) in response.text
    assert "Not played yet" in response.text
    assert "You can take it back for 10 minutes" in response.text
    assert [(form.action, form.inputs) for form in page.forms] == [(path, [])]
    assert page.tags.count("svg") == 1
    assert now_at(games, position.game.id).version == position.version


def test_where_something_hidden_would_be_shown_it_says_so_and_shows_no_table(web: FlaskClient, games: Games) -> None:
    drawing = web.get(link(games, corp(games), ALICE) + "/p-d")
    position = sealed_bids(games)
    for seat in (CAROL, BOB):
        position = act(games, position, seat, Hold()).position
    last = web.get(link(games, position, ALICE) + "/hold")
    for page in (drawing, last):
        assert page.status_code == 200
        assert "It cannot be taken back." in page.text
        assert "<svg" not in page.text
    assert "What comes next depends on what you cannot know yet." in last.text


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
    (form,) = Page(web.get(path).text).forms
    played = web.post(form.action, data=form.hidden)
    assert played.status_code == 200
    assert "Your action has been played" in played.text
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
    assert len(Page(looked.text).offers) == len(position.ruleset.legal(position.state, ALICE))
    assert now_at(games, position.game.id).version == position.version


def test_an_action_is_picked_part_by_part_with_links_alone_a_screenful_at_a_time(
    web: FlaskClient, games: Games
) -> None:
    position, lots = corp(games), Random(3)
    for _ in range(4):
        page = link(games, position, ALICE)
        reached, picked = Page(web.get(page).text), 0
        while reached.forms[0].action == page:
            further = {each.partition("#")[0] for each in reached.links if answers_in(each) > picked}
            assert 0 < len(further) <= SCREENFUL
            chosen = lots.choice(sorted(further))
            reached, picked = Page(web.get(chosen).text), answers_in(chosen)
        code = reached.forms[0].action.rpartition("/")[2]
        assert links.meant(position, ALICE, code) is not None


@pytest.mark.parametrize("way", ["99", "0.0.0.0.0.0.0", "x", "-1", "1.", "9" * 500])
def test_a_way_that_leads_nowhere_shows_the_beginning(web: FlaskClient, games: Games, way: str) -> None:
    page = web.get(link(games, sealed_bids(games), ALICE) + f"?way={way}")
    assert page.status_code == 404
    assert len(Page(page.text).offers) == 4


def test_the_link_of_a_move_that_is_past_explains_itself(web: FlaskClient, games: Games) -> None:
    position = sealed_bids(games)
    path = link(games, position, BOB)
    act(games, position, BOB, Bid(card=position.state.hands[BOB][0]))
    for answer in (web.get(f"{path}/hold"), web.post(f"{path}/hold")):
        assert answer.status_code in (409, 410)
        assert "Dieser Link hat seinen Dienst getan" in answer.text
