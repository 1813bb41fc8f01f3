"""What axe-core says of every page and of every mail, by day and by night: nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.chromium import House, visiting
from tests.browser.situations import situations
from tests.clients.linters import FOLDER as CLIENTS
from tests.mail_goldens import FOLDER, read
from tests.mail_tree import body

AXE = CLIENTS / "node_modules" / "axe-core" / "axe.min.js"
JUDGED = """rules => axe.run(document, {resultTypes: ["violations"], rules}).then(found =>
  found.violations.map(each => `${each.id}: ${each.nodes.map(node => node.target + " " + node.failureSummary).join("; ")}`))"""
OF_MAILS = {"region": {"enabled": False}}
"""A mail program has landmarks of its own around a mail."""

pytestmark = pytest.mark.skipif(not AXE.exists(), reason="axe-core is not here: `make clients`")


def faults(page: Page, rules: Any = None) -> Iterator[str]:
    """What axe finds on the page, in both schemes."""
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        yield from (f"{scheme}: {each}" for each in page.evaluate(JUDGED, rules or {}))


@pytest.fixture(scope="module")
def mail_page(chromium: Browser, house: House) -> Iterator[Page]:
    """A page for mails."""
    context = visiting(chromium, house)
    yield context.new_page()
    context.close()


def opened(page: Page, html: str) -> Page:
    """Show a mail as a program does that shows no pictures."""
    page.set_content(html, wait_until="domcontentloaded")
    page.evaluate(AXE.read_text())
    return page


def test_every_page_is_for_everybody(house: House, chromium: Browser, mailbox: Path) -> None:
    found = {}
    for each in situations(house.runtime, mailbox):
        context = visiting(chromium, house, each.person)
        context.add_init_script(path=AXE)
        page = context.new_page()
        each.reach(page)
        found[each.name] = [*faults(page), *_too_wide(page)]
        context.close()
    assert len(found) > 40
    assert {name: said for name, said in found.items() if said} == {}


@pytest.mark.parametrize("language", ["en", pytest.param("??", marks=pytest.mark.slow)])
def test_every_mail_is_for_everybody(mail_page: Page, language: str) -> None:
    found = {}
    for path in sorted(FOLDER.glob(f"*.{language}.eml")):
        page = opened(mail_page, body(read(path.read_bytes()), "html"))
        found[path.stem] = [*faults(page, OF_MAILS), *_too_wide(page)]
    assert len(found) > 10
    assert {name: said for name, said in found.items() if said} == {}


def test_a_planted_fault_is_found(mail_page: Page) -> None:
    html = body(read((FOLDER / "turn-2p.en.eml").read_bytes()), "html")
    assert ' lang="en"' in html and " alt=" in html and "#1d2125" in html
    broken = html.replace(' lang="en"', "").replace(" alt=", " title=").replace("#1d2125", "#cccccc")
    ids = {each.split(": ")[1] for each in faults(opened(mail_page, broken), OF_MAILS)}
    assert ids >= {"html-has-lang", "image-alt", "color-contrast"}


def _too_wide(page: Page) -> Iterator[str]:
    width = page.evaluate("() => document.documentElement.scrollWidth")
    if width > 360:
        yield f"it is {width} pixels wide"
