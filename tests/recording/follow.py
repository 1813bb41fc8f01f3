"""What goes on beside the game: whose turn it is, talk, notes, the stream of events."""

from __future__ import annotations

from tests.recording.scribe import Scribe


def while_it_runs(alice: Scribe, game: str) -> None:
    """Alice looks what waits for her, says something, and notes something."""
    alice.get("/me/turns")
    alice.post(f"/games/{game}/talk", {"text": "Good luck, everybody!"})
    alice.get(f"/games/{game}/talk")
    alice.call("PUT", f"/games/{game}/notes", {"text": "Bob collects networks."})
    alice.get(f"/games/{game}/notes")
    alice.post(f"/games/{game}/hints")
    alone = alice.post("/games", {"ruleset": "new-corp-order", "seats": 1, "start": "full"})["id"]
    alice.post(f"/games/{alone}/hints")


def when_it_is_over(alice: Scribe, game: str) -> None:
    """The game is looked at again; a stream of a game that is over ends by itself; a ticket opens one once."""
    alice.get(f"/games/{game}/replay?seat=1")
    alice.get(f"/games/{game}/replay/4?seat=spectator")
    alice.get(f"/games/{game}/listing?language=de")
    alice.post(f"/games/{game}/analysis")
    alice.get(f"/games/{game}/analysis")
    for kind in ("svg", "png"):
        alice.get(f"/games/{game}/plots/standings.{kind}")
    version = alice.get(f"/games/{game}")["version"]
    alice.get(f"/games/{game}/stream", Last_Event_ID=str(version - 2))
    ticket = alice.post(f"/games/{game}/stream-tickets")["url"].rpartition("/")[2]
    for _ in range(2):
        alice.get(f"/streams/{ticket}?after={version - 1}")
