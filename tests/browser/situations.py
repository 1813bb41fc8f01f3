"""Every page of the site in a situation in which it has something to show: what is looked at, and what axe judges.

Whoever adds a page adds its row. Everybody reads the same language: English unless told.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from urllib.parse import quote
from uuid import uuid4

from playwright.sync_api import Page

from service.handlers import invitations, links, lobby, mail_preferences, talk, webhooks
from service.handlers.analysis import ask_for_analysis
from service.handlers.invitations import ByLink, ByMail
from service.handlers.webhooks import Rules, WebhookTerms
from service.mail import unsubscribe
from service.runtime import Runtime
from service.shared import clock
from service.store.game_row import Terms
from service.store.games import Games, Position
from service.views.dry_run import reveals
from tests.browser.arrival_situations import arrival_situations
from tests.browser.asking_situations import asking_situations
from tests.browser.clock_situations import clock_situations
from tests.browser.competing_situations import competing_situations
from tests.browser.deal_situations import deal_situations
from tests.browser.mailed_situations import mailed_situations, send
from tests.browser.people_situations import people_situations
from tests.browser.rating_situations import rating_situations
from tests.browser.round_situations import round_situations
from tests.browser.situation import Situation
from tests.builders import act, finished, first_legal, later, opened, started, table_for
from tests.letters import link
from tests.people import Person, register
from tests.record.records import sealed, without_line

PUBLIC = {
    "start": "/",
    "first-page": "/play/new-corp-order",
    "first-page-other-game": "/play/sealed-bids",
    "lesson": "/play/new-corp-order/learn/3",
    "offline": "/offline",
    "sign-in": "/sign-in",
    "open-tables": "/games/open",
    "rules": "/rules",
    "clock-pace": "/pace",
    "rules-of": "/rules/new-corp-order",
    "unknown": "/t/nowhere",
    "sign-in-over": "/sign-in/nowhere",
    "no-such-page": "/nowhere",
    "verify": "/verify",
    "guide": "/api/guide",
    "changes": "/api/changes",
    "problem": "/problems/illegal-action",
    "problems": "/problems/",
    "mailbox": "/mailbox",
}
OWN = {
    "start-again": "/",
    "games": "/games",
    "alone": "/games/alone",
    "new-table": "/games/new",
    "new-table-other-game": "/games/new?ruleset=sealed-bids",
    "settings": "/settings",
    "settings-mail": "/settings/mail",
    "settings-channels": "/settings/channels",
    "settings-programs": "/settings/programs",
    "settings-hooks": "/settings/webhooks",
    "settings-passkeys": "/settings/passkeys",
    "settings-apps": "/settings/apps",
    "missing": "/games/01a1ff83-f5fb-7df1-8f59-4fa9057961eb",
}
EMPTY = {
    "start-new": "/",
    "games-none": "/games",
    "ladder-none": "/games/alone",
    "history-none": "/games/history",
    "people-none": "/people",
    "reports-none": "/reports",
    "away-none": "/settings/away",
    "tournaments-mine-none": "/tournaments/mine",
}
"""Pages of a player who has done nothing yet."""
NAMES = ("Alice", "Bob", "Carol")


def situations(runtime: Runtime, mailbox: Path, language: str = "en") -> list[Situation]:
    """Every page, for people who read this language; what leads to them comes about first."""
    games = runtime.games
    send(runtime)  # Of what has been looked at before, no mail is left to come.
    people = tuple(register(games, name, f"{name.lower()}@example.org", language) for name in NAMES)
    found = [Situation(name, path) for name, path in PUBLIC.items()]
    found += [*_lobbies(games, people), *_tables(games, people)]
    found += [Situation(*each) for each in (*clock_situations(games, people), *round_situations(games, people))]
    found += [Situation(*each) for each in rating_situations(runtime, people)]
    found += [Situation(*each) for each in competing_situations(runtime, people[0])]
    found += [Situation(*each) for each in deal_situations(runtime, people)]
    found += [Situation(*each) for each in people_situations(games, people)]
    found += asking_situations(runtime, people)
    found += arrival_situations(games, language)
    newcomer = register(games, "Nora", None, language)
    found += [Situation(name, path, newcomer) for name, path in EMPTY.items()]
    found.append(Situation("clock-new-table", "/games/new", people[0], meanwhile=_choose_own_times))
    found += _own(runtime, people[0])
    found += _links(runtime, people)
    found += _late_links(games, people)
    found += mailed_situations(runtime, mailbox, people[0])
    for name, record in (("verified", sealed()), ("verify-broken", without_line(sealed(), 6).data)):
        found.append(Situation(name, "/verify", meanwhile=partial(_check, record=record)))
    return [*found, Situation("asked", "/sign-in", None, ("main form button",), "zoe@example.org")]


def _lobbies(games: Games, people: tuple[Person, ...]) -> Iterator[Situation]:
    host, other, guest = people
    waiting = table_for(games, "new-corp-order", host, 4, Terms(name="Friday night", access="public"))
    lobby.join(games, waiting, other.id, clock.now())
    for whom in (ByLink("secret"), ByMail(f"zoe.{uuid4().hex[:6]}@example.org")):
        invitations.invite(games, waiting, host.id, whom, clock.now(), None)
    yield Situation("lobby-host", f"/games/{waiting}", host)
    yield Situation("lobby-guest", f"/games/{waiting}", guest)
    yield Situation("lobby-stranger", f"/games/{waiting}")
    yield Situation("lobby-full", f"/games/{opened(games, 'new-corp-order', [host, other])}", host)
    called_off = table_for(games, "new-corp-order", host, 2)
    lobby.cancel_game(games, called_off, host.id)
    yield Situation("lobby-called-off", f"/games/{called_off}", host)
    yield Situation("proof-lobby", f"/games/{waiting}/proof", guest)
    yield Situation("lobby-link", f"/games/{waiting}", host, ("form[action$='/invite'] button >> nth=-1",))


def _tables(games: Games, people: tuple[Person, ...]) -> Iterator[Situation]:
    host, other, guest = people
    played = later(games, started(games, "new-corp-order", [host, other, guest]), 60, 0)
    page = f"/games/{played.game.id}"
    talk.say(games, played.game.id, other.id, "Well played, Alice!", "web", clock.now())
    yield Situation("table-seat", page, host)
    first = quote(played.ruleset.notate(played.ruleset.legal(played.state, 0)[0]))
    yield Situation("table-pick", f"{page}?decision={played.decision}&kind=plot", host)
    yield Situation("table-preview", f"{page}?decision={played.decision}&notation={first}", host)
    yield Situation("table-refused", f"{page}?decision={played.decision}&notation=castle", host)
    yield Situation("table-stale", f"{page}?decision=1&kind=plot", host)
    yield Situation("table-waiting", page, other)
    yield Situation("replay-running", f"{page}/replay", host)
    yield Situation("table-spectator", page)
    over = later(games, started(games, "new-corp-order", [host, other]), 4_000, 0)
    yield Situation("table-over", f"/games/{over.game.id}", host)
    yield Situation("table-over-spectator", f"/games/{over.game.id}")
    yield Situation("proof-over", f"/games/{over.game.id}/proof", host)
    yield Situation("proof-running", f"{page}/proof", host)
    yield Situation("replay", f"/games/{over.game.id}/replay?at=40", host)
    analysed = later(games, started(games, "new-corp-order", people), 4_000, 0)
    ask_for_analysis(games, analysed.game.id, host.id)  # It is made when all that is due is sent.
    yield Situation("replay-analysed", f"/games/{analysed.game.id}/replay?at=40", host)
    yield Situation(
        "table-solo", f"/games/{later(games, started(games, 'new-corp-order', [host]), 12, 0).game.id}", host
    )
    fresh = started(games, "new-corp-order", [host, other], **{"first-player": 0})
    first = quote(fresh.ruleset.notate(first_legal(fresh, 0)))
    path = f"/games/{fresh.game.id}?decision={fresh.decision}&notation="
    final = next(each for each in fresh.ruleset.legal(fresh.state, 0) if reveals(fresh, 0, each))
    yield Situation("table-asked-again", f"{path}{quote(fresh.ruleset.notate(final))}&asked=yes", host)
    yield Situation("table-done", f"{path}{first}", host, ("#act .confirm button.strong",))
    bids = started(games, "sealed-bids", [host, other, guest])
    yield Situation("table-other-game", f"/games/{bids.game.id}", host)


def _own(runtime: Runtime, person: Person) -> Iterator[Situation]:
    rules = Rules(runtime.vault, insecure=True)
    wanted = WebhookTerms(url="https://hooks.example.org/boardroom", events=["game.turn"])
    hook, _ = webhooks.create(runtime.games, rules, person.id, wanted, clock.now())
    yield from (Situation(name, path, person) for name, path in OWN.items())
    yield Situation("settings-saved", "/settings", person, ("main form.fields button.strong",))
    yield Situation("settings-code", "/settings", person, ("form[action^='/settings/code'] button",))
    yield Situation("settings-not-deleted", "/settings", person, (".danger",), meanwhile=_confirm_wrongly)
    yield Situation("settings-mail-saved", "/settings/mail", person, ("main form.fields button.strong",))
    yield Situation("settings-mail-tried", "/settings/mail", person, ("main form.press button",))
    yield Situation("settings-hook-secret", "/settings/webhooks", person, (".fields button.strong",), wanted.url)
    yield Situation("settings-hook", f"/settings/webhooks/{hook}", person)
    yield Situation("settings-secret", "/settings/programs", person, ("form[action$='/tokens'] button",), "my bot")


def _links(runtime: Runtime, people: tuple[Person, ...]) -> Iterator[Situation]:
    games = runtime.games
    # At the beginning of a turn, so that what is played then can be taken back.
    position = later(games, started(games, "new-corp-order", list(people[:2]), **{"first-player": 1}), 0, 0)

    def fresh() -> str:
        return link(games, position, 0, position.decision)

    first = links.code(position.ruleset.notate(first_legal(position, 0)))
    yield Situation("link-turn", fresh())
    yield Situation("link-pick", f"{fresh()}?kind=plot&first=1")
    yield Situation("link-written", f"{fresh()}?notation=castle")
    yield Situation("link-impossible", f"{fresh()}/castle")
    yield Situation("link-preview", f"{fresh()}/{first}")
    yield Situation("link-kind", f"{fresh()}/all/1")
    yield Situation("link-asked-again", f"{fresh()}/p-d", None, ("#act .confirm button",))
    yield Situation("link-others", f"{fresh()}/link/others")
    changed = later(games, started(games, "new-corp-order", list(people)), 60, 0)
    path = link(games, changed, 0, changed.decision)
    yield Situation("link-changes", path)
    yield Situation("link-changes-preview", f"{path}/{links.code(changed.ruleset.notate(first_legal(changed, 0)))}")
    yield Situation("link-past", link(games, position, 1, 1))
    yield Situation("link-played", f"{fresh()}/{first}", None, ("#act .confirm button",))
    yield Situation("link-past-undo", fresh())
    yield Situation("link-back", fresh(), None, ("form[action$='/link/back'] button",))
    with games.engine.begin() as db:
        fewer = unsubscribe.link(runtime.settings, db, position.game.id, position.seats[0].player_id, "turn")
    assert fewer
    path = fewer.url.removeprefix(runtime.settings.base_url)
    yield Situation("unsubscribe", path)
    yield Situation("unsubscribed", path, None, ("main form button",))
    yield Situation("unsubscribe-unknown", f"{path}x")


def _late_links(games: Games, people: tuple[Person, ...]) -> Iterator[Situation]:
    """Links of which something has become meanwhile."""
    position = later(games, started(games, "new-corp-order", list(people[:2]), **{"first-player": 1}), 0, 0)

    path, before = link(games, position, 0, position.decision), link(games, position, 1, 1)
    played = partial(_play_first, games=games, position=position)
    yield Situation("link-preview-final", f"{path}/{links.code('P D')}")
    yield Situation("link-not-back", before, None, ("form[action$='/link/back'] button",), meanwhile=played)
    yield Situation("link-fresh", before, None, ("form[action$='/link/fresh'] button",))
    late = later(games, started(games, "new-corp-order", list(people[:2]), **{"first-player": 1}), 0, 0)
    path = f"{link(games, late, 0, late.decision)}/{links.code(late.ruleset.notate(first_legal(late, 0)))}"
    played = partial(_play_first, games=games, position=late)
    yield Situation("link-pressed-again", path, None, ("#act .confirm button",), meanwhile=played)
    bids = started(games, "sealed-bids", list(people))
    lost = link(games, bids, 0, bids.decision)
    yield Situation("link-other-game", lost)
    yield Situation("link-replaced", f"{lost}/link/others", None, ("main form button",))
    yield Situation("link-revoked", lost)
    over = finished(games, started(games, "sealed-bids", list(people)))
    yield Situation("link-over", link(games, over, 0, 1))
    careful = register(games, "Dana", "dana@example.org", people[0].language)
    mail_preferences.change(games, careful.id, {"links_need_sign_in": True})
    own = started(games, "sealed-bids", [careful, *people[1:]])
    yield Situation("link-own", link(games, own, 0, own.decision))
    yield Situation("link-own-other", link(games, own, 0, own.decision), people[1])


def _play_first(_: Page, games: Games, position: Position) -> None:
    act(games, position, 0, first_legal(position, 0))


def _check(page: Page, record: bytes) -> None:
    page.set_input_files("#record", {"name": "game.jsonl", "mimeType": "application/jsonl", "buffer": record})
    page.locator("#found").wait_for()


def _choose_own_times(page: Page) -> None:
    page.locator("#pace-own").check()
    page.locator("details:has(#free) > summary").click()


def _confirm_wrongly(page: Page) -> None:
    page.locator("#confirm").fill("somebody else")
