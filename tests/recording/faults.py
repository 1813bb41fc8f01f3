"""Refusals of the service, and its answers when something is wrong with it."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from typing import TYPE_CHECKING, NoReturn
from uuid import uuid4

from flask import Flask
from werkzeug.exceptions import RequestTimeout

from service.app import create_app
from service.http.middleware import wrap
from service.http.request import MAX_BODY_BYTES
from service.http.waiting_slots import WAITING_SLOTS, WaitingSlots
from service.runtime import Runtime
from service.store.engine import build_engine
from service.store.games import Games
from tests.live import serving
from tests.recording.channels import TOPIC
from tests.recording.scribe import Scribe
from tests.recording.tables import GAME, PRIVATE
from tests.recording.webhooks import WANTED

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

HARDLY_ANY = 0.0001
"""Leaves one request of each kind."""


def what_cannot_be_read(nobody: Scribe, alice: Scribe) -> None:
    """Requests that do not get as far as to a game."""
    nobody.get("/me")
    alice.get("/nowhere")
    alice.call("DELETE", "/games")
    alice.half("/games", b'{"ruleset": "new-corp-order"')
    alice.raw("POST", "/games", b'{"ruleset": "new-corp-order",', Content_Type="application/json")
    alice.raw("POST", "/games", b"ruleset=new-corp-order", Content_Type="application/x-www-form-urlencoded")
    alice.raw("POST", "/games", b" " * (MAX_BODY_BYTES + 1), Content_Type="application/json")


def what_the_lobby_refuses(seats: list[Scribe], game: str) -> None:
    """Games that cannot be opened, joined or started."""
    alice, bob, _ = seats
    alice.post("/games", {**GAME, "seats": "three"})
    alice.post("/games", {**GAME, "ruleset": "chess"})
    alice.post("/games", {**GAME, "seats": 9})
    alice.post(f"/games/{uuid4()}/seats")
    bob.post(f"/games/{game}/start")
    bob.post(f"/games/{game}/seats")


def what_the_game_refuses(seats: list[Scribe], game: str) -> None:
    """Actions that come too late, too early, from the wrong seat, or against the rules."""
    alice, bob, carol = seats
    path = f"/games/{game}/actions"
    legal = alice.get(f"/games/{game}/legal-actions")
    decision, action = legal["decision"], legal["items"][0]["action"]
    alice.post(path, {"decision": decision, "notation": "castle king side"})
    alice.post(
        path, {"decision": decision, "action": {"type": "take-over", "source": "A1", "target": "C3", "agents": 1}}
    )
    bob.post(path, {"decision": decision, "action": action})
    alice.post(path, {"decision": decision - 1, "action": action})
    alice.post(path, {"decision": decision, "action": action}, Idempotency_Key="first-decision")
    other = alice.post("/games", {**PRIVATE, "access": "public"})["id"]
    alice.post(f"/games/{other}/actions", {"decision": 1, "action": action})
    carol.get(f"/games/{other}/talk")
    alice.call("PUT", f"/games/{game}/notes", {"text": "They are bluffing."}, If_Match='"0123456789abcdef01234567"')


def what_goes_wrong(house: Runtime, alice: Scribe, game: str) -> None:
    """Services that are broken, full, hurried, or without what they need."""
    nowhere = build_engine("postgresql+psycopg://nobody@127.0.0.1:1/nothing")
    broken = Games(house.engine, {name: replace(rules, view=_broken) for name, rules in house.games.rulesets.items()})
    away = replace(house, engine=nowhere, games=Games(nowhere, house.games.rulesets))
    hurried = replace(house, settings=replace(house.settings, rate_limits=HARDLY_ANY))
    ask(create_app(away), alice, f"/games/{game}")
    ask(create_app(replace(house, games=broken)), alice, f"/games/{game}")
    ask(create_app(hurried), alice, "/me", "/me")
    late = create_app(house)
    wrap(late, _without_bodies)
    with serving(late) as url:
        replace(alice, url=url).post("/games", GAME)
    full = create_app(house)
    full.extensions[WAITING_SLOTS] = WaitingSlots(places=0)
    ask(full, alice, f"/games/{game}/events?wait=1")
    with serving(create_app(replace(house, vault=None))) as url:
        replace(alice, url=url).post("/webhooks", WANTED)
        replace(alice, url=url).post("/me/channels", TOPIC)
    nowhere.dispose()


def _broken(state: object, viewer: int | None) -> NoReturn:
    raise RuntimeError("the rules have a fault")


def _without_bodies(serve: WSGIApplication) -> WSGIApplication:
    """Have the bodies of requests not come in time, as the server tells its client itself."""

    class Nothing(BytesIO):
        def read(self, size: int | None = -1, /) -> NoReturn:
            raise RequestTimeout

    return lambda environ, start: serve(environ | {"wsgi.input": Nothing()}, start)


def ask(app: Flask, alice: Scribe, *paths: str) -> None:
    """Let Alice ask another service for something."""
    with serving(app) as url:
        for path in paths:
            replace(alice, url=url).get(path)
