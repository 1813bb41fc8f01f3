"""Whoever opens every address of every mail in a browser, scripts and all, as mail scanners do, changes nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.chromium import House, visiting, watched
from tests.builders import sealed_bids, started
from tests.people import alice, bob
from tests.service.test_links_leak_nothing import mailed, urls
from tests.service.test_mail_turns import dump


@pytest.mark.slow
@pytest.mark.parametrize("seconds", [1, 10])
def test_every_address_of_every_mail_may_be_opened(
    house: House, chromium: Browser, mailbox: Path, seconds: int
) -> None:
    games = house.runtime.games
    tables = [started(games, "new-corp-order", [alice(games), bob(games)]), sealed_bids(games)]
    mails = mailed(house.runtime, mailbox, *tables)
    addresses = sorted({url for mail in mails for url in urls(mail) if url.startswith(house.url)})
    assert len(mails) >= 4 and len(addresses) > 15
    before = dump(games)
    context = visiting(chromium, house)
    pages = [context.new_page() for _ in addresses]
    complaints = [each for page in pages for each in [watched(page)]]
    for page, url in zip(pages, addresses, strict=True):
        page.goto(url)
    pages[0].wait_for_timeout(seconds * 1000)
    assert dump(games) == before
    assert not any(complaints)
    assert not context.cookies()
    context.close()
