"""The page of a game follows the game: by a stream, and where none can be had by asking now and then."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from service.handlers import take_back
from service.shared import clock
from tests.browser.chromium import House, visiting, watched
from tests.builders import act, first_legal, started
from tests.consenting import clocked
from tests.people import Person, alice, register

POLL = 15_000
"""Milliseconds, as in the page's script."""


@pytest.mark.parametrize("who", ["a player", "a spectator"])
def test_without_a_stream_the_page_asks_now_and_then(house: House, chromium: Browser, who: str) -> None:
    games = house.runtime.games
    people = [alice(games, None), register(games, "Bob", None, "en")]
    position = started(games, "new-corp-order", people, **{"first-player": 1})
    person: Person | None = people[0] if who == "a player" else None
    context = visiting(chromium, house, person, locale="en")
    context.add_init_script("delete window.EventSource")
    page = context.new_page()
    complaints, asked = watched(page), []
    page.on("request", lambda request: asked.append(request.url.rpartition("/")[2]))
    page.clock.install()
    page.goto(f"/games/{position.game.id}")
    position = act(games, position, 1, first_legal(position, 1)).position
    version = str(position.version)
    page.clock.run_for(POLL - 1_000)
    expect(page.locator("#now")).not_to_have_attribute("data-version", version)
    page.clock.run_for(2_000)
    expect(page.locator("#now")).to_have_attribute("data-version", version)
    expect(page.locator("#news")).to_contain_text("Bob")
    assert not any(each.startswith(("ticket", "stream")) for each in asked)
    assert not complaints


def test_t35_a_request_to_take_an_action_back_comes_to_an_open_page(house: House, chromium: Browser) -> None:
    games = house.runtime.games
    people = [alice(games, None), register(games, "Bob", None, "en")]
    position = clocked(games, ruleset="new-corp-order", people=people, **{"first-player": 0})
    decision, first = position.decision, position.version + 1
    act(games, position, 0, first_legal(position, 0))
    page = visiting(chromium, house, people[1], locale="en").new_page()
    complaints = watched(page)
    page.goto(f"/games/{position.game.id}")
    take_back.ask_to_take_back(games, position.game.id, people[0].id, decision, "web", clock.now())
    expect(page.locator("#agreement")).to_contain_text("asks to take a move back")
    take_back.decline_take_back(games, position.game.id, people[0].id, first, clock.now())
    expect(page.locator("#agreement")).to_be_hidden()
    assert not complaints
