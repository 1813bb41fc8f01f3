"""The pages of coming in at a browser where somebody plays as a guest, and of a player without a name."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from playwright.sync_api import Page
from sqlalchemy import text

from service.handlers import lobby, sign_in
from service.handlers.people import Arrival, newly_met
from service.shared import clock
from service.store.game_row import Terms
from service.store.games import Games
from service.texts.names import UNNAMED
from tests.browser.situation import Situation
from tests.builders import act, first_legal, started, table_for
from tests.people import Person, new_address, register

_VERIFY = text("update player set email_verified = true, email_confirmed = true where id = :player")


def arrival_situations(games: Games, language: str) -> Iterator[Situation]:
    """Yield the pages, for people who read the language."""
    account = register(games, "Ben", new_address(), language)
    with games.engine.begin() as db:
        db.execute(_VERIFY, {"player": account.id})
    twice = register(games, "Gus", None, language)
    both = table_for(games, "new-corp-order", account, 3, Terms(name="Friday night", access="public"))
    lobby.join(games, both, twice.id, clock.now())
    yield Situation("sign-in-as-guest", "/sign-in", twice)
    yield Situation("sign-in-twice", "/sign-in", twice, meanwhile=partial(_enter, games, account))
    moving = register(games, "Ida", None, language)
    yield Situation("sign-in-moved", "/sign-in", moving, meanwhile=partial(_enter, games, account))
    player, _ = newly_met(games, Arrival(language), clock.now())
    nameless = Person(player, "", UNNAMED, None, language)
    solo = started(games, "new-corp-order", [nameless])
    act(games, solo, 0, first_legal(solo, 0))
    yield Situation("table-name", f"/games/{solo.game.id}", nameless)
    yield Situation("name-refused", f"/games/{solo.game.id}", nameless, meanwhile=_take_name)
    hosted = table_for(games, "new-corp-order", nameless, 3)
    yield Situation("lobby-name", f"/games/{hosted}", nameless)
    yield Situation("new-table-name", "/games/new", nameless)


def _enter(games: Games, account: Person, page: Page) -> None:
    page.fill("#code", sign_in.give_sign_in_code(games, account.id, clock.now()))
    with page.expect_navigation():
        page.click("form[action='/sign-in-code'] button")


def _take_name(page: Page) -> None:
    page.fill("#own-name", "ODS")
    with page.expect_navigation():
        page.click("form[action='/name'] button >> nth=0")
