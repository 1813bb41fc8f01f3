"""Connections by TLS that have sent what they will ever send, from many addresses of this machine."""

from __future__ import annotations

import resource
import socket
import ssl
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests.deploy.proxy.proxies import NAME, Proxy

HALF_A_HEAD = f"GET /livez HTTP/1.1\r\nHost: {NAME}\r\nX-A: ".encode()
_FORM = b"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 9\r\n\r\n"
ONE_BYTE = f"POST /language HTTP/1.1\r\nHost: {NAME}\r\n".encode() + _FORM + b"l"
ADDRESSES = 50
_ESTABLISHED = "01"


class SlowClients:
    """Open connections, by what they have sent."""

    def __init__(self, lines: dict[bytes, list[socket.socket]]) -> None:
        self._lines = lines

    def closed(self, sent: bytes) -> int:
        """Close those that the proxy has answered or closed; return how many those are so far."""
        for line in self._lines[sent]:
            if line.fileno() >= 0 and _has_ended(line):
                line.close()
        return sum(line.fileno() < 0 for line in self._lines[sent])


def _has_ended(line: socket.socket) -> bool:
    # The tickets of TLS 1.3 come right after the handshake, and are no answer.
    try:
        line.recv(4096)
    except ssl.SSLWantReadError:
        return False
    except OSError:
        return True
    return True


@contextmanager
def slow_clients(proxy: Proxy, number: int) -> Iterator[SlowClients]:
    """Open so many connections: half of them send half a head, and half a head with one byte of a body."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, number + 1000), hard))
    lines: dict[bytes, list[socket.socket]] = {HALF_A_HEAD: [], ONE_BYTE: []}
    with ExitStack() as stack:
        for each in range(number // 2):
            for sent, opened in lines.items():
                opened.append(stack.enter_context(proxy.line(f"127.0.3.{each % ADDRESSES + 1}")))
                opened[-1].sendall(sent)
                opened[-1].setblocking(False)
        yield SlowClients(lines)
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def connections_at(port: int) -> int:
    """Return how many connections a server on a port of this machine has open."""
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return sum(row[1].endswith(f":{port:04X}") and row[3] == _ESTABLISHED for row in rows)
