"""A table that waits for its players, in a real browser: it follows who comes, and goes on to the game."""

from __future__ import annotations

import re

from playwright.sync_api import Browser, expect

from service.handlers import lobby
from service.shared import clock
from tests.browser.chromium import House, visiting, watched
from tests.builders import table_for
from tests.people import alice, bob


def test_the_page_follows_who_joins_and_moves_on_when_the_game_begins(house: House, chromium: Browser) -> None:
    games = house.runtime.games
    host, guest = alice(games), bob(games)
    game = table_for(games, "new-corp-order", host, 2)
    page = visiting(chromium, house, host).new_page()
    complaints = watched(page)
    page.goto(f"/games/{game}")
    expect(page.locator("#look")).to_be_hidden()
    page.get_by_label("Mail address").fill("zoe@exam")
    lobby.join(games, game, guest.id, clock.now())
    expect(page.locator("#seats .list")).to_contain_text("Bob", timeout=8_000)
    expect(page.locator("#news")).to_have_text("At the table: Alice, Bob. Free seats: 0.")
    expect(page.get_by_role("button", name="Start the game")).to_be_visible()
    expect(page.locator("#invite")).to_be_empty()
    waiting = visiting(chromium, house, guest, java_script_enabled=False).new_page()
    waiting.goto(f"/games/{game}")
    page.get_by_role("button", name="Start the game").click()
    expect(page.locator("#felt svg.board")).to_be_visible()
    waiting.get_by_role("link", name="Aktualisieren").click()
    expect(waiting.locator("#felt svg.board")).to_be_visible()
    assert not complaints


def test_what_is_being_written_stays_while_others_come(house: House, chromium: Browser) -> None:
    games = house.runtime.games
    host, guest = alice(games), bob(games)
    game = table_for(games, "new-corp-order", host, 3)
    pages = [visiting(chromium, house, person).new_page() for person in (host, guest)]
    for page in pages:
        page.goto(f"/games/{game}")
    pages[0].get_by_label("Mail address").fill("zoe@exam")
    lobby.join(games, game, guest.id, clock.now())
    for page in pages:
        expect(page.locator("#seats .list")).to_contain_text("Bob", timeout=8_000)
    expect(pages[0].get_by_label("Mail address")).to_have_value("zoe@exam")
    expect(pages[0].get_by_label("Mail address")).to_be_focused()
    lobby.join(games, game, bob(games).id, clock.now())
    lobby.start(games, game, host.id, clock.now())
    for page in pages:
        expect(page).to_have_title(re.compile("New Corp Order"))
        expect(page.locator("#felt svg.board")).to_be_visible(timeout=8_000)
