"""An absence is announced, changed, and ended early."""

from __future__ import annotations

from datetime import timedelta

from service.shared import clock
from tests.recording.scribe import Scribe


def the_absence(alice: Scribe) -> None:
    """Alice goes away in a few days, for shorter than she first thought, and then not at all."""
    first = clock.now().date() + timedelta(days=5)
    until = first + timedelta(days=9)
    made = alice.post("/me/absences", {"from": first.isoformat(), "until": until.isoformat()})
    alice.call("PATCH", f"/me/absences/{made['id']}", {"until": (until - timedelta(days=2)).isoformat()})
    alice.get("/me/absences")
    alice.post("/me/absences", {"until": (first - timedelta(days=9)).isoformat()})


def the_absence_is_off(alice: Scribe) -> None:
    """Alice stays."""
    for each in alice.get("/me/absences")["items"]:
        alice.call("DELETE", f"/me/absences/{each['id']}")
