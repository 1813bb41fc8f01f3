"""A table in a browser: board first, all that matters in sight, chosen by places and keys, marks that match the log."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from service.rules.games.new_corp_order.actions import Infiltrate
from service.store.games import Position
from tests.browser.chromium import House, visiting
from tests.builders import act, later, now_at, started
from tests.people import Person, register

IN_SIGHT = "each => { const box = each.getBoundingClientRect(); return box.top >= 0 && box.bottom <= innerHeight + 1; }"
WIDE = "each => each.getBoundingClientRect().width / innerWidth"
SMALL_TEXTS = """() => [...document.querySelectorAll("svg.board text")].filter((each) => {
  const size = parseFloat(getComputedStyle(each).fontSize) * each.getScreenCTM().d;
  return getComputedStyle(each).display !== "none" && size < 11.9;
}).map((each) => each.textContent)"""
CONFIRM = "#act .confirm:not(.undo) button.strong"


@pytest.fixture
def people(house: House) -> list[Person]:
    """Alice, Bob, Carol and Dora, who all read English."""
    games = house.runtime.games
    return [register(games, name, None, "en") for name in ("Alice", "Bob", "Carol", "Dora")]


def table(house: House, people: list[Person], actions: int = 30) -> tuple[Position, int]:
    """A game that has gone on for a while, and the seat that is to act."""
    position = later(house.runtime.games, started(house.runtime.games, "new-corp-order", people), actions, 0)
    return position, min(position.awaited)


def seated(
    chromium: Browser, house: House, position: Position, people: list[Person], seat: int, **wanted: object
) -> Page:
    """The page of the game for the player of a seat."""
    page = visiting(chromium, house, people[seat], **wanted).new_page()
    page.goto(f"/games/{position.game.id}")
    return page


@pytest.mark.parametrize("seats", [3, 4])
def test_at_a_desk_the_board_comes_first_and_all_that_matters_is_in_sight(
    house: House, chromium: Browser, people: list[Person], seats: int
) -> None:
    position, seat = table(house, people[:seats])
    page = seated(chromium, house, position, people, seat, viewport={"width": 1440, "height": 900})
    assert page.locator("svg.board").evaluate(WIDE) >= 0.45
    assert page.locator("#felt").evaluate(WIDE) >= 0.58
    for part in ("#act", "svg.board", ".dock", *(f"#panel-{each}" for each in range(seats))):
        assert page.locator(part).evaluate(IN_SIGHT), part


@pytest.mark.parametrize("width", [1440, 1024, 640, 390, 360])
def test_nothing_overflows_and_texts_of_the_board_can_be_read(
    house: House, chromium: Browser, people: list[Person], width: int
) -> None:
    position, seat = table(house, people[:3])
    page = seated(chromium, house, position, people, seat, viewport={"width": width, "height": 800})
    assert page.evaluate("() => document.documentElement.scrollWidth - innerWidth") <= 0
    assert page.evaluate(SMALL_TEXTS) == []


def test_on_a_phone_the_sheet_leaves_the_board_free(house: House, chromium: Browser, people: list[Person]) -> None:
    position, seat = table(house, people[:3])
    page = seated(chromium, house, position, people, seat, viewport={"width": 390, "height": 844})
    for part in ("svg.board", "[data-zone=display]", "#strip", "#act .say"):
        assert page.locator(part).evaluate(IN_SIGHT), part
    sheet = page.locator("#act").bounding_box()
    board = page.locator("svg.board").bounding_box()
    assert sheet and board and sheet["height"] <= 0.4 * 844
    assert board["y"] + board["height"] <= sheet["y"]


def test_the_focus_follows_the_question_and_escape_undoes_the_choice(
    house: House, chromium: Browser, people: list[Person]
) -> None:
    position, seat = table(house, people[:3])
    page = seated(chromium, house, position, people, seat, viewport={"width": 1440, "height": 900})
    places = page.locator("#felt a[data-place]")
    for _ in range(8):
        page.keyboard.press("Tab")
        if page.evaluate("() => document.activeElement.matches('#felt a[data-place]')"):
            break
    assert page.evaluate("() => document.activeElement.matches('#felt a[data-place]')")
    before = places.count()
    page.keyboard.press("Enter")
    expect(page.locator("#act")).to_be_focused()
    chosen = page.url
    page.keyboard.press("Enter")
    assert page.url == chosen, "a second Enter undoes nothing"
    page.keyboard.press("Escape")
    expect(page.locator("#act .cancel, #act .confirm:not(.undo)")).to_have_count(0)
    assert places.count() == before


def numbers(page: Page, where: str) -> list[str]:
    """The numbers of marks or lines, or points."""
    return sorted(page.locator(where).evaluate_all("found => found.map((each) => each.textContent.trim())"))


def test_the_numbers_on_the_board_are_those_of_the_log_until_the_next_own_move(
    house: House, chromium: Browser, people: list[Person]
) -> None:
    games = house.runtime.games
    position = started(games, "new-corp-order", people[:3], **{"first-player": 0})
    seen = False
    # Cards that are taken mark nothing: on goes the game until another seat has placed agents since Alice's last move.
    while position.version < 60 or 0 not in position.awaited or not seen:
        seat = min(position.awaited)
        legal = position.ruleset.legal(position.state, seat)
        action = next((each for each in legal if isinstance(each, Infiltrate)), legal[-1])
        seen = seat != 0 and (seen or isinstance(action, Infiltrate))
        act(games, position, seat, action)
        position = now_at(games, position.game.id)
    page = seated(chromium, house, position, people, 0, viewport={"width": 1440, "height": 900})
    drawn = [*numbers(page, "#felt .disc"), *numbers(page, "#panels .num")]
    assert drawn, "the others have moved since"
    assert sorted(drawn) == numbers(page, "#moves .ev .num")
    while 0 in position.awaited:
        act(games, position, 0, position.ruleset.legal(position.state, 0)[0])
        position = now_at(games, position.game.id)
    page.goto(f"/games/{position.game.id}")
    if position.awaited:
        expect(page.locator("#act.wait")).to_be_visible()
    expect(page.locator("#felt .disc, #panels .num, #moves .ev .num, #moves .ev.new")).to_have_count(0)


def test_a_takeover_that_fails_says_so_at_the_button(house: House, chromium: Browser, people: list[Person]) -> None:
    position, seat = table(house, people[:3])
    page = seated(chromium, house, position, people, seat, viewport={"width": 1440, "height": 900})
    while not page.locator("#felt a.place.fails").count():
        action = position.ruleset.legal(position.state, seat)[-1]
        act(house.runtime.games, position, seat, action)
        position = now_at(house.runtime.games, position.game.id)
        seat = min(position.awaited)
        page = seated(chromium, house, position, people, seat, viewport={"width": 1440, "height": 900})
    points = numbers(page, "#panels .points")
    page.locator("#felt a.place.fails").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#act a.strong")).to_have_text("Choose another")
    expect(page.locator("#act .confirm:not(.undo) button")).to_have_text("Play it anyway")
    expect(page.locator("#act .confirm:not(.undo) button.strong")).to_have_count(0)
    expect(page.locator("#felt .verdict")).to_contain_text("Fails")
    dashes = "each => getComputedStyle(each.querySelector('.line')).strokeDasharray"
    assert page.locator("#felt .ring.fails").first.evaluate(dashes) != "none"
    expect(page.locator("#panels ins")).to_have_count(0)
    assert numbers(page, "#panels .points") == points


def test_nothing_moves_for_readers_who_want_no_motion(house: House, chromium: Browser, people: list[Person]) -> None:
    position, seat = table(house, people[:3])
    page = seated(chromium, house, position, people, seat, reduced_motion="reduce")
    page.locator("#felt a[data-place]").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#act")).to_be_focused()
    assert page.evaluate("() => document.getAnimations().length") == 0
