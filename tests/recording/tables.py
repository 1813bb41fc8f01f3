"""Tables: opened, found, joined by invitation or without, left, called off."""

from __future__ import annotations

from uuid import UUID

from service.runtime import Runtime
from tests.builders import mailed_token
from tests.recording.scribe import Scribe

GAME = {
    "ruleset": "new-corp-order",
    "seats": 3,
    "options": {"first-player": 0},
    "name": "Thursday's table",
    "access": "public",
    "on_resignation": "play-on",
}
PRIVATE = {"ruleset": "new-corp-order", "seats": 3}


def the_lobby(seats: list[Scribe]) -> str:
    """Alice reads the rules and opens a game, and the others join it."""
    alice, *others = seats
    alice.get("/rulesets")
    alice.get("/rulesets/new-corp-order/guide")
    alice.get("/rulesets/new-corp-order/guide/pictures/8.svg")
    game: str = alice.post("/games", GAME, Idempotency_Key="thursdays-table")["id"]
    for each in others:
        each.post(f"/games/{game}/seats")
    return game


def the_other_tables(house: Runtime, nobody: Scribe, seats: list[Scribe]) -> None:
    """Alice invites to a game; Erin wants no such mails, who comes does not stay, and Alice calls it off."""
    alice, bob, carol = seats
    game = alice.post("/games", PRIVATE)["id"]
    invitations = f"/games/{game}/invitations"
    link = alice.post(invitations, {})["url"].rpartition("/")[2]
    mailed = alice.post(invitations, {"email": "erin@example.org"})
    alice.post(invitations, {"email": "erin@example.org"})
    nobody.post(f"/invitations/{mailed_token(house.games, UUID(mailed['id']))}/refusal")
    alice.get(invitations)
    carol.get(f"/invitations/{link}")
    for each in (bob, carol):
        each.post(f"/invitations/{link}/seat")
    carol.call("DELETE", f"/games/{game}/seats/mine")
    alice.call("DELETE", f"/games/{game}/seats/1")
    alice.call("DELETE", f"{invitations}/{mailed['id']}")
    no_longer = alice.post(invitations, {})
    alice.call("DELETE", f"{invitations}/{no_longer['id']}")
    carol.post(f"/invitations/{no_longer['url'].rpartition('/')[2]}/seat")
    carol.post(f"/invitations/{'a' * len(link)}/seat")
    alice.post(f"/games/{game}/cancel")
