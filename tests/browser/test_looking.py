"""Open every address of every mail in a browser with scripts, as mail scanners do: nothing changes."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser

from tests.browser.chromium import House, visiting, watched
from tests.mail.test_play import dump
from tests.mail_corpus import every_kind
from tests.web.test_mail_scanners import urls

SECONDS = 10
AT_ONCE = 20


def test_every_address_of_every_mail_may_be_opened(house: House, chromium: Browser, mailbox: Path) -> None:
    mails = every_kind(house.runtime, mailbox)
    addresses = sorted({url for mail in mails for url in urls(mail) if url.startswith(house.url)})
    assert len(addresses) > 25
    before = dump(house.runtime.games)
    for start in range(0, len(addresses), AT_ONCE):
        context = visiting(chromium, house)
        opened = [(context.new_page(), url) for url in addresses[start : start + AT_ONCE]]
        complaints = [watched(page) for page, _ in opened]
        for page, url in opened:
            page.goto(url)
        opened[0][0].wait_for_timeout(SECONDS * 1000)
        assert not any(complaints)
        assert not context.cookies()
        context.close()
    assert dump(house.runtime.games) == before
