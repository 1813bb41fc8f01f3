"""Every page of the site in a situation in which it has something to show: what is looked at, and what axe judges.

Whoever adds a page adds its row. Alice reads English, Bob German, Carol French.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from urllib.parse import quote

from playwright.sync_api import Page

from service import clock
from service.handlers import invitations, links, lobby, sign_in, talk, webhooks
from service.handlers.invitations import ByLink, ByMail
from service.handlers.webhooks import Rules, Wanted
from service.mail import unsubscribe
from service.runtime import Runtime
from service.store.games import Games, Position, Terms
from service.views.foretell import reveals
from tests.builders import act, started, table_for
from tests.letters import link
from tests.people import Person, alice, bob, carol
from workers.relay import Relay

PUBLIC = {
    "start": "/",
    "sign-in": "/sign-in",
    "open-tables": "/games/open",
    "rules": "/rules",
    "rules-of": "/rules/new-corp-order",
    "unknown": "/t/nowhere",
    "verify": "/verify",
    "guide": "/api/guide",
    "changes": "/api/changes",
    "problem": "/problems/illegal-action",
    "mailbox": "/mailbox",
}
OWN = {
    "start-again": "/",
    "games": "/games",
    "new-table": "/games/new",
    "settings": "/settings",
    "settings-mail": "/settings/mail",
    "settings-programs": "/settings/programs",
    "settings-hooks": "/settings/webhooks",
    "missing": "/games/01a1ff83-f5fb-7df1-8f59-4fa9057961eb",
}
MAILED = re.compile(r"/(?:join|sign-in)/[a-z0-9]+(?:/never)?\b")


@dataclass(frozen=True, slots=True)
class Situation:
    """A page by its name, whose browser is there, and what is written and pressed on it before it is looked at."""

    name: str
    path: str
    person: Person | None = None
    pressed: tuple[str, ...] = ()
    written: str = ""

    def reach(self, page: Page) -> None:
        """Go there."""
        page.goto(self.path)
        if self.written:
            page.locator("main form input:not([type=hidden])").first.fill(self.written)
        for each in self.pressed:
            with page.expect_navigation():
                page.locator(each).first.click()


def situations(runtime: Runtime, mailbox: Path) -> list[Situation]:
    """Every page; what leads to them comes about first."""
    games = runtime.games
    people = alice(games), bob(games), carol(games)
    found = [Situation(name, path) for name, path in PUBLIC.items()]
    found += _tables(games, people)
    found += _own(runtime, people[0])
    found += _links(runtime, people)
    found += _mailed(runtime, mailbox)
    return [*found, Situation("asked", "/sign-in", None, ("main form button",), "zoe@example.org")]


def _tables(games: Games, people: tuple[Person, ...]) -> Iterator[Situation]:
    host, other, guest = people
    waiting = table_for(games, "new-corp-order", host, 4, Terms(name="Friday night", access="public"))
    lobby.join(games, waiting, other.id, clock.now())
    for whom in (ByLink("secret"), ByMail("zoe@example.org")):
        invitations.invite(games, waiting, host.id, whom, clock.now(), None)
    yield Situation("lobby-host", f"/games/{waiting}", host)
    yield Situation("lobby-guest", f"/games/{waiting}", guest)
    yield Situation("lobby-link", f"/games/{waiting}", host, ("form[action$='/invite'] button >> nth=-1",))
    played = later(games, started(games, "new-corp-order", [host, other, guest]), 60, 0)
    page = f"/games/{played.game.id}"
    talk.say(games, played.game.id, other.id, "Well played, Alice!", "web", clock.now())
    yield Situation("table-seat", page, host)
    first = quote(played.ruleset.notate(played.ruleset.legal(played.state, 0)[0]))
    yield Situation("table-pick", f"{page}?decision={played.decision}&pick=0", host)
    yield Situation("table-preview", f"{page}?decision={played.decision}&notation={first}", host)
    final = next(each for each in played.ruleset.legal(played.state, 0) if reveals(played, 0, each))
    written = quote(played.ruleset.notate(final))
    again = f"{page}?decision={played.decision}&notation={written}&asked=yes"
    yield Situation("table-asked-again", again, host)
    yield Situation("table-waiting", page, other)
    yield Situation("table-spectator", page)
    over = later(games, started(games, "new-corp-order", [host, other]), 4_000, 0)
    yield Situation("table-over", f"/games/{over.game.id}", host)
    yield Situation("table-over-spectator", f"/games/{over.game.id}")
    yield Situation("replay", f"/games/{over.game.id}/replay?at=40", host)
    yield Situation(
        "table-solo", f"/games/{later(games, started(games, 'new-corp-order', [host]), 12, 0).game.id}", host
    )
    bids = started(games, "sealed-bids", [host, other, guest])
    yield Situation("table-other-game", f"/games/{bids.game.id}", host)


def _own(runtime: Runtime, person: Person) -> Iterator[Situation]:
    rules = Rules(runtime.vault, insecure=True)
    wanted = Wanted(url="https://hooks.example.org/boardroom", events=["game.turn"])
    hook, _ = webhooks.create(runtime.games, rules, person.id, wanted, clock.now())
    yield from (Situation(name, path, person) for name, path in OWN.items())
    yield Situation("settings-hook", f"/settings/webhooks/{hook}", person)
    yield Situation("settings-secret", "/settings/programs", person, ("form[action$='/tokens'] button",), "my bot")


def _links(runtime: Runtime, people: tuple[Person, ...]) -> Iterator[Situation]:
    games = runtime.games
    # At the beginning of a turn, so that what is played then can be taken back.
    position = later(games, started(games, "new-corp-order", list(people[:2]), **{"first-player": 1}), 0, 0)

    def fresh() -> str:
        return link(games, position, 0, position.decision)

    first = links.code(position.ruleset.notate(position.ruleset.legal(position.state, 0)[0]))
    yield Situation("link-turn", fresh())
    yield Situation("link-step", f"{fresh()}?way=0")
    yield Situation("link-impossible", f"{fresh()}/castle")
    yield Situation("link-preview", f"{fresh()}/{first}")
    yield Situation("link-kind", f"{fresh()}/all/1")
    yield Situation("link-asked-again", f"{fresh()}/p-d", None, (".confirm button",))
    yield Situation("link-others", f"{fresh()}/link/others")
    yield Situation("link-past", link(games, position, 1, 1))
    yield Situation("link-played", f"{fresh()}/{first}", None, (".confirm button",))
    yield Situation("link-past-undo", fresh())
    yield Situation("link-back", fresh(), None, ("form[action$='/link/back'] button",))
    with games.engine.begin() as db:
        fewer = unsubscribe.link(runtime.settings, db, position.game.id, 1, "turn")
    assert fewer
    yield Situation("unsubscribe", fewer.removeprefix(runtime.settings.base_url))


def _mailed(runtime: Runtime, mailbox: Path) -> Iterator[Situation]:
    sign_in.ask(runtime.games, "zoe.new@example.org", "Zoë", "fr", clock.now())
    relay = Relay(runtime)
    while relay.drain():
        pass
    mails = sorted(mailbox.glob("*.eml"))
    text = "".join(path.read_text() for path in mails)
    for path in sorted(set(MAILED.findall(text.replace("=\n", "").replace("=2E", ".")))):
        _, name, *_, last = path.split("/")
        yield Situation("never" if last == "never" else f"{name}-link", path)
    yield Situation("mail", f"/mailbox/{mails[-1].name}")


def later(games: Games, position: Position, decisions: int, seat: int) -> Position:
    """Play at random for so many decisions, and on until it is the seat's move."""
    chance = Random(decisions)
    while seats := position.awaited:
        if position.decision > decisions and seat in seats:
            break
        at = min(seats)
        position = act(games, position, at, chance.choice(position.ruleset.legal(position.state, at))).position
    return position
