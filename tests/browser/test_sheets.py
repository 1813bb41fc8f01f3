"""On phones no control of the sheet is cut off, whatever is chosen, in any game and language."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Final
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser
from sqlalchemy import text

from service.handlers import links
from service.store.games import Games, Position
from tests.browser.breadth import LANGUAGES
from tests.browser.chromium import House, visiting
from tests.builders import act, started
from tests.letters import link
from tests.nightly import NIGHTLY
from tests.people import Person, register

PHONES: Final = ((390, 844), (360, 640)) if NIGHTLY else ((360, 640),)
LONGEST: Final = {"new-corp-order": "ExchangeCards", "bastards-inc": "Deal"}
"""The actions with the longest sentences."""
CUT: Final = """() => {
  const sheet = document.querySelector("#act");
  const frame = sheet.getBoundingClientRect();
  const bottom = Math.min(frame.bottom, innerHeight);
  return [...sheet.querySelectorAll("button, .stepper, .confirm a, .cancel, .l2 > .button")]
    .filter((each) => each.checkVisibility())
    .map((each) => {
      const box = each.getBoundingClientRect();
      let [top, end, left, right] = [frame.top, bottom, 0, innerWidth];
      for (let at = each.parentElement; at !== sheet; at = at.parentElement) {
        const { overflowX, overflowY } = getComputedStyle(at);
        const clip = at.getBoundingClientRect();
        if (overflowY !== "visible") [top, end] = [Math.max(top, clip.top), Math.min(end, clip.bottom)];
        if (overflowX !== "visible") [left, right] = [Math.max(left, clip.left), Math.min(right, clip.right)];
      }
      const out = Math.max(top - box.top, box.bottom - end, left - box.left, box.right - right);
      return out > 1 ? `${Math.round(out)} px of ${each.className} ${each.innerText}` : "";
    })
    .filter(Boolean);
}"""


def previews(games: Games, name: str, people: list[Person]) -> Iterator[tuple[Position, str]]:
    """Yield positions of games, each with an action of a kind that was not there before, and one with most parts.

    Another game follows until the kind with the longest sentence has come up.
    """
    chance, seen = Random(7), dict[str, int]()
    for _ in range(24):
        position = started(games, name, people)
        for _ in range(160):
            if not position.awaited:
                break
            seat = min(position.awaited)
            legal = position.ruleset.legal(position.state, seat)
            for each in sorted(legal, key=lambda one: -len(position.ruleset.notate(one))):
                kind, notation = type(each).__name__, position.ruleset.notate(each)
                if seat == 0 and len(notation) > seen.get(kind, 0):
                    seen[kind] = len(notation)
                    yield position, notation
            position = act(games, position, seat, chance.choice(legal)).position
        if LONGEST[name] in seen:
            return
    pytest.fail(f"{LONGEST[name]} was never legal")


@pytest.mark.parametrize("name", LONGEST)
def test_no_control_of_a_sheet_is_cut_off(house: House, chromium: Browser, name: str) -> None:
    games, found = house.runtime.games, []
    people = [register(games, each, None, "en") for each in ("Wilhelmina Oberhauser-Montgomery", "Bob", "Carolina")]
    stranger, player = visiting(chromium, house).new_page(), visiting(chromium, house, people[0]).new_page()
    for position, notation in previews(games, name, people):
        base, table = link(games, position, 0, position.decision), f"/games/{position.game.id}"
        asked = f"decision={position.decision}&notation={quote(notation)}"
        for language in LANGUAGES:
            # A page behind a mail's link is in the language of its player.
            with games.engine.begin() as db:
                db.execute(
                    text("update player set language = :spoken where id = :id"),
                    {"spoken": language, "id": people[0].id},
                )
            shown = {f"{base}/{links.code(notation)}?": stranger, f"{table}?{asked}&": player}
            for address, page in (shown | {f"{table}?{asked}&asked=yes&": player}).items():
                page.goto(f"{address}language={language}")
                for width, height in PHONES:
                    page.set_viewport_size({"width": width, "height": height})
                    where = "link" if page is stranger else "table"
                    found += [f"{where} {language} {width} {notation}: {each}" for each in page.evaluate(CUT)]
    assert not found, "\n".join(found)
