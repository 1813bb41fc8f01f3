"""A client that keeps several HTTP connections busy from one process, at little cost of its own."""

from __future__ import annotations

import re
import selectors
import socket
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from time import perf_counter

_LENGTH = re.compile(rb"content-length: (\d+)", re.IGNORECASE)
_ACCEPTED = (b"HTTP/1.1 201", b"HTTP/1.1 204")
_PIECE = 1 << 15
"""The most bytes of an answer that are read at once: memory for more would be given and taken back each time."""
PATIENCE = 10.0
Script = Sequence[tuple[int, bytes]]
"""Requests, each with the seat that makes it."""


@dataclass(slots=True)
class Tally:
    """What came of a load: the seconds that each accepted request took, how long all of it took, and refusals.

    `answered` says of each script how many of its requests were, `read` how many bytes came with their heads.
    """

    latencies: list[float] = field(default_factory=list)
    seconds: float = 0.0
    refused: list[str] = field(default_factory=list)
    answered: list[int] = field(default_factory=list)
    read: int = 0


class _Line:
    """Kept-alive connections that take turns: the requests are sent one after the other, each over that of its seat."""

    def __init__(self, port: int, connections: int) -> None:
        self.sockets = [socket.create_connection(("127.0.0.1", port)) for _ in range(connections)]
        for each in self.sockets:
            each.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._socket = self.sockets[0]
        self._requests: Iterator[tuple[int, bytes]] = iter(())
        self._answer = b""
        self._sent = 0.0
        self.answered = 0

    def begin(self, requests: Script) -> None:
        """Send the first of other requests."""
        self._requests, self.answered = iter(requests), 0
        self.send_next()

    def send_next(self) -> bool:
        seat, request = next(self._requests, (0, None))
        if request is None:
            return False
        self._answer, self._sent = b"", perf_counter()
        self._socket = self.sockets[seat % len(self.sockets)]
        self._socket.sendall(request)
        return True

    def receive(self, tally: Tally) -> bool:
        """Read what is there; return whether that was the end of an answer."""
        self._answer += self._socket.recv(_PIECE)
        head = self._answer.find(b"\r\n\r\n")
        if head < 0:
            return False
        # An answer without content has no length (RFC 9110, 8.6).
        found = _LENGTH.search(self._answer, 0, head + 1)
        if found is not None and len(self._answer) < head + 4 + int(found[1]):
            return False
        if self._answer.startswith(_ACCEPTED):
            tally.latencies.append(perf_counter() - self._sent)
        else:
            tally.refused.append(self._answer.decode())
        self.answered += 1
        tally.read += len(self._answer)
        return True


_lines: list[_Line] = []
"""Those of this process."""


def connect(port: int, number: int, connections: int) -> None:
    """Open connections for so many scripts, which this process keeps; with several for each, each seat has one."""
    _lines.extend(_Line(port, connections) for _ in range(number))


def drive(scripts: Sequence[Script], seconds: float) -> Tally:
    """Send each script over its connections, for so long or until the first script has come to its end.

    Whatever was sent is answered then, so that the scripts can go on from there.
    """
    tally, begun = Tally(), perf_counter()
    with selectors.DefaultSelector() as waiting:
        for line, script in zip(_lines, scripts, strict=True):
            for each in line.sockets:
                waiting.register(each, selectors.EVENT_READ, line)
            line.begin(script)
        going, open_ones = True, len(_lines)
        while open_ones and (ready := waiting.select(PATIENCE)):
            for key, _ in ready:
                if key.data.receive(tally):
                    going = going and perf_counter() - begun < seconds and key.data.send_next()
                    open_ones -= not going
        tally.seconds = perf_counter() - begun
        tally.answered = [line.answered for line in _lines]
    return tally
