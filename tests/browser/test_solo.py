"""A whole solo game at its page, in a real browser: with the script, by touching the board, and without any script."""

from __future__ import annotations

from pathlib import Path
from uuid import UUID

from playwright.sync_api import Browser, Locator, Page, expect

from service.handlers import lobby
from service.runtime import Runtime
from service.shared import clock
from tests.browser.chromium import House, visiting, watched
from tests.builders import now_at, table_for
from tests.letters import letters
from tests.live import listening
from tests.people import alice

MOST_STEPS = 400
OWN_TURN = "#act:not(.wait)"
"""What the page shows where an action is awaited."""
OVER = "#over:not([hidden]) form[action$='/play-again']"
"""How a game ends that one plays alone: with another one."""
CONFIRM = "#act .confirm:not(.undo) button"
PLACES = "#felt a.can[data-place], #panels a.can[data-place]"
CHOICES = (
    PLACES,
    "#act .parts:not(:has(.chosen)) a:visible",
    "#felt a.fails[data-place]",
    "#act .seg a:not([aria-current])",
)
"""What is pressed while nothing can be confirmed, the best first."""


def at_table(
    runtime: Runtime, browser: Browser, url: str, scripts: bool, email: str | None = None
) -> tuple[Page, UUID, list[str]]:
    """Alice's browser at a solo game that has just begun, and all that the browser complains of."""
    games = runtime.games
    person = alice(games, email)
    game = table_for(games, "new-corp-order", person, 1)
    lobby.start(games, game, person.id, clock.now())
    page = visiting(browser, House(url, runtime), person, java_script_enabled=scripts).new_page()
    complaints = watched(page)
    page.goto(f"/games/{game}")
    return page, game, complaints


def test_a_solo_game_is_played_to_its_end_without_a_script(runtime: Runtime, chromium: Browser) -> None:
    with listening(runtime) as url:
        page, game, complaints = at_table(runtime, chromium, url, scripts=False)
        confirm, steps = page.locator(CONFIRM), 0
        while now_at(runtime.games, game).game.status == "running":
            if not page.locator(OWN_TURN).count():
                # Chromium refuses to load a page again that is just being left.
                page.wait_for_load_state()
                page.reload()
                continue
            (confirm if confirm.count() else choice(page)).click()
            steps += 1
            assert steps < MOST_STEPS
        page.wait_for_load_state()
        page.reload()
        expect(page.locator(OVER)).to_be_visible()
        page.locator(".box .tabs [href='#points']").click()
        expect(page.locator("#standings tbody tr")).to_have_count(2)
        assert not complaints


def test_a_solo_game_is_played_on_the_board_with_the_script_the_page_follows_and_no_mail_comes(
    runtime: Runtime, chromium: Browser, mailbox: Path
) -> None:
    with listening(runtime) as url:
        page, game, complaints = at_table(runtime, chromium, url, scripts=True, email="alice@example.org")
        page.evaluate("() => { document.body.dataset.since = 'the beginning' }")
        assert _played(page, MOST_STEPS) > 10
        expect(page.locator(OVER)).to_be_visible()
        assert page.locator("body").get_attribute("data-since") == "the beginning", "the page was never loaded again"
        assert page.title() == "New Corp Order"
        assert not complaints
    assert letters(mailbox, game) == []


def test_the_board_is_touched_and_the_page_follows_the_opponents_move(runtime: Runtime, chromium: Browser) -> None:
    with listening(runtime) as url:
        page, _, complaints = at_table(runtime, chromium, url, scripts=True)
        assert _played(page, MOST_STEPS, until="#why:not([hidden]) li") > 0
        expect(page.locator("#news")).to_contain_text("Your move", timeout=20_000)
        assert page.title().startswith("●")
        assert page.evaluate("() => document.documentElement.scrollWidth") == 360
        assert page.locator("#moves .term").first.get_attribute("popovertarget")
        page.locator("button.term").first.click()
        expect(page.locator(".definition:popover-open")).to_have_count(1)
        assert not complaints


def choice(page: Page) -> Locator:
    """The last of what can be pressed: what is asked comes behind what has been picked for it."""
    return next(page.locator(each) for each in CHOICES if page.locator(each).count()).last


def _played(page: Page, steps: int, until: str = "#now[data-over=yes]") -> int:
    """Take Alice's steps, on the board where it can be; return how often it was touched."""
    confirm = page.locator(CONFIRM)
    places, touched = page.locator(PLACES), 0
    for _ in range(steps):
        expect(page.locator(f"{OWN_TURN}, #now[data-over=yes]").first).to_be_attached(timeout=20_000)
        if page.locator(until).count():
            break
        if confirm.count():
            confirm.click()
        elif places.count():
            places.last.focus()
            places.last.press("Enter")
            touched += 1
        else:
            choice(page).click()
        expect(page.locator("#table")).to_have_attribute("aria-busy", "false")
    return touched
