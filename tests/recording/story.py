"""The story: Alice, Bob and Carol do everything that the API offers, and everything that it refuses.

Whoever adds an operation or a problem adds the line that has it answered; a test names what is missing.
"""

from __future__ import annotations

from dataclasses import replace
from uuid import uuid4

import yaml
from sqlalchemy import create_engine

from service.api.body import LARGEST
from service.api.document import document
from service.app import create_app
from service.runtime import Runtime
from service.store.games import Games
from tests.live import listening
from tests.recording.scribe import Book, Scribe

GAME = {"ruleset": "new-corp-order", "seats": 3, "options": {"first-player": 0}}


def told(runtime: Runtime) -> Book:
    """Play the story on a running server and return what was written down."""
    book = Book(yaml.safe_load(document(create_app(runtime))))
    with listening(runtime, relayed=False) as url:
        nobody = Scribe(url, book)
        seats = the_players(nobody)
        game = the_lobby(seats)
        the_game(seats, game)
        what_cannot_be_read(nobody, seats[0])
        what_the_lobby_refuses(seats, game)
        what_the_game_refuses(seats, game)
    what_goes_wrong(runtime, book, seats[0], game)
    return book


def the_players(nobody: Scribe) -> list[Scribe]:
    """Alice, Bob and Carol make themselves known."""
    people = [("Alice", "en"), ("Bob", "de"), ("Carol", "fr")]
    profiles = [{"name": name, "email": f"{name.lower()}@example.org", "language": each} for name, each in people]
    seats = [nobody.by(nobody.post("/players", profile)["token"]) for profile in profiles]
    seats[0].get("/me")
    return seats


def the_lobby(seats: list[Scribe]) -> str:
    """Alice opens a game, the others join it, and she starts it."""
    alice, *others = seats
    alice.get("/rulesets")
    game: str = alice.post("/games", GAME)["id"]
    for each in others:
        each.post(f"/games/{game}/seats")
    alice.post(f"/games/{game}/start")
    alice.get("/games?status=running")
    return game


def the_game(seats: list[Scribe], game: str) -> None:
    """They answer the first decision, and look at what has come of it."""
    alice = seats[0]
    legal = alice.get(f"/games/{game}/legal-actions")
    said = {"decision": legal["decision"], "action": legal["items"][0]["action"]}
    alice.post(f"/games/{game}/actions", said, Idempotency_Key="first-decision")
    alice.get(f"/games/{game}")
    alice.get(f"/games/{game}/events?after=2&limit=3")
    alice.get(f"/games/{game}/standings")
    alice.get(f"/games/{game}/board")


def what_cannot_be_read(nobody: Scribe, alice: Scribe) -> None:
    """Requests that do not get as far as to a game."""
    nobody.get("/me")
    alice.get("/nowhere")
    alice.call("DELETE", "/games")
    alice.half("/games", b'{"ruleset": "new-corp-order"')
    alice.raw("POST", "/games", b'{"ruleset": "new-corp-order",', Content_Type="application/json")
    alice.raw("POST", "/games", b"ruleset=new-corp-order", Content_Type="application/x-www-form-urlencoded")
    alice.raw("POST", "/games", b" " * (LARGEST + 1), Content_Type="application/json")


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
    other = alice.post("/games", GAME)["id"]
    alice.post(f"/games/{other}/actions", {"decision": 1, "action": action})
    carol.get(f"/games/{other}")


def what_goes_wrong(runtime: Runtime, book: Book, alice: Scribe, game: str) -> None:
    """A database that is away, and a game whose ruleset has been taken from the service."""
    nowhere = create_engine("postgresql+psycopg://nobody@127.0.0.1:1/nothing", connect_args={"connect_timeout": 1})
    others = {f"{name}-2": ruleset for name, ruleset in runtime.games.rulesets.items()}
    houses = [Games(nowhere, runtime.games.rulesets), Games(runtime.engine, others)]
    for games in houses:
        with listening(replace(runtime, engine=games.engine, games=games), relayed=False) as url:
            replace(alice, url=url).get(f"/games/{game}")
    nowhere.dispose()
