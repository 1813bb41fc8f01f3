"""Challenges between Alice and Bob, a bot that is ready, and the stream of an account."""

from __future__ import annotations

from uuid import uuid4

from tests.recording.accounts import UNHEARD_OF
from tests.recording.scribe import Scribe

READY = {"rulesets": ["new-corp-order"], "seats": [2]}


def the_challenges(nobody: Scribe, seats: list[Scribe]) -> None:
    """Bob challenges Alice; a bot of hers is ready, challenged, and says no."""
    alice, bob, _ = seats
    robot = alice.by(bob.post("/bots", {"name": "Robot"})["token"])
    robot.call("PUT", "/me/ready", READY)
    for person, handle in ((bob, "bob"), (robot, "rob-the-robot")):
        person.call("PATCH", "/me", {"handle": handle})
    wanted = {"to": alice.get("/me")["handle"], "ruleset": "new-corp-order", "seats": 2}
    sent = bob.post("/challenges", wanted)["id"]
    bob.post("/challenges", wanted)
    alice.get("/challenges")
    alice.get(f"/challenges/{sent}")
    alice.get("/me/stream?seconds=0")
    ticket = alice.post("/me/stream-tickets")["url"].rpartition("/")[2]
    nobody.get(f"/account-streams/{ticket}?seconds=0")
    nobody.get(f"/account-streams/{UNHEARD_OF}")
    game = alice.post(f"/challenges/{sent}/acceptance")["game"]
    alice.call("DELETE", f"/challenges/{sent}")
    alice.get(f"/challenges/{uuid4()}")
    alice.post(f"/games/{game}/resignation")
    alice.call("PUT", "/me/ready", READY)
    robot.call("PUT", "/me/ready", READY)
    nobody.get("/ready-bots")
    asked = alice.post("/challenges", {**wanted, "to": "rob-the-robot"})["id"]
    robot.call("DELETE", f"/challenges/{asked}")
    robot.call("DELETE", "/me/ready")
