"""What whoever comes here first sees without scrolling: what the game is, what one does in it, and the way into it."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from service.texts.catalog import languages
from tests.browser.chromium import PHONE, House, visiting

SCREEN = {"width": 1280, "height": 800}
EXPLAINED = "section[aria-labelledby='game-new-corp-order']"
LINE = 24
BOTTOM = "found => Math.ceil(found.getBoundingClientRect().bottom)"


@pytest.mark.parametrize("language", languages())
def test_the_first_screen_says_what_the_game_is_and_has_the_button_that_begins_it(
    house: House, chromium: Browser, language: str
) -> None:
    context = visiting(chromium, house, viewport=SCREEN, locale=language)
    page = context.new_page()
    page.goto("/")
    assert page.locator("html").get_attribute("lang") == language
    shown = [f"{EXPLAINED} h2", f"{EXPLAINED} h2 + p", "form[action='/play'] button"]
    shown += [f"{EXPLAINED} li:nth-child({number})" for number in (1, 2, 3)]
    reached = {each: page.locator(each).evaluate(BOTTOM) for each in shown}
    assert max(reached.values()) <= SCREEN["height"], reached
    # On a phone the explanation begins there, with a heading and a line of it at least.
    page.set_viewport_size(PHONE)
    begun = page.locator(f"{EXPLAINED} h2").evaluate(BOTTOM) + 2 * LINE
    assert begun <= PHONE["height"], begun
