"""Stands before the app in a web process: so many requests of a network address at a time, so long for a body.

granian reads the head of a request, by a deadline of its own, and then gives it a thread, which waits for the body
without any. Reading bodies before that, on a loop of asyncio, costs a third of all that an action does; so a thread is
taken at once, but slow bodies cannot keep it, nor one address many of them.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock, Thread
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any, Protocol

from flask import Flask, Response
from granian.server import mp
from werkzeug.exceptions import ClientDisconnected

from service.http.access_log import SECURITY, new_id
from service.http.problems import problem
from service.shared.network import network
from service.shared.request_id import KEY

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

PATIENCE = 15.0
"""Seconds in which the whole body of a request has to arrive."""
TICK = 1.0
"""Seconds between two looks at whose time is up."""
FLUSH = 0.01
"""Seconds that an answer has to leave before its connection ends."""
MOST = 100
"""The most requests of a network address that are under way in a process."""
AGAIN_SECONDS = 5


class Connection(Protocol):
    """What granian answers a request through; only the first answer counts."""

    def response_bytes(self, status: int, headers: list[tuple[str, str]], body: bytes) -> None:
        """Answer."""

    def response_iter(self, status: int, headers: list[tuple[str, str]], body: Iterator[bytes]) -> None:
        """Answer in parts; where these are shorter than the headers say, the connection ends, and so does reading."""


Serve = Callable[[Connection, "WSGIEnvironment"], int]
"""Answers a request by the app, and returns the status."""


class Refusal:
    """A problem that is answered without the app, in English."""

    def __init__(self, response: Response) -> None:
        """`response` is what the app would answer."""
        self._status = response.status_code
        self._headers = {**dict(response.headers), **SECURITY, "Connection": "close"}
        self._problem: dict[str, Any] = json.loads(response.get_data())

    def give(self, connection: Connection) -> int:
        """Answer the request; return the status."""
        number, body = self._made()
        connection.response_bytes(self._status, self._about(len(body), number), body)
        return self._status

    def break_off(self, connection: Connection) -> None:
        """Answer the request, unless it has been answered, and end its connection, although somebody reads from it."""
        number, body = self._made()
        # One byte more than there is: the server gives up a connection on which it cannot keep its word.
        connection.response_iter(self._status, self._about(len(body) + 1, number), _slowly(body))

    def _made(self) -> tuple[str, bytes]:
        number = new_id()
        return number, json.dumps({**self._problem, "request_id": number}).encode()

    def _about(self, length: int, number: str) -> list[tuple[str, str]]:
        return list({**self._headers, "Content-Length": str(length), "X-Request-Id": number}.items())


def _slowly(body: bytes) -> Iterator[bytes]:
    """Yield the body, and end when it is likely to have left."""
    yield body
    sleep(FLUSH)


class Watch:
    """Refuses requests whose bodies do not arrive in time, by a thread of its own."""

    def __init__(self, late: Refusal, patience: float = PATIENCE) -> None:
        self._late = late
        self._patience = patience
        self._waiting: dict[Body, float] = {}
        Thread(target=self._run, name="late-bodies", daemon=True).start()

    @contextmanager
    def over(self, body: Body) -> Iterator[None]:
        """Let the block wait for the body; raises ClientDisconnected after it if that was in vain."""
        self._waiting[body] = body.until = body.until or monotonic() + self._patience
        try:
            yield
        finally:
            in_time = self._waiting.pop(body, None) is not None
        if not in_time:
            raise ClientDisconnected

    def _run(self) -> None:
        while True:
            sleep(TICK)
            now = monotonic()
            for body, until in list(self._waiting.items()):
                if until < now and self._waiting.pop(body, None) is not None:
                    self._late.break_off(body.connection)


class Body:
    """A request's body (wsgi.input), the reading of which is watched."""

    __slots__ = ("_stream", "_watch", "connection", "until")

    def __init__(self, stream: Any, connection: Connection, watch: Watch) -> None:
        self._stream = stream
        self._watch = watch
        self.connection = connection
        self.until = 0.0

    def read(self, *size: int) -> bytes:
        """Return so many bytes, or all; raises ClientDisconnected when they are late."""
        with self._watch.over(self):
            found: bytes = self._stream.read(*size)
            return found

    def readline(self, *size: int) -> bytes:
        """Return a line, as `read`."""
        with self._watch.over(self):
            found: bytes = self._stream.readline(*size)
            return found

    def readlines(self, *hint: int) -> list[bytes]:
        """Return all lines, as `read`."""
        with self._watch.over(self):
            found: list[bytes] = self._stream.readlines(*hint)
            return found

    def __iter__(self) -> Iterator[bytes]:
        """Return the lines, as `read`."""
        return iter(self.readline, b"")


class Gate:
    """Lets requests through to the app; `proxies` is as in Settings: behind them a request has its client's address."""

    def __init__(self, app: Flask, proxies: int, most: int = MOST) -> None:
        with app.test_request_context(environ_overrides={KEY: new_id()}):
            crowded = problem("rate-limited", "at-once", seconds=AGAIN_SECONDS)
            crowded.headers["Retry-After"] = str(AGAIN_SECONDS)
            self._crowded = Refusal(crowded)
            self._watch = Watch(Refusal(problem("request-timeout")))
        self._proxies = proxies
        self._most = most
        self._under_way: Counter[str] = Counter()
        self._lock = Lock()

    def before(self, serve: Serve) -> Serve:
        """Return what serves a request that may pass."""

        def serve_some(connection: Connection, environ: WSGIEnvironment) -> int:
            client = self._client(environ)
            with self._lock:
                if self._under_way[client] >= self._most:
                    return self._crowded.give(connection)
                self._under_way[client] += 1
            try:
                if environ.get("CONTENT_LENGTH", "0") != "0" or "HTTP_TRANSFER_ENCODING" in environ:
                    environ["wsgi.input"] = Body(environ["wsgi.input"], connection, self._watch)
                return serve(connection, environ)
            finally:
                with self._lock:
                    self._under_way[client] -= 1
                    if not self._under_way[client]:
                        del self._under_way[client]

        return serve_some

    def _client(self, environ: WSGIEnvironment) -> str:
        address: str = environ["REMOTE_ADDR"]
        if self._proxies:
            named = environ.get("HTTP_X_FORWARDED_FOR", "").split(",")
            if len(named) >= self._proxies:
                address = named[-self._proxies].strip()
        return network(address)


def stand_before(app: Flask, proxies: int) -> None:
    """Have granian, in this process, let requests to the app pass the gate."""
    # Any, because this is granian's own; it has no hook before the app that could answer in place of the app.
    granian: Any = mp
    gate, wrap = Gate(app, proxies), granian._wsgi_call_wrap

    def wrap_behind_gate(serve: Any, *options: Any) -> Serve:
        return gate.before(wrap(serve, *options))

    granian._wsgi_call_wrap = wrap_behind_gate
