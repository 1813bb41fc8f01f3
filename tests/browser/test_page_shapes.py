"""Every page fits its window at every width and in every language, can be pressed, is read, and is light."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from playwright.sync_api import Browser, Page, Request, expect

from service.handlers import invitations, lobby
from service.handlers.invitations import ByMail
from service.rules.pace import PACES
from service.shared import clock
from service.store.game_row import Terms
from tests.browser.breadth import LANGUAGES, widths
from tests.browser.chromium import House, visiting
from tests.builders import finished, later, started, table_for
from tests.people import Person, bob, carol, register
from tests.timed import timed

WIDTHS = widths(1440, 1024, 640, 390, 360)
BUDGET, SCRIPTS = 120 * 1024, 30 * 1024
"""Bytes of the first view of a page, as they are sent, and of the scripts in it, as they are."""
LONG = "Donnerstagabendgesellschaft am großen Konferenztisch im Erdgeschoss"[:60]
PUBLIC = (
    "/",
    "/play/new-corp-order",
    "/play/new-corp-order/learn/2",
    "/games/open",
    "/rules",
    "/rules/new-corp-order",
    "/pace",
    "/sign-in",
    "/verify",
    "/nowhere",
    "/offline",
)
OWN = (
    "/",
    "/games",
    "/games/alone",
    "/games/new",
    "/settings",
    "/settings/mail",
    "/settings/channels",
    "/settings/away",
    "/settings/programs",
    "/settings/webhooks",
    "/games/open",
)
SHAPES = (Path(__file__).parent / "pages.js").read_text()
OVERFLOW = "() => document.documentElement.scrollWidth - innerWidth"
CUT = """() => Math.max(0, ...[...document.querySelectorAll(".top nav")].map(
  (each) => each.scrollWidth - each.clientWidth))"""


@pytest.fixture(scope="module")
def player(house: House) -> Person:
    """A player with a game of each kind: to move, waiting for others, not begun, and over."""
    games = house.runtime.games
    me = register(games, "Wilhelmina Oberhauser-Montgomery", f"{uuid4().hex}@example.org", "en")
    others = [bob(games), carol(games)]
    timed(games, [me, *others], PACES["brisk"])
    started(games, "new-corp-order", [me])
    started(games, "new-corp-order", [me, others[0]], **{"first-player": 1})
    finished(games, started(games, "sealed-bids", [me, *others]))
    table = table_for(games, "new-corp-order", me, 4, Terms(name=LONG, access="public", pace=PACES["daily"]))
    lobby.join(games, table, others[0].id, clock.now())
    invitations.invite(games, table, me.id, ByMail(f"{uuid4().hex}@example.org"), clock.now(), None)
    return Person(me.id, str(table), me.name, me.email, me.language)


def faults(page: Page, paths: tuple[str, ...], language: str) -> Iterator[str]:
    """Yield what is wrong with the pages in a language, at each width."""
    for path in paths:
        page.goto(f"{path}?language={language}")
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 900})
            wide = page.evaluate(OVERFLOW)
            if wide > 0:
                yield f"{path} at {width}: {wide} pixels too wide"
            if (cut := page.evaluate(CUT)) > 0:
                yield f"{path} at {width}: {cut} pixels of the navigation are out of sight"
        yield from (f"{path}: {each}" for each in page.evaluate("() => tooSmall()"))


def looking(chromium: Browser, house: House, person: Person | None = None, **more: Any) -> Page:
    """Return a page of a browser that knows what is too small."""
    context = visiting(chromium, house, person, **more)
    context.add_init_script(SHAPES)
    return context.new_page()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_fits_every_width_and_can_be_pressed_and_read(
    house: House, chromium: Browser, player: Person, language: str
) -> None:
    assert list(faults(looking(chromium, house), PUBLIC, language)) == []
    assert list(faults(looking(chromium, house, player), (*OWN, f"/games/{player.token}"), language)) == []


def test_a_page_that_is_too_wide_or_too_small_is_found(house: House, chromium: Browser) -> None:
    page = looking(chromium, house, bypass_csp=True)
    page.goto("/sign-in")
    assert page.evaluate("() => tooSmall()") == []
    page.add_style_tag(content="main button { min-height: 30px } h1 { font-size: 11px; min-width: 500px }")
    found = page.evaluate("() => tooSmall()")
    assert any("button" in each for each in found) and any("text of 11px" in each for each in found)
    assert page.evaluate(OVERFLOW) > 0


@pytest.mark.parametrize("path", ["/", "/games", "a table"])
def test_the_first_view_is_light_has_one_style_and_asks_nobody_else(
    house: House, chromium: Browser, player: Person, path: str
) -> None:
    style = "style.css"
    if path == "a table":
        games = house.runtime.games
        position = later(games, started(games, "new-corp-order", [player, bob(games), carol(games)]), 40, 0)
        path, style = f"/games/{position.game.id}", "table.css"
    page = visiting(chromium, house, player).new_page()
    answers: list[Request] = []

    def note(answered: Request) -> None:
        answers.append(answered)

    page.on("requestfinished", note)
    page.goto(path)
    page.wait_for_function("() => document.fonts.check('800 20px Archivo')")
    assert all(each.url.startswith((house.url, "data:")) for each in answers)
    sizes = {each.url: each.sizes()["responseBodySize"] for each in answers if each.url.startswith(house.url)}
    print(f"{sum(sizes.values()) / 1024:.1f} KiB in {len(sizes)} files")
    assert 0 < sum(sizes.values()) <= BUDGET, sizes
    assert [url.rpartition("/")[2] for url in sizes if url.endswith(".css")] == [style]
    scripts = [each.response() for each in answers if each.url.endswith((".js", ".mjs"))]
    assert 0 < sum(len(each.body()) for each in scripts if each is not None) <= SCRIPTS


def test_the_rows_of_my_games_are_walked_with_j_and_k(house: House, chromium: Browser, player: Person) -> None:
    page = visiting(chromium, house, player).new_page()
    page.goto("/games")
    covers = page.locator(".gm-row .cover")
    page.keyboard.press("j")
    expect(covers.nth(0)).to_be_focused()
    page.keyboard.press("j")
    expect(covers.nth(1)).to_be_focused()
    page.keyboard.press("k")
    expect(covers.nth(0)).to_be_focused()
    address = covers.nth(0).get_attribute("href")
    page.keyboard.press("Enter")
    expect(page.locator("#felt")).to_be_visible()
    assert address is not None and page.url.endswith(address)


def test_without_a_connection_the_page_of_the_worker_is_shown(house: House, chromium: Browser, player: Person) -> None:
    context = visiting(chromium, house, player)
    page = context.new_page()
    page.goto("/games")
    page.wait_for_function("() => navigator.serviceWorker.controller || caches.match('/offline')")
    page.evaluate("() => navigator.serviceWorker.ready.then(() => null)")
    page.reload()
    context.set_offline(True)
    page.goto("/settings")
    expect(page.get_by_role("heading", level=1)).to_have_text("No connection")
    context.set_offline(False)
    page.get_by_role("link", name="Try again").click()
    expect(page.locator(".gm-row").first).to_be_visible()


def test_a_choice_of_a_new_game_shows_what_goes_with_it_and_needs_no_script(
    house: House, chromium: Browser, player: Person
) -> None:
    page = visiting(chromium, house, player, java_script_enabled=False).new_page()
    page.goto("/games/new")
    expect(page.get_by_label("Mail addresses")).to_be_visible()
    page.get_by_label("With everybody").check()
    expect(page.get_by_label("Mail addresses")).to_be_hidden()
    expect(page.get_by_label("Weekly")).to_be_visible()
    page.get_by_label("Alone").check()
    expect(page.get_by_label("Weekly")).to_be_hidden()
    page.get_by_role("button", name="Create the game").click()
    expect(page.locator("#felt svg.board")).to_be_visible()
