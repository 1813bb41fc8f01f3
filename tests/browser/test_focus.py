"""Whoever has nothing but a keyboard gets everywhere, always sees where they are, and is never held anywhere."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.chromium import House, visiting
from tests.browser.situations import situations

MOST_STOPS = 250
LEAST_CONTRAST = 3.0
"""Between a focused control's outline and what is around it (WCAG 2.2, 1.4.11 and 2.4.13)."""
LOOKED_AT = (Path(__file__).parent / "focus.js").read_text()
FROM_THE_TOP = """() => {
  document.body.tabIndex = -1;
  document.body.focus();
  document.body.removeAttribute("tabindex");
}"""
TRICK = """
.trap { position: absolute; left: -9000px }
.unseen-focus:focus-visible { outline: 1px solid #eeeeee }
"""


def faults(page: Page) -> Iterator[str]:
    """What is wrong with any of the places that the Tab key stops at, from the first to the last and out again."""
    expected = page.evaluate("() => focusPlaces()")
    seen: list[int] = []
    for _ in range(MOST_STOPS):
        page.keyboard.press("Tab")
        somewhere = any(at not in seen for at in range(len(expected)))
        stop: dict[str, Any] | None = page.evaluate("expected => focusNow(expected)", somewhere)
        # A control for a date has several stops, one after the other.
        if stop is None or (stop["place"] in seen[:-1] and not stop["inner"]):
            break
        if stop["place"] in seen:
            continue
        seen.append(stop["place"])
        yield from _of(stop)
    yield from (f"{expected[at]}: not reached by Tab" for at in range(len(expected)) if at not in seen)
    if [at for at in seen if at >= 0] != sorted(at for at in seen if at >= 0):
        yield f"the order is not that of the page: {seen}"


def _of(stop: dict[str, Any]) -> Iterator[str]:
    name = stop["name"]
    if stop["inner"]:
        # What has the focus is in it; a mail looks there as its program shows it.
        return
    if stop["contrast"] < LEAST_CONTRAST:
        yield f"{name}: the outline has a contrast of {stop['contrast']:.1f}"
    if stop["wide"] < 2:
        yield f"{name}: the outline is {stop['wide']} pixels wide"
    if not stop["inside"]:
        yield f"{name}: it is outside of the window"


def test_every_control_is_reached_in_order_and_seen_by_day_and_by_night(
    house: House, chromium: Browser, mailbox: Path
) -> None:
    found = {}
    whose = sorted(situations(house.runtime, mailbox), key=lambda each: each.person.name if each.person else "")
    for person, theirs in groupby(whose, lambda each: each.person):
        context = visiting(chromium, house, person)
        context.add_init_script(LOOKED_AT)
        page = context.new_page()
        for number, each in enumerate(theirs):
            page.emulate_media(color_scheme="dark" if number % 2 else "light")
            each.reach(page)
            if each.pressed or each.meanwhile:
                # What was pressed on the way may have left the keyboard in the middle of the page.
                page.evaluate(FROM_THE_TOP)
            found[each.name] = list(faults(page))
        context.close()
    assert len(found) > 40
    assert {name: said for name, said in found.items() if said} == {}


@pytest.mark.parametrize(
    ("planted", "said"),
    [
        ('<a href="#a" class="unseen-focus">a</a>', "contrast"),
        ('<a href="#a" class="trap">a</a>', "outside"),
        ('<a href="#a" tabindex="2">a</a><a href="#b" tabindex="1">b</a>', "order"),
        ('<a href="#a" tabindex="-1">a</a>', "not reached"),
    ],
)
def test_a_planted_fault_is_found(house: House, chromium: Browser, planted: str, said: str) -> None:
    context = visiting(chromium, house, bypass_csp=True)
    context.add_init_script(LOOKED_AT)
    page = context.new_page()
    page.goto("/sign-in")
    page.add_style_tag(content=TRICK)
    page.evaluate("planted => document.querySelector('main').insertAdjacentHTML('beforeend', planted)", planted)
    assert any(said in each for each in faults(page))
