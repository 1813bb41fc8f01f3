"""The player's own value of chance is drawn in the browser, where it runs scripts, and by the service where not."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser
from sqlalchemy import text

from service.runtime import Runtime
from tests.browser.chromium import House, visiting, watched
from tests.live import listening
from tests.people import alice


@pytest.mark.parametrize(("scripts", "drawn_by"), [(True, "client"), (False, "server")])
def test_the_value_of_chance_is_drawn_by(runtime: Runtime, chromium: Browser, scripts: bool, drawn_by: str) -> None:
    games = runtime.games
    with listening(runtime) as url:
        page = visiting(chromium, House(url, runtime), alice(games), java_script_enabled=scripts).new_page()
        complaints = watched(page)
        page.goto("/")
        page.locator("form[action='/play'] button").first.click()
        page.wait_for_url("**/games/*")
        with games.engine.begin() as db:
            found = db.execute(text("select drawn_by from seat where game_id = :game"), {"game": page.url[-36:]})
            assert found.scalars().all() == [drawn_by]
        assert not complaints
