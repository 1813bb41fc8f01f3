"""Pages on which players ask others: challenges, bots, reports, substitutes; and those on which operators answer."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from uuid import uuid4

from playwright.sync_api import Page

from service.handlers import operators
from service.handlers.challenges import make_ready
from service.handlers.reports import Complaint, complain
from service.handlers.sessions import let_in
from service.runtime import Runtime
from service.shared import clock
from service.store.game_row import Terms
from service.store.games import Games
from service.views.account import account_row
from tests.browser.situation import Situation
from tests.builders import started
from tests.challenged import bot_of, challenged
from tests.leaving import leave, link_to, running
from tests.operating import ZOE, verified
from tests.people import Person, register


def asking_situations(runtime: Runtime, people: tuple[Person, ...]) -> Iterator[Situation]:
    """Yield the pages; Carol challenges Alice, Bob has a bot, and Alice reports Bob's name."""
    games, (one, other, third) = runtime.games, people
    challenge = challenged(games, third, one)
    yield Situation("challenge", f"/challenges/{challenge.id}", one)
    yield Situation("challenge-sent", f"/challenges/{challenge.id}", third)
    bot = bot_of(games, other, "Robot", f"robot-{uuid4().hex[:6]}")
    ready = partial(_make_ready, games=games, bot=bot)
    yield Situation("bots", "/bots", one, meanwhile=ready)
    yield Situation("bots-signed-out", "/bots", meanwhile=ready)
    game = started(games, "sealed-bids", list(people)).game.id
    yield Situation("message-of-channel", f"/games/{game}/open")
    yield Situation("report", f"/games/{game}/report?seat=1", one)
    complain(games, one.id, Complaint(game, "name", 1, "The name is an insult."), clock.now())
    yield Situation("reports", "/reports?sent=", one)
    left = leave(games, running(games, "sealed-bids", people, Terms()), 1)
    button = "form[action$='/substitutes'] button"
    yield Situation("substitute-invited", f"/games/{left.game.id}", one, (button,), meanwhile=_open_all)
    yield Situation("substitute-link", f"/join/{link_to(games, left, 1)}")
    operator = verified(games, register(games, "Zoë", f"zoe.{uuid4().hex[:6]}@example.org", one.language))
    operators.add_operator(games, operator.id, ZOE, clock.now())
    yield Situation("operate-anew", "/operate", operator)
    yield Situation("sign-in-anew", "/sign-in/anew", operator)
    anew = partial(_signed_in_anew, runtime=runtime, person=operator)
    yield Situation("operate", "/operate", operator, meanwhile=anew)
    yield Situation("operate-found", f"/operate?words={other.id}", operator, meanwhile=anew)


def _make_ready(page: Page, games: Games, bot: Person) -> None:
    with games.engine.connect() as db:
        row = account_row(db, bot.id)
    make_ready(games, row, ("new-corp-order",), (2,), clock.now())
    page.reload()


def _open_all(page: Page) -> None:
    page.evaluate("() => document.querySelectorAll('details').forEach(each => { each.open = true; })")


def _signed_in_anew(page: Page, runtime: Runtime, person: Person) -> None:
    with runtime.engine.begin() as db:
        secret = let_in(db, person.id, clock.now(), "mail")
    page.context.add_cookies([{"name": "boardroom", "value": secret, "url": page.url}])
    page.reload()
