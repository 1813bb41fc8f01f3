"""A browser without a window that reaches nothing but this machine."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from service.handlers.sessions import let_in
from service.runtime import Runtime
from service.shared import clock
from tests.people import Person

CHROMIUM = shutil.which("chromium")
PHONE = {"width": 360, "height": 640}
_OPTIONS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-default-browser-check",
    "--no-first-run",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
)


@dataclass(frozen=True, slots=True)
class House:
    """A house that listens at `url`; the mails that its runtime writes lead there too."""

    url: str
    runtime: Runtime


@contextmanager
def launched() -> Iterator[Browser]:
    """Debian's Chromium, which has to be there."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(_OPTIONS))
        yield browser
        browser.close()


@contextmanager
def for_one_test(browser: Browser) -> Iterator[None]:
    """Close at the end whatever is open: a page left at its table goes on asking its house while other tests run."""
    try:
        yield
    finally:
        for context in browser.contexts:
            context.close()


def visiting(browser: Browser, house: House, person: Person | None = None, **wanted: Any) -> BrowserContext:
    """A browser of its own, a phone unless told, at which the person has signed in, or nobody."""
    context = browser.new_context(base_url=house.url, **{"viewport": PHONE, **wanted})
    context.set_default_timeout(10_000)
    if person is not None:
        with house.runtime.engine.begin() as db:
            secret = let_in(db, person.id, clock.now())
        context.add_cookies([{"name": "boardroom", "value": secret, "url": house.url}])
    return context


def watched(page: Page) -> list[str]:
    """All that the browser complains of on the page from now on."""
    complaints: list[str] = []
    page.on("console", lambda said: complaints.append(said.text) if said.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    return complaints
