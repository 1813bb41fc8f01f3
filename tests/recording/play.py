"""The game itself, from its first decision to its end."""

from __future__ import annotations

from tests.recording.scribe import Scribe


def the_game(seats: list[Scribe], game: str) -> None:
    """Alice starts it, answers the first decision, and looks at what has come of it."""
    alice = seats[0]
    alice.post(f"/games/{game}/start")
    alice.get("/games?status=running")
    legal = alice.get(f"/games/{game}/legal-actions")
    said = {"decision": legal["decision"], "action": legal["items"][0]["action"]}
    alice.post(f"/games/{game}/actions?dry_run=true", said)
    alice.post(f"/games/{game}/actions", said, Idempotency_Key="first-decision")
    the_second_thoughts(seats, game, legal["decision"])
    alice.get(f"/games/{game}")
    alice.get(f"/games/{game}/events?after=2&limit=3")
    alice.get(f"/games/{game}/standings")
    alice.get(f"/games/{game}/board")


def the_second_thoughts(seats: list[Scribe], game: str, first: int) -> None:
    """Alice has drawn a card, which cannot be taken back; Bob infiltrates, and takes that back."""
    alice, bob, _ = seats
    place = f"/games/{game}/take-back"
    alice.post(place, {"decision": first})
    legal = bob.get(f"/games/{game}/legal-actions")
    answered = {"decision": legal["decision"]}
    bob.post(place, answered)
    said = next(each["action"] for each in legal["items"] if each["action"]["type"] == "infiltrate")
    bob.post(f"/games/{game}/actions", {**answered, "action": said})
    alice.post(place, {"decision": first})
    bob.post(place, answered)


def the_end(seats: list[Scribe], game: str) -> None:
    """Alice asks for another one too early; Bob gives up, then Carol, which ends this game; and she asks again."""
    alice, bob, carol = seats
    alice.post(f"/games/{game}/rematch")
    for each in (bob, bob, carol):
        each.post(f"/games/{game}/resignation", {"confirm": True})
    alice.post(f"/games/{game}/rematch", Idempotency_Key="another-one")
