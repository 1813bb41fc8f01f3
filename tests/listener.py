"""A server of somebody else's, on this machine: it notes who connects and what is posted, and answers as told."""

from __future__ import annotations

import ssl
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any


@dataclass(frozen=True, slots=True)
class Received:
    """A request that came in; header names are in lower case."""

    path: str
    headers: Mapping[str, str]
    body: bytes
    method: str = "POST"


@dataclass(slots=True)
class Reply:
    """What is answered."""

    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""


class Listener(ThreadingHTTPServer):
    """Context manager: listens on a free port of 127.0.0.1; `reply` may be changed, or be asked for each request."""

    block_on_close = False

    def __init__(self, context: ssl.SSLContext | None = None) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.received: list[Received] = []
        self.connections = 0
        self.reply: Reply | Callable[[], Reply] = Reply()
        if context is not None:
            self.socket = context.wrap_socket(self.socket, server_side=True, do_handshake_on_connect=False)

    @property
    def url(self) -> str:
        """Where to post to."""
        return f"http://127.0.0.1:{self.server_port}/hook"

    def get_request(self) -> Any:
        """Count the connection."""
        self.connections += 1
        return super().get_request()

    def answer(self, received: Received) -> Reply:
        """Return what is answered to a request."""
        return self.reply if isinstance(self.reply, Reply) else self.reply()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Let a caller hang up without a word."""

    def __enter__(self) -> Listener:
        Thread(target=self.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.shutdown()
        self.server_close()


class _Handler(BaseHTTPRequestHandler):
    server: Listener

    def do_POST(self) -> None:
        headers = {name.lower(): value for name, value in self.headers.items()}
        body = self.rfile.read(int(headers["content-length"]))
        received = Received(self.path, headers, body, self.command)
        self.server.received.append(received)
        reply = self.server.answer(received)
        self.send_response(reply.status)
        for name, value in reply.headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(reply.body)

    do_GET = do_PUT = do_POST  # noqa: N815 - the names are those of the library

    def log_message(self, *_: Any) -> None:
        """Say nothing."""
