"""A stranger plays against the computer in a browser, from the start page on."""

from __future__ import annotations

from playwright.sync_api import Browser, expect

from tests.browser.chromium import House, visiting


def test_a_game_against_the_computer_is_one_press_away(house: House, chromium: Browser) -> None:
    page = visiting(chromium, house).new_page()
    page.goto("/")
    page.get_by_role("button", name="Full game against the computer").first.click()
    expect(page.get_by_role("heading", name="Computer (normal)")).to_be_visible()
