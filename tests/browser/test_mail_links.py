"""A game on a phone by nothing but the links in the mails: no account, no cookie, with and without scripts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from uuid import UUID

import pytest
from playwright.sync_api import Browser, Locator, Page

from tests.browser.chromium import House, visiting, watched
from tests.browser.test_solo import CONFIRM, choice
from tests.builders import now_at, started
from tests.e2e.test_a_game_by_mail_links import delivered, doors, told_the_end
from tests.letters import Letter
from tests.people import alice, bob
from workers.relay import Relay

MOST_TAPS = 3
"""By a link of a move, or by the list of all moves."""
MOST_ON_BOARD = 9
"""By the board: the link, the parts of the action, the button, and perhaps the second one."""
DONE = ("Your move has been played", "Dein Zug ist gespielt")
SURE = "#act .confirm:has([name=sure]) button"
"""The second button, of what cannot be taken back."""
KIND = "a[href*='/all/']:visible"
LISTED = ".actions button"
ONWARD = "#act .l2 > a.strong"
"""The link to the same player's next decision."""


def tap(page: Page, what: str | Locator, chance: Random | None = None) -> int:
    """Tap one of what is there, the first unless by chance, and look at where that leads; return 1, for counting."""
    found = page.locator(what) if isinstance(what, str) else what
    with page.expect_navigation():
        found.nth(chance.randrange(found.count()) if chance else 0).tap()
    return 1


def moved(page: Page, chance: Random) -> tuple[int, bool]:
    """Play one move of those that the mail, or the page behind it, offers; return the taps, and whether on the board.

    Behind a link of a move is its preview, and behind the link of all moves are their buttons.
    """
    taps = 0
    ways = [way for way in ("a.move", KIND, "a.button:not(main a)") if page.locator(way).count()]
    way = chance.choice(ways) if ways else None
    if way:
        taps += tap(page, way, chance)
    assert page.evaluate("() => document.documentElement.scrollWidth") == 360
    on_board = not page.locator(f"{LISTED}, {CONFIRM}").count()
    if way == KIND:
        taps += tap(page, LISTED, chance)
    else:
        while not page.locator(CONFIRM).count():
            taps += tap(page, choice(page))
            assert taps < MOST_ON_BOARD
        taps += tap(page, CONFIRM)
    if page.locator(SURE).count():
        taps += tap(page, SURE)
    assert any(said in page.locator("main").inner_text() for said in DONE)
    return taps, on_board


def turn(page: Page, letter: Letter, mailbox: Path, chance: Random) -> Iterator[tuple[int, bool]]:
    """Play from the mail on until it is somebody else's move; yield what each move took, as `moved` has it."""
    kept = mailbox / "read.eml"
    kept.write_bytes(letter.raw)
    page.goto(f"/mailbox/{kept.name}/html")
    kept.unlink()
    yield moved(page, chance)
    while page.locator(ONWARD).count():
        onward = tap(page, ONWARD)
        taps, on_board = moved(page, chance)
        yield onward + taps, on_board


@pytest.mark.parametrize("scripts", [False, True])
def test_two_people_play_to_the_end_on_their_phones_and_no_listed_move_takes_more_than_three_taps(
    house: House, chromium: Browser, mailbox: Path, scripts: bool
) -> None:
    games, relay, chance = house.runtime.games, Relay(house.runtime), Random(5)
    game: UUID = started(games, "new-corp-order", [alice(games), bob(games)]).game.id
    phone = visiting(chromium, house, java_script_enabled=scripts, has_touch=True, is_mobile=True)
    page, taps, mails = phone.new_page(), [], []
    complaints = watched(page)
    while arrived := delivered(house.runtime, relay, mailbox, game):
        for letter in arrived:
            mails.append(letter)
            taps += turn(page, letter, mailbox, chance) if letter.asks else ()
    assert now_at(games, game).game.status == "finished"
    assert doors(house.runtime, game) == {"link"}
    assert told_the_end(mails) == {"alice@example.org": 1, "bob@example.org": 1}
    assert len(taps) > 20
    listed, on_board = ([each for each, way in taps if way is wanted] for wanted in (False, True))
    assert max(listed) <= MOST_TAPS
    assert on_board and max(on_board) <= MOST_ON_BOARD
    assert not phone.cookies()
    assert not complaints
