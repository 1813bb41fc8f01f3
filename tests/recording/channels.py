"""Channels beside mail, set up, changed, tried and taken away; and the calendar."""

from __future__ import annotations

from uuid import uuid4

from tests.recording.scribe import Scribe

TOPIC = {"kind": "ntfy", "url": "https://ntfy.example.org/the-table", "messages": ["turn", "over"], "instead": ["over"]}


def the_channels(alice: Scribe) -> None:
    """Alice does all that can be done to a channel, and to one that is not there."""
    channel = f"/me/channels/{alice.post('/me/channels', TOPIC)['id']}"
    alice.get("/me/channels")
    alice.get(channel)
    alice.call("PATCH", channel, {"messages": ["turn", "message"], "instead": []})
    alice.post(f"{channel}/trial")
    alice.post("/me/channels", {**TOPIC, "url": "https://127.0.0.1/the-table"})
    alice.get(f"/me/channels/{uuid4()}")
    alice.get("/me/calendar")
    alice.post("/me/calendar")
