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
    the_second_thoughts(alice, game, said["decision"])
    alice.get(f"/games/{game}")
    alice.get(f"/games/{game}/events?after=2&limit=3")
    the_orders(seats, game)
    alice.get(f"/games/{game}/standings")
    alice.get(f"/games/{game}/board")
    alice.get(f"/games/{game}/board.svg")


def the_orders(seats: list[Scribe], game: str) -> None:
    """Bob gives two moves ahead and has his discards answered; an order that makes no sense is refused."""
    bob, place = seats[1], f"/games/{game}/orders"
    legal = [{"notation": "P D D"}, {"notation": "P 1 2", "conditions": [{"pointer": "/display/0"}]}]
    bob.call("PUT", place, {"orders": legal})
    bob.call("PUT", place, {"orders": [{"notation": "T A1-C3 1"}]})
    bob.get(place)
    bob.get(f"{place}/auto-answers")
    bob.call("PUT", f"{place}/auto-answers", {"chosen": ["discard-commonest"]})
    bob.call("PUT", f"{place}/auto-answers", {"chosen": []})
    bob.call("DELETE", place)


def the_second_thoughts(alice: Scribe, game: str, decision: int) -> None:
    """Alice takes her action back, once; then she draws a card, and that cannot be taken back."""
    place = f"/games/{game}/take-back"
    alice.get(place)
    again = alice.post(place, {"decision": decision})
    alice.post(place, {"decision": decision})
    alice.post(f"/games/{game}/actions", {"decision": again["decision"], "notation": "P D"})
    alice.post(place, {"decision": again["decision"]})


def the_end(seats: list[Scribe], game: str) -> None:
    """Alice asks for another one too early; Bob gives up, and it is too late to take anything back; then Carol does,
    which ends this game; and Alice asks again.
    """
    alice, bob, carol = seats
    alice.post(f"/games/{game}/rematch")
    drawn = alice.get(f"/games/{game}/legal-actions")["decision"] - 1
    bob.post(f"/games/{game}/resignation", {"confirm": True})
    alice.post(f"/games/{game}/take-back", {"decision": drawn})
    for each in (bob, carol):
        each.post(f"/games/{game}/resignation", {"confirm": True})
    alice.post(f"/games/{game}/rematch", Idempotency_Key="another-one")
    bob.get("/me/invitations")
    alice.post(f"/games/{game}/fork", {"seq": 9, "access": "public", "name": "What if?"})
