"""What is left until a deadline counts down at the table, and is text without a script (T-07)."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, expect

from service.rules.pace import PACES
from tests.browser.chromium import House, visiting, watched
from tests.people import alice, bob, carol
from tests.timed import timed

LEFT = {"en": re.compile(r"^9m \d+s left$"), "de": re.compile(r"^noch 9 Min\. \d+ Sek\.$")}


@pytest.mark.parametrize("language", LEFT)
def test_t07_what_is_left_counts_down_to_the_second(chromium: Browser, house: House, language: str) -> None:
    people = [alice(house.runtime.games), bob(house.runtime.games), carol(house.runtime.games)]
    position = timed(house.runtime.games, people, PACES["live"])
    page = visiting(chromium, house, people[0]).new_page()
    complaints = watched(page)
    page.goto(f"/games/{position.game.id}?language={language}")
    left = page.locator("#top .gl time.due")
    expect(left).to_have_text(LEFT[language])
    first = left.inner_text()
    expect(left).not_to_have_text(first)
    assert LEFT[language].match(left.inner_text())
    assert complaints == []


def test_t07_without_a_script_what_is_left_is_text(chromium: Browser, house: House) -> None:
    people = [alice(house.runtime.games), bob(house.runtime.games), carol(house.runtime.games)]
    position = timed(house.runtime.games, people, PACES["live"])
    page = visiting(chromium, house, people[0], java_script_enabled=False).new_page()
    page.goto(f"/games/{position.game.id}")
    for width, text in ((360, "9m"), (1024, "9m left")):
        page.set_viewport_size({"width": width, "height": 740})
        expect(page.locator("#top time.due:visible")).to_have_text(text)
