"""Mails: which one gets and when, and whether they arrive."""

from __future__ import annotations

from service.runtime import Runtime
from service.shared import clock
from service.store import mail
from tests.recording.scribe import Scribe

WISHES = {
    "delay": 10,
    "digest": 18,
    "quiet": {"from": 22, "to": 7},
    "kinds": {"message": False},
    "unseen_only": True,
    "links_need_sign_in": True,
    "reminders": 1,
    "mails_apart": True,
}


def the_mails(house: Runtime, nobody: Scribe, alice: Scribe, game: str) -> None:
    """Alice has new links and fewer mails, and learns that her address does not work; those of others are none yet."""
    alice.post(f"/games/{game}/links/renewal")
    alice.call("PUT", f"/games/{game}/mute")
    with house.engine.begin() as db:
        mail.note_suppression(db, mail.suppression_digest("alice@example.org"), "unknown-address", "5.1.1", clock.now())
    alice.get("/me/mail")
    alice.call("PATCH", "/me/mail", WISHES)
    asked = alice.post("/me/mail/addresses", {"email": "alice@work.example"})
    alice.get("/me/mail/addresses")
    alice.call("DELETE", f"/me/mail/addresses/{asked['id']}")
    alice.post("/me/mail/trial")
    alice.call("DELETE", f"/games/{game}/mute")
    nobody.by(nobody.post("/players", {"name": "Frank"})["token"]).post("/me/mail/trial")
    eve = {"name": "Eve", "email": "eve@example.org"}
    nobody.by(nobody.post("/players", eve)["token"]).post("/me/mail/trial")
