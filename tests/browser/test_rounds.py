"""A whole game of Ba$tard$ Inc. at its page: the first answers by keyboard or by touch, the rest by themselves."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from service.runtime import Runtime
from tests.browser.chromium import House, visiting, watched
from tests.browser.test_solo import CONFIRM, OWN_TURN, PLACES, choice
from tests.builders import later, now_at, started
from tests.live import listening
from tests.people import alice, bob

DECISIONS = 8
STEPS = 100


def by_keyboard(pressed: Locator) -> None:
    """Reach it with the keyboard, and press Enter."""
    pressed.focus()
    pressed.press("Enter")


def by_touch(pressed: Locator) -> None:
    """Touch it, as on a phone."""
    pressed.tap()


@pytest.mark.parametrize("press", [by_keyboard, by_touch])
def test_a_game_of_rounds_is_played_by_keyboard_and_by_touch(
    runtime: Runtime, chromium: Browser, press: Callable[[Locator], None]
) -> None:
    games, people = runtime.games, [alice(runtime.games, None), bob(runtime.games, None)]
    position = started(games, "bastards-inc", people, **{"short-game": True, "first-player": 0})
    game, before = position.game.id, position.decision
    with listening(runtime) as url:
        page = visiting(chromium, House(url, runtime), people[0], has_touch=press is by_touch).new_page()
        complaints = watched(page)
        page.goto(f"/games/{game}")
        expect(page.locator(".tsub")).to_contain_text("round 1")
        for number in range(STEPS):
            position = later(games, now_at(games, game), 0, 0)
            if position.decision > before + DECISIONS:
                break
            _step(page, press, number)
        assert position.decision > before + DECISIONS
        later(games, position, 9_000, 0)
        page.goto(f"/games/{game}")
        expect(page.locator("#over")).to_be_visible()
        expect(page.locator("#over .eyebrow")).to_contain_text("rounds")
        assert not complaints


def _step(page: Page, press: Callable[[Locator], None], number: int) -> None:
    """Press what confirms, or else what is to be chosen next: each time another one, since some undo the one before."""
    expect(page.locator(OWN_TURN)).to_be_attached(timeout=20_000)
    confirm, places = page.locator(CONFIRM), page.locator(PLACES)
    press(confirm if confirm.count() else places.nth(-1 - number % places.count()) if places.count() else choice(page))
    expect(page.locator("#table")).to_have_attribute("aria-busy", "false")
