"""A finished game looked at again in a real browser: by keys, by the slider, played, and as a link to a moment."""

from __future__ import annotations

import re
from random import Random

import pytest
from playwright.sync_api import Browser, expect

from service.handlers.play import play_automaton
from service.handlers.sessions import let_in
from service.runtime import Runtime
from service.shared import clock
from service.store.games import Games, Position
from tests.browser.breadth import widths
from tests.browser.chromium import House, visiting, watched
from tests.builders import act, finished, later, now_at, started
from tests.live import listening
from tests.people import alice, bob, carol

WIDTHS = widths(360, 390, 640, 1024, 1440, 1920)
OVERFLOW = "document.documentElement.scrollWidth - innerWidth"
MARKED = "[...document.querySelectorAll('#felt .disc, #panels .num')].map(each => Number(each.textContent)).sort()"
NUMBERED = "[...document.querySelectorAll('#step .num')].map(each => Number(each.textContent)).sort()"


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
        expect(heading).to_have_text("Step 1 of 10 · The beginning")
        page.keyboard.press("ArrowRight")
        expect(heading).to_have_text("Step 2 of 10 · Turn 1")
        expect(page).to_have_url(re.compile(r"\?at=5&eyes=0$"))
        page.locator("#slider").fill("8")
        expect(heading).to_have_text("Step 9 of 10 · Turn 3")
        page.locator("#play").click()
        expect(heading).to_have_text("Step 10 of 10 · Turn 3")
        expect(page.locator("#play")).to_have_text("Play")
        page.locator("#ways [data-way=first]").click()
        expect(heading).to_have_text("Step 1 of 10 · The beginning")
        page.locator("#choices [data-eyes='2']").click()
        expect(page).to_have_url(re.compile(r"\?at=4&eyes=2$"))
        page.reload()
        expect(page.locator("#choices [aria-current]")).to_have_attribute("data-eyes", "2")
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        assert not complaints


def over(games: Games, position: Position) -> Position:
    """Play a game to its end at random, the turns of the automaton too."""
    chance = Random(0)
    while position.outcome is None:
        if position.ruleset.automaton(position.state) is None:
            seat = min(position.awaited)
            position = act(games, position, seat, chance.choice(position.ruleset.legal(position.state, seat))).position
        else:
            play_automaton(games, position.game.id)
            position = now_at(games, position.game.id)
    return position


@pytest.mark.parametrize(("ruleset", "seats"), [("new-corp-order", 2), ("new-corp-order", 1), ("sealed-bids", 3)])
def test_each_step_stands_on_the_board_with_the_numbers_of_its_lines(
    house: House, chromium: Browser, ruleset: str, seats: int
) -> None:
    games = house.runtime.games
    people = [alice(games, None), bob(games, None), carol(games, None)][:seats]
    position = over(games, started(games, ruleset, people))
    page = visiting(chromium, house, people[0], locale="en").new_page()
    complaints = watched(page)
    page.goto(f"/games/{position.game.id}/replay")
    steps = int(page.locator("#slider").get_attribute("max") or 0)
    numbered = 0
    for step in range(1, min(steps, 24) + 1):
        page.keyboard.press("ArrowRight")
        expect(page.locator("#step h2")).to_contain_text(f"Step {step + 1} of {steps + 1}")
        assert page.evaluate(MARKED) == page.evaluate(NUMBERED)
        numbered += len(page.evaluate(NUMBERED))
        expect(page.locator("#felt svg.board")).to_be_visible()
    assert numbered or ruleset == "sealed-bids"
    page.keyboard.press("End")
    expect(page.locator("#step h2")).to_contain_text(f"Step {steps + 1} of")
    assert page.locator("#ways [data-way=on]").get_attribute("href") is None
    page.keyboard.press("Home")
    expect(page.locator("#step h2")).to_contain_text("Step 1 of")
    page.keyboard.press("Space")
    expect(page.locator("#play")).to_have_text("Pause")
    expect(page.locator("#step h2")).to_contain_text("Step 2 of")
    page.keyboard.press("Space")
    expect(page.locator("#play")).to_have_text("Play")
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 844})
        assert page.evaluate(OVERFLOW) <= 0, width
    assert not complaints


def test_the_buttons_the_step_and_the_board_are_on_the_first_screen(house: House, chromium: Browser) -> None:
    games = house.runtime.games
    people = [alice(games, None), bob(games, None)]
    position = later(games, started(games, "new-corp-order", people), 4_000, 0)
    page = visiting(chromium, house, people[0], locale="de").new_page()
    page.goto(f"/games/{position.game.id}/replay?at=60")
    for width, height in ((390, 844), (1024, 768), (1440, 900)):
        page.set_viewport_size({"width": width, "height": height})
        for part in ("#ways", "#step .ev >> nth=0", "#felt svg.board"):
            box = page.locator(part).bounding_box()
            assert box is not None and box["y"] + box["height"] <= height, (width, part)


def test_without_a_script_a_replay_is_links_and_a_form(house: House, chromium: Browser) -> None:
    games = house.runtime.games
    people = [alice(games, None), bob(games, None)]
    position = later(games, started(games, "new-corp-order", people), 4_000, 0)
    page = visiting(chromium, house, people[0], locale="en", java_script_enabled=False).new_page()
    page.goto(f"/games/{position.game.id}/replay")
    expect(page.locator("#play")).to_be_hidden()
    expect(page.locator("#slider")).to_be_hidden()
    page.locator("#ways [data-way=on]").click()
    expect(page.locator("#step h2")).to_contain_text("Step 2 of")
    page.locator("#jump select").select_option(label="Turn 5")
    page.locator("#jump button").click()
    expect(page.locator("#step h2")).to_contain_text("Turn 5")
    page.locator("#moments a").first.click()
    expect(page.locator("#moments [aria-current]")).to_have_count(1)
    page.locator("#choices [data-eyes=spectator]").click()
    expect(page.locator("#felt [data-zone=hand]")).to_have_count(0)
    expect(page.locator("#curve .moment")).to_have_count(1)


SHARING = (
    """Object.defineProperty(navigator, "share", {value: async sent => { window.sent = sent; }, configurable: true})"""
)


def test_a_step_is_shared_by_the_device_or_else_its_address_is_copied(house: House, chromium: Browser) -> None:
    games = house.runtime.games
    people = [alice(games, None), bob(games, None)]
    position = later(games, started(games, "new-corp-order", people), 4_000, 0)
    context = visiting(chromium, house, people[1], locale="de", permissions=["clipboard-read", "clipboard-write"])
    page = context.new_page()
    complaints = watched(page)
    page.goto(f"/games/{position.game.id}/replay")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#step h2")).to_contain_text("Schritt 2 von")
    link = page.get_by_role("link", name="Schritt 2 teilen")
    address = link.evaluate("link => link.href")
    page.evaluate("delete Navigator.prototype.share")
    link.click()
    expect(page.get_by_role("status").filter(has_text="Der Link ist kopiert.")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == address == page.url
    page.evaluate(SHARING)
    link.click()
    assert page.evaluate("window.sent.url") == address
    assert not complaints

    guest = visiting(chromium, house, people[1], locale="de", java_script_enabled=False).new_page()
    guest.goto(address)
    expect(guest.locator("#step h2")).to_contain_text("Schritt 2 von")
    expect(guest.locator("#choices noscript p")).to_be_visible()
    guest.get_by_role("link", name="Schritt 2 teilen").click()
    expect(guest).to_have_url(address)
