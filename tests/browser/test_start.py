"""The first screen of a new visitor: what this is, the button that begins a game, and a game that is being played."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from service.handlers import lobby
from service.shared import clock
from service.store.game_row import Terms
from service.texts.catalog import say
from tests.browser.breadth import LANGUAGES
from tests.browser.chromium import PHONE, House, visiting, watched
from tests.builders import table_for
from tests.people import alice, bob

SCREEN = {"width": 1280, "height": 800}
PLAY = ".hero form[action='/play'] button.strong"
BOTTOM = "found => Math.ceil(found.getBoundingClientRect().bottom)"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_first_screen_says_what_this_is_and_has_the_button_that_begins_a_game(
    house: House, chromium: Browser, language: str
) -> None:
    page = visiting(chromium, house, viewport=SCREEN, locale=language).new_page()
    page.goto("/")
    assert page.locator("html").get_attribute("lang") == language
    for size in (SCREEN, PHONE):
        page.set_viewport_size(size)
        reached = {each: page.locator(each).first.evaluate(BOTTOM) for each in ("h1", ".lead", PLAY)}
        assert max(reached.values()) <= size["height"], reached
    # On a screen, the game to watch and the moves to learn begin there, too.
    page.set_viewport_size(SCREEN)
    begun = [page.locator(each).evaluate(BOTTOM) for each in ("#live", "#learn")]
    assert max(begun) <= SCREEN["height"], begun


def test_a_public_game_is_seen_on_the_start_page_and_one_press_leads_to_it(house: House, chromium: Browser) -> None:
    games = house.runtime.games
    host, guest = alice(games), bob(games)
    game = table_for(games, "new-corp-order", host, 2, Terms(name="Friday table", access="public"))
    lobby.join(games, game, guest.id, clock.now())
    lobby.start(games, game, host.id, clock.now())
    page = visiting(chromium, house, locale="en").new_page()
    complaints = watched(page)
    page.goto("/")
    expect(page.locator("section[aria-labelledby=live]")).to_contain_text("Friday table")
    page.get_by_role("link", name=say("en", "start-watch"), exact=True).click()
    assert page.url.endswith(f"/games/{game}")
    assert not complaints


def test_a_move_is_learnt_on_three_pages_that_end_with_a_game(house: House, chromium: Browser) -> None:
    page = visiting(chromium, house, locale="en", java_script_enabled=False).new_page()
    page.goto("/")
    page.get_by_role("link", name=say("en", "start-learn-begin")).click()
    for number in (1, 2, 3):
        expect(page.locator(".eyebrow")).to_contain_text(f"Move {number} of 3")
        assert page.locator("figure .felt").count() == 2
        if number < 3:
            page.get_by_role("link", name=say("en", "learn-next")).click()
    page.locator("form[action='/play'] button.strong").click()
    expect(page.locator("#felt svg.board")).to_be_visible()


def test_a_guest_begins_with_the_time_zone_of_the_browser(house: House, chromium: Browser) -> None:
    page = visiting(chromium, house, locale="en", timezone_id="Asia/Tokyo").new_page()
    page.goto("/")
    page.locator(PLAY).click()
    expect(page.locator("#felt svg.board")).to_be_visible()
    page.goto("/settings")
    expect(page.get_by_label("Time zone")).to_have_value("Asia/Tokyo")
