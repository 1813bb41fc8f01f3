"""A name that is read from right to left stands beside its number as any other does."""

from __future__ import annotations

from pathlib import Path
from uuid import uuid4

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.chromium import House, visiting
from tests.builders import finished, started
from tests.people import bob, register
from tests.replying import delivered

NAMES = ("عمر", "עומר", "Bob")
PLACES = """([name, between]) => {
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const texts = []; let all = '';
  for (let node; (node = walker.nextNode());) { texts.push([node, all.length]); all += node.data; }
  const rect = (from, to) => {
    const range = document.createRange();
    const at = place => {
      const [node, start] = texts.findLast(([, start]) => start <= place);
      return [node, place - start];
    };
    range.setStart(...at(from)); const [node, offset] = at(to - 1); range.setEnd(node, offset + 1);
    return range.getBoundingClientRect();
  };
  for (const match of all.matchAll(new RegExp(name + '[\\u2069]?' + between + '(\\\\d+|-)', 'g'))) {
    const number = match.index + match[0].length - match[1].length;
    const there = rect(match.index, match.index + name.length), beside = rect(number, number + match[1].length);
    if (there.width && beside.width) found.push([there.right, beside.left]);
  }
  return found;
}"""


def places(page: Page, name: str, between: str) -> list[list[float]]:
    """Where the name ends and the number behind it begins, as often as both are seen."""
    found: list[list[float]] = page.evaluate(PLACES, [name, between])
    return found


@pytest.mark.parametrize(("kind", "between"), [("page", ": "), ("mail", "")])
def test_the_number_behind_a_name_is_to_the_right_of_it(
    house: House, chromium: Browser, mailbox: Path, tmp_path: Path, kind: str, between: str
) -> None:
    games = house.runtime.games
    people = [*(register(games, name, f"{uuid4().hex}@example.org", "en") for name in NAMES[:2]), bob(games)]
    over = finished(games, started(games, "sealed-bids", people))
    page = visiting(chromium, house, people[0], viewport={"width": 700, "height": 900}).new_page()
    if kind == "page":
        page.goto(f"{house.url}/games/{over.game.id}")
    else:
        letters = delivered(house.runtime, mailbox, over.game.id)[str(people[0].email)]
        (letter,) = (each for each in letters if each.kind == "over")
        page.set_content(letter.message.get_body(("html",)).get_content())
    page.screenshot(path=tmp_path / f"names-{kind}.png", full_page=True)
    # In a mail the numbers stand in the cells beside the name: what was won, or a dash, and the points.
    for name in NAMES:
        found = places(page, name, between)
        assert found, name
        assert all(end <= begin for end, begin in found), (name, found)
