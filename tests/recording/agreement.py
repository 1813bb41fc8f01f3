"""Pauses, and actions that are taken back by consent."""

from __future__ import annotations

from datetime import timedelta

from service.shared import clock
from tests.recording.scribe import Scribe

GAME = {
    "ruleset": "new-corp-order",
    "seats": 2,
    "options": {"first-player": 0},
    "access": "public",
}


def the_agreements(seats: list[Scribe]) -> None:
    """Alice and Bob pause their game and go on; then Alice asks Bob to have an action taken back, and again."""
    alice, bob, _ = seats
    game = _begun(alice, bob, "daily")
    pause, until = f"{game}/pause", {"until": _in_days(7)}
    alice.post(pause, until, Idempotency_Key="a-week-without-us")
    bob.post(f"{pause}/agreement", until)
    alice.get(pause)
    bob.call("DELETE", pause)
    bob.call("DELETE", pause)
    alice.post(pause, {"until": _in_days(100)})
    requests = f"{game}/take-back-requests"
    for answer in ("agreement", None):
        decision = alice.get(f"{game}/legal-actions")["decision"]
        alice.post(f"{game}/actions", {"decision": decision, "notation": "P D"})
        asked = alice.post(requests, {"decision": decision})
        bob.get(requests)
        if answer is None:
            bob.call("DELETE", f"{requests}/{asked['first']}")
        else:
            bob.post(f"{requests}/{asked['first']}/agreement")
    bob.post(f"{requests}/{asked['first']}/agreement")


def without_a_clock(seats: list[Scribe]) -> None:
    """In a game without a clock there is nothing to pause, and nothing is taken back by consent."""
    alice, bob, _ = seats
    game = _begun(alice, bob, "none")
    alice.post(f"{game}/pause", {"until": _in_days(7)})
    alice.post(f"{game}/take-back-requests", {"decision": 1})


def _begun(alice: Scribe, bob: Scribe, pace: str) -> str:
    game = f"/games/{alice.post('/games', {**GAME, 'pace': {'name': pace}})['id']}"
    bob.post(f"{game}/seats")
    alice.post(f"{game}/start")
    return game


def _in_days(days: int) -> str:
    return clock.to_the_millisecond(clock.now() + timedelta(days=days)).isoformat()
