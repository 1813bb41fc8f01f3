"""Check every page and every mail with axe-core, by day and by night, and check that each page is looked at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
from flask import Flask, template_rendered
from jinja2 import Template
from playwright.sync_api import Browser, Page

import service.web
from service.local.supervisor import wait_until
from tests.browser.breadth import widths
from tests.browser.chromium import PHONE, House, visiting
from tests.browser.situation import Situation
from tests.browser.situations import situations
from tests.clients.linters import FOLDER as CLIENTS
from tests.mail_goldens import FOLDER, read
from tests.mail_tree import body

AXE = CLIENTS / "node_modules" / "axe-core" / "axe.min.js"
JUDGED = """options => axe.run(document, {resultTypes: ["violations"], ...options}).then(found =>
  found.violations.map(each => `${each.id}: ${each.nodes.map(node => `${node.target} ${node.failureSummary}`).join()}`))
"""
TAPPED = "button:not(.term), select, summary, textarea, .button, .more, nav a, .list a, "
TAPPED += "input:not([type=hidden], [type=checkbox], [type=radio], [type=range]), .option label"
SMALL = """tapped => [...document.querySelectorAll(tapped)].filter(each => each.checkVisibility())
  .filter(each => each.getBoundingClientRect().height < 43.9)
  .map(each => `${each.outerHTML} is ${each.getBoundingClientRect().height} pixels high`)
"""
"""List targets lower than 44 pixels that stand alone; a link within a sentence is as high as its line."""
TEMPLATES = Path(service.web.__file__).parent / "templates"
PAGES = {str(each.relative_to(TEMPLATES)) for each in TEMPLATES.rglob("*.html") if "{% extends" in each.read_text()}
PAGES -= {"play/link/page.html", "misdirected.html"}
"""The pages of the site. Two extend that of links; the service has no other name by which this browser reaches it."""
WIDTHS = widths(1024, 641, 360)
"""The widths of windows that every page has to fit, from a desk to a phone."""
WIDE = "() => document.documentElement.scrollWidth"
SETTLING = 5
"""Seconds in which a page has come to rest after the window has another width."""
NOT_IN_MAILS = ("region",)
"""A mail program has landmarks of its own around a mail."""

pytestmark = pytest.mark.skipif(not AXE.exists(), reason="axe-core is not here: `make clients`")


def faults(page: Page, but: Sequence[str] = ()) -> Iterator[str]:
    """Yield axe's findings on the page by day, and on its colours by night."""
    by_day, by_night = {each: {"enabled": False} for each in but}, ["color-contrast"]
    yield from page.evaluate(JUDGED, {"rules": by_day})
    page.emulate_media(color_scheme="dark")
    yield from (f"by night: {each}" for each in page.evaluate(JUDGED, {"runOnly": by_night}))
    page.emulate_media(color_scheme="light")


@pytest.fixture
def mail_page(chromium: Browser, house: House) -> Page:
    """A page for mails."""
    return visiting(chromium, house).new_page()


def opened(page: Page, html: str) -> Page:
    """Show a mail as a program does that shows no pictures."""
    page.set_content(html, wait_until="domcontentloaded")
    page.evaluate(AXE.read_text())
    return page


def test_every_page_is_for_everybody(app: Flask, house: House, chromium: Browser, mailbox: Path) -> None:
    found, seen = {}, set()

    def note(_: Flask, template: Template, **more: Any) -> None:
        seen.add(template.name)

    with template_rendered.connected_to(note, app):
        for person, theirs in groupby(sorted(situations(house.runtime, mailbox), key=_whose), lambda each: each.person):
            context = visiting(chromium, house, person)
            context.add_init_script(path=AXE)
            page = context.new_page()
            for each in theirs:
                each.reach(page)
                found[each.name] = [*faults(page), *_too_wide(page, WIDTHS), *page.evaluate(SMALL, TAPPED)]
            context.close()
    assert {name: said for name, said in found.items() if said} == {}
    assert PAGES - seen == set(), "these pages have no situation (situations.py)"


@pytest.mark.parametrize("language", ["en", "??"])
def test_every_mail_is_for_everybody(mail_page: Page, language: str) -> None:
    found = {}
    for path in sorted(FOLDER.glob(f"*.{language}.eml")):
        page = opened(mail_page, body(read(path.read_bytes()), "html"))
        found[path.stem] = [*faults(page, NOT_IN_MAILS), *_too_wide(page, WIDTHS[-1:])]
    assert len(found) > 10
    assert {name: said for name, said in found.items() if said} == {}


def test_a_planted_fault_is_found(mail_page: Page) -> None:
    html = body(read((FOLDER / "turn-2p.en.eml").read_bytes()), "html")
    assert ' lang="en"' in html and " alt=" in html and "#15181a" in html
    broken = html.replace(' lang="en"', "").replace(" alt=", " data-alt=").replace("#15181a", "#cccccc")
    broken = broken.replace(' role="main"', "").replace("h1", "p")
    ids = {each.split(": ")[0] for each in faults(opened(mail_page, broken), NOT_IN_MAILS)}
    assert ids >= {"html-has-lang", "image-alt", "color-contrast", "landmark-one-main", "page-has-heading-one"}


def _whose(situation: Situation) -> str:
    return situation.person.name if situation.person else ""


def _too_wide(page: Page, widths: Sequence[int]) -> Iterator[str]:
    """Yield what does not fit a window of each of the widths, once it has come to rest; the last one stays."""
    for width in widths:
        page.set_viewport_size({"width": width, "height": PHONE["height"]})
        if not wait_until(partial(_fits, page, width), SETTLING):
            yield f"at {width} it is {page.evaluate(WIDE)} pixels wide"


def _fits(page: Page, width: int) -> bool:
    return bool(page.evaluate(WIDE) <= width)
