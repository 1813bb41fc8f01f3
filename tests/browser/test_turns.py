"""A turn of each kind, by pointer: a few presses of what lies on the table, with the script and without one."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Browser, expect

from service.handlers.people import change_player
from service.rules.games.new_corp_order import actions
from service.shared import clock
from tests.browser.chromium import House, visiting, watched
from tests.people import alice, bob
from tests.web.test_confirm_reveal import turn_with

CONFIRM = "#act .confirm:not(.undo) button.strong"
OPEN = "[data-zone=display] a.piece:not([data-place=D])"
HAND = "[data-zone=hand] a.piece.can"


class Turn(NamedTuple):
    """Selectors pressed one after the other to take an action of a type."""

    action: type[Any]
    pressed: tuple[str, ...]


TURNS = {
    "plot": Turn(actions.Plot, (OPEN, f"{OPEN}:not(.chosen)", CONFIRM)),
    "plot-from-deck": Turn(actions.Plot, ("[data-place=D]", CONFIRM, OPEN, CONFIRM)),
    "infiltrate": Turn(actions.Infiltrate, (HAND, CONFIRM)),
    "takeover": Turn(actions.TakeOver, ("#felt a.place.can", CONFIRM)),
    "discard": Turn(actions.Discard, (HAND, CONFIRM)),
    "ability": Turn(actions.RemoveCard, ("a.piece.can", CONFIRM)),
}


@pytest.mark.parametrize("scripts", [True, False], ids=["with-script", "without-script"])
@pytest.mark.parametrize("turn", TURNS.values(), ids=TURNS)
def test_a_turn_is_a_few_presses_of_what_lies_on_the_table(
    house: House, chromium: Browser, turn: Turn, scripts: bool
) -> None:
    games = house.runtime.games
    people = [alice(games, None), bob(games)]
    change_player(games, people[0].id, {"asked_twice": False}, clock.now())
    position = turn_with(games, people, turn.action)
    wide = {"width": 1440, "height": 900}
    context = visiting(chromium, house, people[0], viewport=wide, java_script_enabled=scripts)
    page = context.new_page()
    complaints = watched(page)
    page.goto(f"/games/{position.game.id}")
    version = str(position.version)
    for pressed in turn.pressed:
        before = page.url
        page.locator(pressed).first.click()
        if pressed != CONFIRM:
            expect(page).not_to_have_url(before)
            expect(page.locator("#act .cancel, #act .confirm:not(.undo)").first).to_be_visible()
        else:
            expect(page.locator("#now")).not_to_have_attribute("data-version", version)
            version = str(page.locator("#now").get_attribute("data-version"))
    if not scripts:
        assert re.search(r"/games/[0-9a-f-]+$", page.url)
    assert not complaints
