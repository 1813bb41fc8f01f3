"""The turn mail on a phone: two screens at most, the board and the button on the first, no part beside the screen."""

from __future__ import annotations

from base64 import b64encode
from functools import cache
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from service import web
from tests.mail_goldens import mails, read
from tests.mail_samples import WRITERS
from tests.mail_tree import body

HIGHEST = 960
"""Two screens are 1,688; what is more than 800 is the hand of Ba$tard$ Inc., a card a line."""
FONT = Path(web.__file__).with_name("static") / "fonts" / "archivo-boardroom.woff2"
"""It is about as wide as the fonts of telephones; what this machine has instead is a sixth wider."""
PHONE = {"width": 390, "height": 844}
SHORT = ("turn", "reminder")
KINDS = sorted({name.rpartition(".")[0] for name in WRITERS})


@cache
def _font() -> str:
    return b64encode(FONT.read_bytes()).decode()


def opened(page: Page, name: str) -> None:
    """Open a mail as a mail program shows it, with its pictures."""
    message = read(mails()[name])
    html = body(message, "html")
    for part in message.walk():
        if part.get_content_type() == "image/png":
            data = b64encode(part.get_payload(decode=True)).decode()
            html = html.replace(f"cid:{part['Content-ID'].strip('<>')}", f"data:image/png;base64,{data}")
    face = f"@font-face {{ font-family: Roboto; src: url(data:font/woff2;base64,{_font()}); font-weight: 400 800 }}"
    page.set_content(html.replace("<style>", f"<style>{face}", 1))
    page.evaluate("() => document.fonts.ready")
    page.evaluate("() => Promise.all([...document.images].map(image => image.decode()))")


@pytest.mark.slow
def test_a_turn_mail_takes_two_screens_at_most(running_chromium: Browser) -> None:
    page = running_chromium.new_page(viewport=PHONE)
    highs = {}
    for name in mails():
        if name.startswith(SHORT):
            opened(page, name)
            highs[name] = page.evaluate("() => document.querySelector('[role=main]').closest('table').offsetHeight")
    page.close()
    assert len(highs) > 20
    assert {name: high for name, high in highs.items() if high > HIGHEST} == {}


@pytest.mark.slow
@pytest.mark.parametrize("width", [360, 390, 700])
def test_no_part_of_a_mail_stands_beside_the_screen(running_chromium: Browser, width: int) -> None:
    page = running_chromium.new_page(viewport={"width": width, "height": 800})
    wide = []
    for kind in KINDS:
        name = next(each for each in (f"{kind}.{language}" for language in ("de", "fr", "en")) if each in mails())
        opened(page, name)
        if page.evaluate("() => document.documentElement.scrollWidth") > width:
            wide.append(name)
    page.close()
    assert wide == []


@pytest.mark.slow
def test_the_board_and_the_button_stand_on_the_first_screen(running_chromium: Browser) -> None:
    page = running_chromium.new_page(viewport=PHONE)
    opened(page, "turn-2p.en")
    board, button = page.locator("img.board").bounding_box(), page.locator("a.button").bounding_box()
    page.close()
    assert board and button
    assert board["y"] + board["height"] < button["y"]
    assert button["y"] + button["height"] <= PHONE["height"]
