"""The browser of the tests leaves nothing behind that would disturb other tests."""

from __future__ import annotations

from playwright.sync_api import Browser

from tests.browser.chromium import House, for_one_test, visiting


def test_what_a_test_leaves_open_is_closed(house: House, running_chromium: Browser) -> None:
    with for_one_test(running_chromium):
        left = [visiting(running_chromium, house).new_page(), running_chromium.new_page()]
        left[0].goto("/")
    assert all(page.is_closed() for page in left)
    assert running_chromium.contexts == []
