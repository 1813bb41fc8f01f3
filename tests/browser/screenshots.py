"""`make screenshots`: every page and every mail as it is seen, at three widths, by day and by night."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, Page

from service.app import create_app
from service.local.servers import LocalServers
from service.runtime import Runtime
from service.store.migrations import upgrade
from tests.browser.chromium import CHROMIUM, House, launched, visiting
from tests.browser.situations import Situation, situations
from tests.house import settings_on
from tests.live import serving
from tests.mail_goldens import mails

ColorScheme = Literal["dark", "light"]

FOLDER = Path("screenshots")
WIDTHS = (390, 1024, 1440)
SCHEMES: tuple[ColorScheme, ...] = ("light", "dark")
OTHER_LANGUAGES = ("de", "fr")
LOADED = """() => Promise.all([...document.images].map(image => {
  image.loading = "eager";
  return image.decode().catch(() => null);
}))"""


def shoot(page: Page, name: str, widths: Sequence[int] = WIDTHS, schemes: Sequence[ColorScheme] = SCHEMES) -> None:
    """Write down how the page looks, with the pictures that it leaves for later."""
    page.evaluate(LOADED)
    for width in widths:
        page.set_viewport_size({"width": width, "height": 800})
        for scheme in schemes:
            page.emulate_media(color_scheme=scheme)
            page.screenshot(path=FOLDER / f"{name}-{width}-{scheme}.png", full_page=True)


def take(browser: Browser, house: House, mailbox: Path, names: Sequence[str]) -> None:
    """Take the pictures of the situations and mails whose names begin with one of these, or of all.

    Pages are seen in the other languages too, where words are longest: on a phone.
    """
    wanted = tuple(names) or ("",)
    # What the pages show has to be played first.
    of_pages = not names or any(not name.startswith("mail-") for name in names)
    for language in OTHER_LANGUAGES if of_pages else ():
        for each in situations(house.runtime, mailbox, language):
            if each.name.startswith(wanted):
                context = visiting(browser, house, each.person, locale=language)
                page = context.new_page()
                each.reach(page)
                shoot(page, f"{language}-{each.name}", WIDTHS[:1], SCHEMES[:1])
                context.close()
    found = situations(house.runtime, mailbox) if of_pages else []
    for name, raw in mails().items():
        (mailbox / f"{name}.eml").write_bytes(raw)
        found.append(Situation(f"mail-{name}", f"/mailbox/{name}.eml/html"))
    for each in found:
        if each.name.startswith(wanted):
            context = visiting(browser, house, each.person)
            page = context.new_page()
            each.reach(page)
            shoot(page, each.name)
            context.close()


def main() -> int:
    """Take the pictures, on servers of their own; return 1 without a browser."""
    if CHROMIUM is None:
        print("There is no chromium: install it, and try again.", file=sys.stderr)
        return 1
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="boardroom-screenshots-") as folder:
        Path(folder).chmod(0o711)
        with LocalServers(Path(folder), durable=False) as servers:
            upgrade(servers.owner_url)
            runtime = Runtime.build(settings_on(servers))
            with serving(create_app(runtime)) as url, launched() as browser:
                settings = replace(runtime.settings, base_url=url)
                house = House(url, replace(runtime, redis=None, settings=settings))
                take(browser, house, servers.mailbox, sys.argv[1:])
            runtime.engine.dispose()
    print(f"{len(list(FOLDER.glob('*.png')))} pictures are in {FOLDER}/")
    return 0


if __name__ == "__main__":
    sys.exit(main())
