"""People who follow games as streams, and go on after every break with the last event that they have seen."""

from __future__ import annotations

import socket
from contextlib import closing
from http.client import HTTPConnection, HTTPException
from random import Random
from typing import Any

from tests.chaos.book import Book
from tests.chaos.players import Register, Table
from tests.following import Message, Stream

AGAIN_SECONDS = 0.4
SILENCE = 45.0
"""Seconds after which the API says that a stream is to be taken for dead."""
_POLL = 0.2


class Follower:
    """Follows one game after the other; `told` are the streams: the table, the reader's token, and the events told."""

    def __init__(self, port: int, book: Book, register: Register, dice: Random) -> None:
        self._port = port
        self._book = book
        self._register = register
        self._dice = dice
        self.told: list[tuple[Table, str, list[dict[str, Any]]]] = []
        self._connection: HTTPConnection | None = None

    def run(self) -> None:
        """Follow games until the run is over."""
        while not self._book.closing.wait(_POLL):
            going = [each for each in self._register.tables if not each.finished]
            if going:
                self._follow(self._dice.choice(going))

    def hang_up(self) -> None:
        """Break the stream off, so that the thread can end."""
        sock = None if self._connection is None else self._connection.sock
        if sock is not None:
            try:
                sock.shutdown(socket.SHUT_RDWR)
            except OSError:
                return

    def _follow(self, table: Table) -> None:
        events: list[dict[str, Any]] = []
        token = self._dice.choice(table.tokens)
        self.told.append((table, token, events))
        while not self._book.over.is_set():
            if self._listen(table, token, events):
                return
            self._book.count("stream broken off")
            self._book.over.wait(AGAIN_SECONDS)

    def _listen(self, table: Table, token: str, events: list[dict[str, Any]]) -> bool:
        """Listen until the stream breaks off; return whether the game is over."""
        headers = {"Authorization": f"Bearer {token}", "Accept": "text/event-stream"}
        if events:
            headers["Last-Event-ID"] = str(events[-1]["seq"])
        with closing(HTTPConnection("127.0.0.1", self._port, timeout=SILENCE)) as connection:
            self._connection = connection
            try:
                connection.request("GET", f"/api/v1/games/{table.game}/stream", headers=headers)
                answer = connection.getresponse()
                if answer.status != 200:
                    return False
                return any(self._note(message, events) for message in Stream(answer))
            except (OSError, HTTPException, ValueError):
                return False
            finally:
                self._connection = None

    def _note(self, message: Message, events: list[dict[str, Any]]) -> bool:
        if "id" in message.fields:
            events.append(message.event)
        return message.fields.get("event") == "end"
