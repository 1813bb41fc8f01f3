"""A finished game looked at again in a real browser: by keys, by the slider, played, and as a link to a moment."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, expect

from service.handlers.browsers import let_in
from service.runtime import Runtime
from service.shared import clock
from tests.builders import finished, started
from tests.live import listening
from tests.people import alice, bob, carol


@pytest.mark.slow
def test_a_game_is_stepped_through_and_played_and_every_moment_has_an_address(
    runtime: Runtime, chromium: Browser
) -> None:
    games = runtime.games
    people = [alice(games, None), bob(games, None), carol(games, None)]
    position = finished(games, started(games, "sealed-bids", people))
    with games.engine.begin() as db:
        secret = let_in(db, people[0].id, clock.now())
    with listening(runtime) as url:
        context = chromium.new_context(viewport={"width": 360, "height": 740})
        context.add_cookies([{"name": "boardroom", "value": secret, "url": url}])
        page, complaints = context.new_page(), []
        page.on("console", lambda said: complaints.append(said.text) if said.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(f"{url}/games/{position.game.id}/replay?language=en")
        heading = page.locator("#step h2")
        expect(heading).to_have_text("Step 1 of 10, The beginning")
        page.keyboard.press("ArrowRight")
        expect(heading).to_have_text("Step 2 of 10, Turn 1")
        expect(page).to_have_url(re.compile(r"\?at=5&eyes=0$"))
        page.locator("#slider").fill("8")
        expect(heading).to_have_text("Step 9 of 10, Turn 3")
        page.locator("#play").click()
        expect(heading).to_have_text("Step 10 of 10, Turn 3")
        expect(page.locator("#play")).to_have_text("Play")
        page.locator("#ways [data-way=first]").click()
        expect(heading).to_have_text("Step 1 of 10, The beginning")
        page.locator("#choices select[name=eyes]").select_option("2")
        page.locator("#choices form:has(select[name=eyes]) button").click()
        expect(page).to_have_url(re.compile(r"\?at=4&eyes=2$"))
        page.reload()
        expect(page.locator("#choices select[name=eyes]")).to_have_value("2")
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        assert not complaints
