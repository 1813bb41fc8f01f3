"""A game on a phone by nothing but the links in the mails: no account, no cookie, with and without scripts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from uuid import UUID

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.chromium import House, visiting, watched
from tests.builders import now_at, started
from tests.e2e.test_a_game_by_mail_links import delivered, doors, told_the_end
from tests.letters import Letter
from tests.people import alice, bob
from workers.relay import Relay

MOST_TAPS = 3
DONE = {"Your action has been played", "Deine Aktion ist gespielt"}
SINGLE = ".answers a:not(:has(small))"
"""The answers after which nothing more is asked."""
CONFIRM = ".confirm button"
SURE = ".confirm:has([name=sure]) button"
"""The second button, of what cannot be taken back."""
KIND = "a[href*='/all/']"
LISTED = ".actions button"


def tap(page: Page, what: str, chance: Random | None = None) -> int:
    """Tap one of what is there, the first unless by chance, and look at where that leads; return 1, for counting."""
    found = page.locator(what)
    with page.expect_navigation():
        found.nth(chance.randrange(found.count()) if chance else 0).tap()
    return 1


def moved(page: Page, chance: Random) -> int:
    """Play one move of those that the mail, or a page behind it, offers; return the taps that it took."""
    taps = 0
    ways = [way for way in ("a.move", KIND, "a.button:not(main a)") if page.locator(way).count()]
    way = chance.choice(ways) if ways else None
    if way:
        taps += tap(page, way, chance)
    assert page.evaluate("() => document.documentElement.scrollWidth") == 360
    taps += tap(page, "main .actions button", chance) if way == KIND else picked(page, chance)
    if page.locator(SURE).count():
        taps += tap(page, SURE)
    assert page.locator("h1").inner_text() in DONE
    return taps


def picked(page: Page, chance: Random) -> int:
    """Pick an action, or press its button: that of its page, or one of the list of all; return the taps."""
    if page.locator(CONFIRM).count():
        return tap(page, CONFIRM)
    taps = tap(page, chance.choice([way for way in (SINGLE, LISTED) if page.locator(way).count()]), chance)
    if page.locator(CONFIRM).count() and not page.locator(SURE).count():
        taps += tap(page, CONFIRM)
    return taps


def turn(page: Page, letter: Letter, mailbox: Path, chance: Random) -> Iterator[int]:
    """Play from the mail on until it is somebody else's move; yield the taps that each move took."""
    kept = mailbox / "read.eml"
    kept.write_bytes(letter.raw)
    page.goto(f"/mailbox/{kept.name}/html")
    kept.unlink()
    yield moved(page, chance)
    while page.locator("p > a[href^='/t/']").count():
        onward = tap(page, "p > a[href^='/t/']")
        yield onward + moved(page, chance)


@pytest.mark.slow
@pytest.mark.parametrize("scripts", [False, True])
def test_two_people_play_to_the_end_on_their_phones_and_no_move_takes_more_than_three_taps(
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
    assert max(taps) <= MOST_TAPS
    assert not phone.cookies()
    assert not complaints
