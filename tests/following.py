"""Following a game over a real connection: requests that wait, and streams of events."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPResponse
from typing import Any
from urllib.parse import urlsplit

PATIENCE = 60


@dataclass(slots=True)
class Message:
    """A server-sent event: what stood in each of its fields; a comment is a message of nothing but `comment`."""

    fields: dict[str, str] = field(default_factory=dict)

    @property
    def event(self) -> dict[str, Any]:
        """The event of the game that it holds."""
        read: dict[str, Any] = json.loads(self.fields["data"])
        return read


class Stream:
    """An open stream."""

    def __init__(self, answer: HTTPResponse) -> None:
        self.answer = answer

    def __iter__(self) -> Iterator[Message]:
        """Yield the messages as they come, until the server ends the stream."""
        message = Message()
        for line in iter(self.answer.readline, b""):
            name, colon, value = line.decode().rstrip("\n").partition(":")
            if colon:
                message.fields[name or "comment"] = value.strip()
            elif message.fields:
                yield message
                message = Message()

    def events(self) -> Iterator[dict[str, Any]]:
        """Yield the events of the game."""
        return (message.event for message in self if "id" in message.fields)


@contextmanager
def asked(address: str, path: str, token: str, **headers: str) -> Iterator[HTTPResponse]:
    """Send a GET below /api/v1 and give the answer while its body is still to be read."""
    connection = HTTPConnection(urlsplit(address).netloc, timeout=PATIENCE)
    given = {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request("GET", f"/api/v1{path}", headers={"Authorization": f"Bearer {token}", **given})
    try:
        yield connection.getresponse()
    finally:
        connection.close()


def got(address: str, path: str, token: str) -> Any:
    """Return the JSON of the answer to a GET."""
    with asked(address, path, token) as answer:
        return json.loads(answer.read())
