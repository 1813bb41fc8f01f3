"""A seat of a running game changes hands: Bob gives up, and others ask for the seat or are invited to it."""

from __future__ import annotations

from uuid import uuid4

from tests.recording.scribe import Scribe
from tests.recording.tables import GAME


def the_substitute(nobody: Scribe, seats: list[Scribe]) -> None:
    """Ida asks for Bob's seat, withdraws, asks again, and Alice agrees; Bob cannot come back."""
    alice, bob, carol = seats
    ida = nobody.by(nobody.post("/players", {"name": "Ida"})["token"])
    game = alice.post("/games", GAME)["id"]
    for each in (bob, carol):
        each.post(f"/games/{game}/seats")
    alice.post(f"/games/{game}/start")
    place = f"/games/{game}/seat-requests"
    ida.post(place, {"seat": 1})
    bob.post(f"/games/{game}/resignation", {"confirm": True})
    alice.post(f"/games/{game}/invitations", {"seat": 1})
    first = ida.post(place, {"seat": 1}, Idempotency_Key="ida-asks-for-it")
    ida.call("DELETE", f"{place}/{first['id']}")
    asked = ida.post(place, {"seat": 1})
    carol.get(place)
    bob.post(f"{place}/{asked['id']}/agreement")
    alice.post(f"{place}/{uuid4()}/agreement")
    alice.post(f"{place}/{asked['id']}/agreement")
    carol.post(f"/games/{game}/resignation", {"confirm": True})
    bob.post(place, {"seat": 2})
