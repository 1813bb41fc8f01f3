"""The web server itself, as `make up` runs it, in processes of its own."""

from __future__ import annotations

import json
import socket
import sys
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter
from typing import Any

from service.local.supervisor import Child, Program, last_line, wait_until
from service.settings import WEB_PROCESSES, Settings
from tests.ports import free_port

PATIENCE = 60


@dataclass(frozen=True, slots=True)
class Reply:
    """Response of a server, and the seconds until the response."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    seconds: float

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass(frozen=True, slots=True)
class Server:
    """A web server that runs on a port of this machine."""

    port: int
    child: Child

    def ask(self, path: str, body: Any = None, headers: Mapping[str, str] | None = None, source: str = "") -> Reply:
        """Get the path, or post the body to it as JSON, on a connection of its own from the address `source`."""
        data = None if body is None else json.dumps(body).encode()
        head = {"Content-Length": str(len(data)), "Content-Type": "application/json"} if data is not None else {}
        fields = {"Host": "localhost", "Connection": "close", **head, **(headers or {})}
        lines = [f"{'GET' if data is None else 'POST'} {path} HTTP/1.1"]
        lines += [f"{name}: {value}" for name, value in fields.items()]
        begun = perf_counter()
        with self.line(source) as line:
            line.sendall(("\r\n".join(lines) + "\r\n\r\n").encode() + (data or b""))
            status, found, came = read_answer(line)
        return Reply(status, found, came, perf_counter() - begun)

    def line(self, source: str = "") -> socket.socket:
        """Connect to it."""
        return socket.create_connection(("127.0.0.1", self.port), PATIENCE, (source, 0) if source else None)


def read_answer(line: socket.socket) -> tuple[int, dict[str, str], bytes]:
    """Read an answer to the connection's end: its status, its headers by their name in small letters, its body."""
    came = line.makefile("rb").read()
    head, _, body = came.partition(b"\r\n\r\n")
    first, *rest = head.decode().split("\r\n")
    return int(first.split()[1]), {n.lower(): v for n, _, v in (each.partition(": ") for each in rest)}, body


def wait_for(child: Child, ready: Callable[[], bool], seconds: float) -> None:
    """Wait until a child is ready; it has to be within so many seconds, and not to end before."""
    assert wait_until(lambda: child.exit_code is not None or ready(), seconds), last_line(child.program.log)
    assert child.exit_code is None, last_line(child.program.log)


@contextmanager
def web_server(settings: Settings, folder: Path) -> Iterator[Server]:
    """Run the web server with the settings, but on a free port."""
    port = free_port()
    environment = replace(settings, port=port).environment()
    command = [sys.executable, "-m", "service.serve"]
    program = Program(name="The web server", command=command, log=folder / "web.log", environment=environment)
    child = Child(program)
    try:
        wait_for(child, lambda: _lives(port) and _complete(program.log), PATIENCE)
        yield Server(port, child)
    finally:
        child.stop()


def _complete(log: Path) -> bool:
    """Return whether all processes accept connections: one alone answers too, but has room for fewer."""
    return log.read_text().count("Started worker-") >= WEB_PROCESSES


def _lives(port: int) -> bool:
    with suppress(OSError), urllib.request.urlopen(f"http://127.0.0.1:{port}/livez", timeout=2):
        return True
    return False
