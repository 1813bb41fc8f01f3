"""Alice and Bob become friends, and Carol is blocked for a while."""

from __future__ import annotations

from uuid import uuid4

from tests.recording.scribe import Scribe


def the_friends(seats: list[Scribe]) -> None:
    """Bob asks Alice, who accepts; they part again, and Alice tries out blocks."""
    alice, bob, carol = seats
    carol.call("PATCH", "/me", {"handle": "carol"})
    own = alice.get("/me")["handle"]
    asked = bob.post("/me/friends", {"handle": own})["id"]
    alice.post("/me/friends", {"handle": own})
    alice.get("/me/friends")
    alice.post(f"/me/friends/{asked}/acceptance")
    bob.call("DELETE", f"/me/friends/{asked}")
    withdrawn = carol.post("/me/friends", {"handle": "bob"})["id"]
    carol.call("DELETE", f"/me/friends/{withdrawn}")
    carol.post("/me/friends", {"handle": "bob"})
    for kind in ("blocks", "ignored"):
        made = alice.post(f"/me/{kind}", {"handle": "carol"})["id"]
        alice.get(f"/me/{kind}")
        alice.call("DELETE", f"/me/{kind}/{made}")
        alice.call("DELETE", f"/me/{kind}/{uuid4()}")
    bob.post("/reports", {"about": "profile", "handle": "carol", "text": "This name is an advertisement."})
