"""What is written at a table and not sent yet survives a reload, and leaves with its writer."""

from __future__ import annotations

from uuid import UUID

import pytest
from playwright.sync_api import Browser, Page, expect

from service.handlers import talk
from service.shared import clock
from tests.browser.chromium import House, visiting
from tests.builders import started
from tests.people import Person, alice, bob

WIDE = {"width": 1440, "height": 900}
KEPT = "Object.keys(localStorage).filter((name) => name.startsWith('draft:')).length"


@pytest.fixture
def people(house: House) -> list[Person]:
    return [alice(house.runtime.games, None), bob(house.runtime.games)]


@pytest.fixture
def game(house: House, people: list[Person]) -> UUID:
    return started(house.runtime.games, "new-corp-order", people).game.id


@pytest.fixture
def page(house: House, chromium: Browser, people: list[Person], game: UUID) -> Page:
    found = visiting(chromium, house, people[0], viewport=WIDE).new_page()
    found.goto(f"/games/{game}#talk")
    return found


def test_an_unsent_remark_survives_a_reload_and_is_forgotten_when_it_is_sent(page: Page) -> None:
    # given a remark that is not sent
    page.locator("#remark").fill("Good luck, and see you on Sunday")
    # when the page is loaded again
    page.reload()
    # then it is still there
    expect(page.locator("#remark")).to_have_value("Good luck, and see you on Sunday")
    # and once it is said, it is said and nothing is kept
    page.locator("#remark").press("Enter")
    expect(page.locator("#remarks .said").first).to_contain_text("Good luck")
    expect(page.locator("#remark")).to_have_value("")
    assert page.evaluate(KEPT) == 0


def test_a_remark_that_did_not_arrive_is_kept(page: Page, game: UUID) -> None:
    page.context.set_offline(True)
    page.locator("#remark").fill("Is anybody there?")
    page.locator("#remark").press("Enter")
    page.context.set_offline(False)
    page.goto("/")
    page.goto(f"/games/{game}#talk")
    expect(page.locator("#remark")).to_have_value("Is anybody there?")


def test_notes_that_were_written_elsewhere_meanwhile_are_not_overwritten_by_a_draft(
    house: House, people: list[Person], game: UUID, page: Page
) -> None:
    # given notes that are not saved, and others that are saved elsewhere
    page.goto(f"/games/{game}#orders")
    page.locator("#note").fill("Bob is honest")
    talk.note(house.runtime.games, game, people[0].id, "Bob bluffs", clock.now())
    # when the page is loaded again, and the draft is saved
    page.reload()
    expect(page.locator("#note")).to_have_value("Bob is honest")
    page.locator("#notes button").click()
    # then both are shown
    expect(page.locator("#notes .said")).to_have_text("Bob bluffs")
    expect(page.locator("#note")).to_have_value("Bob is honest")


def test_whoever_signs_out_leaves_no_draft(page: Page) -> None:
    page.locator("#remark").fill("A secret plan")
    assert page.evaluate(KEPT) == 1
    page.goto("/settings")
    page.locator("details.menu summary").click()
    page.locator("form[action='/sign-out'] button").first.click()
    page.wait_for_url("**/")
    assert page.evaluate(KEPT) == 0
