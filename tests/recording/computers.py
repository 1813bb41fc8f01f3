"""Computer players take seats: one that is free, and that of Bob, who gives up."""

from __future__ import annotations

from tests.recording.scribe import Scribe
from tests.recording.tables import GAME


def the_computers(seats: list[Scribe]) -> None:
    """Alice fills a seat, frees it and fills it again; Bob joins and resigns, and a computer player goes on."""
    alice, bob, _ = seats
    game = alice.post("/games", GAME)["id"]
    place = f"/games/{game}/computers"
    alice.post(place, {"level": "easy"}, Idempotency_Key="a-computer-player")
    alice.call("DELETE", f"{place}/1")
    alice.post(place, {"level": "normal"})
    bob.post(f"/games/{game}/seats")
    alice.post(f"/games/{game}/start")
    bob.post(f"/games/{game}/resignation", {"confirm": True})
    alice.post(f"/games/{game}/substitute-computers", {"seat": 2, "level": "normal"})
    other = alice.post("/games", {"ruleset": "bastards-inc", "seats": 6})["id"]
    alice.post(f"/games/{other}/computers", {"level": "expert"})
    alice.post(f"/games/{other}/cancel")
