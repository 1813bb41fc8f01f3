"""Tables in all situations: no overflow at any width in any language, large enough to press and read, short motion."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from random import Random
from types import MappingProxyType

import pytest
from playwright.sync_api import Browser, Page, expect

from service.app import create_app
from service.rules.games.new_corp_order import RULESET
from service.rules.games.new_corp_order.terms import COLOURS
from service.rules.tabletop.table import Table
from service.web.play.board_view import Overlay, view_board
from service.web.play.panels import colour_of
from tests.browser.breadth import LANGUAGES, widths
from tests.browser.chromium import House, visiting
from tests.builders import act, later, now_at, started
from tests.people import Person, register
from tests.rules.new_corp_order.support import ADVISOR, AMBIENT, CONTRACTOR, DEALMAKER, HQ, LAWYER, PRINT, case, table

NAMES = ("Alice", "Bob", "Carol")
WIDTHS = widths(1440, 1024, 640, 390, 360)
SHAPES = (Path(__file__).parent / "pages.js").read_text()
OVERFLOW = "() => document.documentElement.scrollWidth - innerWidth"
SMALL_TEXTS = """() => [...document.querySelectorAll("svg.board text")].filter((each) => {
  const { display, fontSize } = getComputedStyle(each);
  return display !== "none" && parseFloat(fontSize) * each.getScreenCTM().d < 11.9;
}).map((each) => each.textContent)"""
LASTING = """() => document.getAnimations().map((each) => each.effect.getComputedTiming()).filter(
  (timing) => timing.duration > 200 || timing.iterations > 1)"""
DURATIONS = """() => [...document.querySelectorAll("*")].flatMap((each) => {
  const style = getComputedStyle(each);
  return [...style.transitionDuration.split(","), ...style.animationDuration.split(",")].map(parseFloat);
}).filter((seconds) => seconds > .2)"""
TOUCHING = """([what, gap]) => {
  const shown = [...document.querySelectorAll(what)].filter((each) => each.offsetWidth);
  const boxes = shown.map((each) => each.getBoundingClientRect());
  return shown.filter((_, at) => boxes.some((other, next) => next > at && boxes[at].left < other.right + gap
    && other.left < boxes[at].right + gap && boxes[at].top < other.bottom && other.top < boxes[at].bottom))
    .map((each) => each.textContent || each.ariaLabel);
}"""
CROWDED = (
    (
        HQ({"black": 2}, {"black": 2, "blue": 1}, {"blue": 1}, [DEALMAKER]),
        {"red": 2, "black": 2, "blue": 1, "white": 1},
    ),
    (HQ({"red": 1, "blue": 1, "white": 1}, {"white": 1}, {}, [ADVISOR]), {"black": 1, "red": 1, "white": 4}),
    (HQ({"black": 2, "blue": 2}, {"black": 1, "blue": 1}, {}, [LAWYER, DEALMAKER]), {"black": 2, "red": 2, "white": 2}),
    (
        HQ(
            {"red": 1, "black": 1, "white": 3},
            {"red": 1, "black": 2, "blue": 2},
            {"red": 2, "blue": 1},
            [ADVISOR, LAWYER, CONTRACTOR],
        ),
        {"white": 1, "black": 1, "red": 3, "blue": 1},
    ),
)
"""Pairs of an HQ and a hand that take most of the row of own pieces."""
SOME_CARDS: Mapping[str, int] = MappingProxyType({"red": 2, "white": 1})
MOVES = 80


@pytest.fixture(scope="module")
def people(house: House) -> list[Person]:
    """Three people with long names who read English."""
    names = ("Wilhelmina Oberhauser-Montgomery", "Bob", "Carolina Fernández de la Vega")
    return [register(house.runtime.games, name, None, "en") for name in names]


@pytest.fixture(scope="module")
def tables(house: House, people: list[Person]) -> dict[str, tuple[str, Person | None]]:
    """The address of a table in each situation, and who looks at it."""
    games = house.runtime.games
    played = later(games, started(games, "new-corp-order", people), MOVES, 0)
    seat = min(played.awaited)
    page, chosen = f"/games/{played.game.id}", played.ruleset.legal(played.state, seat)[-1]
    notation = f"{page}?decision={played.decision}&notation={played.ruleset.notate(chosen).replace(' ', '+')}"
    alone = later(games, started(games, "new-corp-order", people[:1]), 12, 0)
    over = later(games, started(games, "new-corp-order", people[:2]), 4_000, 0)
    bids = started(games, "sealed-bids", people)
    return {
        "to move": (page, people[seat]),
        "preview": (notation, people[seat]),
        "waiting": (page, people[(seat + 1) % 3]),
        "watching": (page, None),
        "alone": (f"/games/{alone.game.id}", people[0]),
        "over": (f"/games/{over.game.id}", people[0]),
        "another game": (f"/games/{bids.game.id}", people[0]),
    }


def faults(page: Page, path: str, language: str) -> Iterator[str]:
    """Yield what is wrong with a table in a language, at each width."""
    page.goto(f"{path}{'&' if '?' in path else '?'}language={language}")
    expect(page.locator("svg.board")).to_be_attached()
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 844})
        wide = page.evaluate(OVERFLOW)
        if wide > 0:
            yield f"at {width}: {wide} pixels too wide"
        yield from (f"at {width}: small text {each}" for each in page.evaluate(SMALL_TEXTS))
        yield from (f"at {width}: {each}" for each in page.evaluate("() => tooSmall()"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_table_fits_every_width_and_can_be_pressed_and_read(
    house: House, chromium: Browser, tables: dict[str, tuple[str, Person | None]], language: str
) -> None:
    for situation, (path, person) in tables.items():
        context = visiting(chromium, house, person)
        context.add_init_script(SHAPES)
        assert list(faults(context.new_page(), path, language)) == [], situation
        context.close()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("colours", [("red", "black"), COLOURS])
def test_the_labels_of_piles_that_lie_side_by_side_do_not_touch(
    house: House, chromium: Browser, tables: dict[str, tuple[str, Person | None]], language: str, colours: Sequence[str]
) -> None:
    path, person = tables["to move"]
    page = visiting(chromium, house, person).new_page()
    page.goto(f"{path}?language={language}")
    hq = HQ(dict.fromkeys(colours, 3), dict.fromkeys(colours, 2), {colours[0]: 1})
    page.locator(".dock").evaluate("(dock, drawn) => { dock.innerHTML = drawn; }", own_zones(house, hq, language))
    assert page.locator(".dock .rotated .count").count() == len(colours)
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 844})
        assert page.evaluate(TOUCHING, [".dock .count", 2]) == [], width


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("hq", "hand"), CROWDED)
def test_at_a_desk_all_own_pieces_lie_in_one_row(
    house: House,
    chromium: Browser,
    tables: dict[str, tuple[str, Person | None]],
    hq: HQ,
    hand: dict[str, int],
    language: str,
) -> None:
    path, person = tables["to move"]
    page = visiting(chromium, house, person, viewport={"width": 1440, "height": 900}).new_page()
    page.goto(f"{path}?language={language}")
    page.locator(".dock").evaluate("(dock, drawn) => { dock.innerHTML = drawn; }", own_zones(house, hq, language, hand))
    zones = [each.bounding_box() for each in page.locator(".dock .zone").all()]
    assert len({each["y"] for each in zones if each}) == 1
    assert page.evaluate(TOUCHING, [".dock .piece", 0]) == []


def test_words_beside_icons_take_one_line_where_there_is_room(
    house: House, chromium: Browser, people: list[Person]
) -> None:
    position = later(house.runtime.games, started(house.runtime.games, "bastards-inc", people), 1, 0)
    page = visiting(chromium, house, people[0], viewport={"width": 1440, "height": 900}).new_page()
    for language in LANGUAGES:
        page.goto(f"/games/{position.game.id}?language={language}")
        words = [each.bounding_box() for each in page.locator(".dock .as-icon > .word").all()]
        assert len(words) == 3 and all(each and each["height"] < 20 for each in words), language


def own_zones(house: House, hq: HQ, language: str, hand: Mapping[str, int] = SOME_CARDS) -> str:
    """The row of a reader's own pieces, as the page of a table has it, with this in the HQ and in the hand."""
    given = case.given(*table(3, hqs=[hq], hands=[hand], objectives=[(PRINT, AMBIENT)]))
    lying = view_board(
        Table(RULESET, given.state, 3, 0, language, NAMES), None, Overlay(()), partial(colour_of, 0), language
    )
    app = create_app(house.runtime)
    with app.app_context():
        macros = app.jinja_env.get_template("play/table/_macros.html").module
        return "".join(macros.zone(each) for each in lying.own)  # type: ignore[attr-defined] # a macro


def test_cards_with_words_lie_side_by_side_where_there_is_room(
    house: House, chromium: Browser, tables: dict[str, tuple[str, Person | None]]
) -> None:
    path, person = tables["another game"]
    page = visiting(chromium, house, person).new_page()
    page.goto(path)
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 844})
        cards = [each.bounding_box() for each in page.locator("[data-zone=hand] .piece").all()]
        assert len({round(each["y"]) for each in cards if each}) == 1, width


def test_the_sheet_of_a_phone_is_low_with_its_button_in_sight(
    house: House, chromium: Browser, tables: dict[str, tuple[str, Person | None]]
) -> None:
    path, person = tables["preview"]
    for height in (844, 640):
        page = visiting(chromium, house, person, viewport={"width": 390, "height": height}).new_page()
        page.goto(path)
        sheet, button = (page.locator(each).bounding_box() for each in ("#act", "#act .strong"))
        assert sheet and button
        assert height - sheet["y"] <= 0.4 * height + 1
        assert sheet["y"] <= button["y"] and button["y"] + button["height"] <= height


def test_no_motion_lasts_longer_than_a_fifth_of_a_second_or_repeats(
    house: House, chromium: Browser, people: list[Person]
) -> None:
    games, chance = house.runtime.games, Random(3)
    position = started(games, "new-corp-order", people, **{"first-player": 0})
    while position.version < MOVES or 0 not in position.awaited:
        seat = min(position.awaited)
        act(games, position, seat, chance.choice(position.ruleset.legal(position.state, seat)))
        position = now_at(games, position.game.id)
    page = visiting(chromium, house, people[0], viewport={"width": 1440, "height": 900}).new_page()
    page.goto(f"/games/{position.game.id}")
    assert page.evaluate(DURATIONS) == []
    if page.locator("#moves .again").count():
        page.locator("#moves .again").click()
        assert page.evaluate(LASTING) == []
