"""Suppress turn mails to a player with the page of the table open; send them once the page is closed."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from uuid import UUID

import pytest
from playwright.sync_api import Browser, Page, expect
from sqlalchemy import text

from service.mail.preferences import PAGE_OPEN, SEEN_TURN_AGAIN_AFTER, SOLO_AWAY_AFTER
from service.store.games import Position
from tests.browser.chromium import House, visiting
from tests.builders import act, first_legal, started
from tests.people import Person, alice, bob
from tests.replying import delivered
from tests.seating import against, let_computers_play

_PASS = (
    text("update seat set looked_at = looked_at - cast(:passed as interval) where game_id = :game"),
    text(
        "update outbox set added_at = added_at - cast(:passed as interval), not_before = not_before -"
        " cast(:passed as interval) where game_id = :game and state = 'pending'"
    ),
)
_OPEN = 20_000
"""Milliseconds between two looks of a page, as in its script."""


def turn_mails(house: House, mailbox: Path, game: UUID, person: Person, after: timedelta = timedelta(0)) -> int:
    """Let time pass and everything be carried out that is due; return how many turn mails the person gets."""
    delivered(house.runtime, mailbox, game)
    with house.runtime.engine.begin() as db:
        for each in _PASS:
            db.execute(each, {"game": game, "passed": after})
    mails = delivered(house.runtime, mailbox, game)
    return sum(letter.kind == "turn" for letter in mails.get(person.email or "", []))


def shows(page: Page, position: Position) -> None:
    """Wait until the page shows a position."""
    expect(page.locator("#now")).to_have_attribute("data-version", str(position.version))


def bob_moves(house: House, position: Position) -> Position:
    """Let Bob play until it is Alice's turn."""
    while 0 not in position.awaited:
        position = act(house.runtime.games, position, 1, first_legal(position, 1)).position
    return position


@pytest.fixture
def people(house: House) -> list[Person]:
    return [alice(house.runtime.games), bob(house.runtime.games, None)]


def test_an_open_page_spares_the_mail(house: House, chromium: Browser, people: list[Person], mailbox: Path) -> None:
    position = started(house.runtime.games, "new-corp-order", people, **{"first-player": 1})
    page = visiting(chromium, house, people[0], locale="en").new_page()
    # given Alice's page of a table at which Bob is to move
    page.goto(f"/games/{position.game.id}")
    # when he moves
    position = bob_moves(house, position)
    # then her page shows her turn, and no mail tells of it; without a clock one does after a day, when she has gone
    shows(page, position)
    assert turn_mails(house, mailbox, position.game.id, people[0]) == 0
    page.close()
    assert turn_mails(house, mailbox, position.game.id, people[0], SEEN_TURN_AGAIN_AFTER / 2) == 0
    assert turn_mails(house, mailbox, position.game.id, people[0], SEEN_TURN_AGAIN_AFTER) == 1


def test_a_page_that_was_closed_before_the_turn_came_spares_no_mail(
    house: House, chromium: Browser, people: list[Person], mailbox: Path
) -> None:
    position = started(house.runtime.games, "new-corp-order", people, **{"first-player": 1})
    page = visiting(chromium, house, people[0], locale="en").new_page()
    page.goto(f"/games/{position.game.id}")
    page.close()
    position = bob_moves(house, position)
    assert turn_mails(house, mailbox, position.game.id, people[0]) == 0, "nobody knows yet that it is closed"
    assert turn_mails(house, mailbox, position.game.id, people[0], PAGE_OPEN) == 1
    assert turn_mails(house, mailbox, position.game.id, people[0], timedelta(days=3)) == 0


def test_a_page_behind_another_tab_spares_no_mail(
    house: House, chromium: Browser, people: list[Person], mailbox: Path
) -> None:
    position = started(house.runtime.games, "new-corp-order", people, **{"first-player": 1})
    context = visiting(chromium, house, people[0], locale="en")
    context.add_init_script("Object.defineProperty(document, 'hidden', { get: () => true })")
    page = context.new_page()
    page.goto(f"/games/{position.game.id}")
    position = bob_moves(house, position)
    # it follows, as its title tells of the turn
    shows(page, position)
    assert turn_mails(house, mailbox, position.game.id, people[0], PAGE_OPEN) == 1


def test_a_page_that_can_be_seen_says_so_now_and_then(house: House, chromium: Browser, people: list[Person]) -> None:
    position = started(house.runtime.games, "new-corp-order", people, **{"first-player": 1})
    page = visiting(chromium, house, people[0], locale="en").new_page()
    page.clock.install()
    page.goto(f"/games/{position.game.id}")
    expect(page.locator("#now")).to_be_attached()
    for _ in range(2):
        with page.expect_request(lambda request: "/live?" in request.url and "open=yes" in request.url):
            page.clock.run_for(_OPEN)


def test_alone_with_computer_players_one_mail_comes_after_an_hour_away(
    house: House, chromium: Browser, mailbox: Path
) -> None:
    games = house.runtime.games
    person = alice(games)
    position = let_computers_play(games, against(games, "new-corp-order", person, ["easy"]).game.id)
    page = visiting(chromium, house, person, locale="en").new_page()
    page.goto(f"/games/{position.game.id}")
    shows(page, position)
    page.close()
    # given an action of hers from elsewhere, after which the computer player moves
    decision = position.decision
    while position.decision == decision or 0 not in position.awaited:
        position = act(games, position, 0, first_legal(position, 0)).position
        position = let_computers_play(games, position.game.id)
    game = position.game.id
    assert turn_mails(house, mailbox, game, person, timedelta(minutes=50)) == 0
    assert turn_mails(house, mailbox, game, person, SOLO_AWAY_AFTER) == 1
    assert turn_mails(house, mailbox, game, person, timedelta(days=3)) == 0
