"""`make screenshots`: every page and every mail as it is seen, at three widths, by day and by night, in each language.

The pictures of a page lie together on two sheets in `screenshots/sheets/`: those of phones, and the wider ones.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal, NamedTuple

from PIL import Image
from playwright.sync_api import Browser, Page

from service.app import create_app
from service.texts.catalog import languages
from tests.browser.chromium import CHROMIUM, House, launched, visiting
from tests.browser.situation import Situation
from tests.browser.situations import situations
from tests.house import servers_of_its_own
from tests.live import serving
from tests.mail_goldens import mail_of
from tests.mail_samples import WRITERS

ColorScheme = Literal["dark", "light"]

FOLDER = Path("screenshots")
SHEETS = FOLDER / "sheets"
GAP = 8
WIDTHS = (390, 1024, 1440)
SCHEMES: tuple[ColorScheme, ...] = ("light", "dark")
LOADED = """() => Promise.all([...document.images].map(image => {
  image.loading = "eager";
  return image.decode().catch(() => null);
}))"""


class Picture(NamedTuple):
    """One picture: a page or a mail by its name, in a language, at a width, by day or by night."""

    name: str
    language: str
    width: int
    scheme: ColorScheme

    @property
    def file(self) -> Path:
        """Where it is kept."""
        return FOLDER / f"{self.name}.{self.language}-{self.width}-{self.scheme}.jpg"


def shoot(page: Page, name: str, language: str) -> None:
    """Write down how the page looks at each width, by day and by night, with the pictures that it leaves for later."""
    page.evaluate(LOADED)
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            page.screenshot(path=Picture(name, language, width, scheme).file, type="jpeg", quality=90, full_page=True)


def lay_out(name: str, widths: Sequence[int], across: int, wide: int) -> None:
    """Put the pictures of a page on a sheet: so many across, each so many pixels wide."""
    wanted = [Picture(name, each, width, scheme) for width in widths for scheme in SCHEMES for each in languages()]
    there = [Image.open(each.file) if each.file.exists() else Image.new("RGB", (wide, 1)) for each in wanted]
    small = [
        each.convert("RGB").resize((wide, max(1, each.height * wide // each.width)), reducing_gap=2) for each in there
    ]
    rows = [small[at : at + across] for at in range(0, len(small), across)]
    heights = [max(each.height for each in row) + GAP for row in rows]
    sheet = Image.new("RGB", (across * (wide + GAP), sum(heights)), "magenta")
    for number, row in enumerate(rows):
        for column, each in enumerate(row):
            sheet.paste(each, (column * (wide + GAP), sum(heights[:number])))
    sheet.save(SHEETS / f"{name}-{'-'.join(map(str, widths))}.png", compress_level=1)


def shown(house: House, mailbox: Path, language: str, names: Sequence[str]) -> Iterator[Situation]:
    """Yield what there is to look at in a language, or that whose names begin with one of these."""
    found = []
    # What the pages show has to be played first.
    if not names or any(not name.startswith("mail-") for name in names):
        found += situations(house.runtime, mailbox, language)
    for name in WRITERS:
        if name.endswith(f".{language}"):
            (mailbox / f"{name}.eml").write_bytes(mail_of(name))
            found.append(Situation(f"mail-{name.removesuffix(f'.{language}')}", f"/mailbox/{name}.eml/html"))
    yield from (each for each in found if each.name.startswith(tuple(names) or ""))


def take(browser: Browser, house: House, mailbox: Path, names: Sequence[str]) -> None:
    """Take the pictures of the situations and mails whose names begin with one of these, or of all."""
    found: dict[str, dict[str, Situation]] = {}
    for language in languages():
        for each in shown(house, mailbox, language, names):
            found.setdefault(each.name, {})[language] = each
    for name, those in found.items():
        for language, each in those.items():
            context = visiting(browser, house, each.person, locale=language)
            page = context.new_page()
            each.reach(page)
            shoot(page, name, language)
            context.close()
        lay_out(name, WIDTHS[:1], 6, WIDTHS[0])
        lay_out(name, WIDTHS[1:], 3, 520)


def main() -> int:
    """Take the pictures, on servers of their own; return 1 without a browser."""
    if CHROMIUM is None:
        print("There is no chromium: install it, and try again.", file=sys.stderr)
        return 1
    SHEETS.mkdir(parents=True, exist_ok=True)
    with (
        servers_of_its_own("screenshots") as (servers, runtime),
        # The pictures of all pages take longer than the minutes in which an action can be taken back.
        serving(create_app(replace(runtime, settings=replace(runtime.settings, take_back_seconds=86_400)))) as url,
        launched() as browser,
    ):
        settings = replace(runtime.settings, base_url=url)
        take(browser, House(url, replace(runtime, redis=None, settings=settings)), servers.mailbox, sys.argv[1:])
    print(f"{len(list(FOLDER.glob('*.jpg')))} pictures are in {FOLDER}/, by page in {SHEETS}/")
    return 0


if __name__ == "__main__":
    sys.exit(main())
