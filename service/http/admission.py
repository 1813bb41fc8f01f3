"""Admission control of a web process: concurrent requests per network address, and a deadline for request bodies.

granian reads the head of a request, with a deadline, and then gives the request a thread, which waits for the body
without a deadline. Reading bodies in an asyncio loop instead would cost a third of the time of an action. So each
request gets a thread at once, but a slow body cannot hold the thread, and an address cannot take many threads.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from threading import Lock, Thread
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from flask import Flask, Response
from granian.server import mp
from werkzeug.datastructures import LanguageAccept
from werkzeug.exceptions import RequestTimeout
from werkzeug.http import parse_accept_header

from service.http.access_log import REQUEST_ID_KEY, SECURITY, identify, log, new_id
from service.http.problems import problem
from service.http.request import preferred
from service.shared import metrics, refusal
from service.shared.log_dedup import LogDedup
from service.shared.network import network
from service.shared.refusal import RateLimited
from service.texts.catalog import DEFAULT, languages

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

BODY_TIMEOUT_S = 15.0
"""Seconds for the whole body of a request to arrive."""
BODY_CHECK_S = 1.0
"""Seconds between checks for late bodies."""
FLUSH_S = 0.01
"""Seconds for a response to leave before its connection is closed."""
MAX_CONCURRENT = 100
"""Maximum concurrent requests with a body per network address and process, and as many without a body."""
PROBE_PATHS = frozenset({"/livez", "/readyz", "/metrics"})
"""Paths of health probes, which are always admitted: a monitor may share an address with clients."""
RETRY_AFTER_S = 5


class Connection(Protocol):
    """granian's object for the response to a request; only the first response counts."""

    def response_bytes(self, status: int, headers: list[tuple[str, str]], body: bytes) -> None:
        """Answer."""

    def response_iter(self, status: int, headers: list[tuple[str, str]], body: Iterator[bytes]) -> None:
        """Send a response in parts; if shorter than Content-Length, the connection closes, and with it all reading."""


Serve = Callable[[Connection, "WSGIEnvironment"], int]
"""Function that serves a request by the app, and returns the status."""


class EarlyAnswer:
    """Problem that is sent without the app, in the language of the request."""

    def __init__(self, app: Flask, answer: Callable[[], Response]) -> None:
        """Render the problem in each language; `answer` returns the app's response within a request context."""
        self._responses: dict[str, Response] = {}
        for language in languages():
            asking = {"Accept-Language": language}
            with app.test_request_context(headers=asking, environ_overrides={REQUEST_ID_KEY: new_id()}):
                self._responses[language] = answer()

    def give(self, request: PendingRequest) -> int:
        """Send the problem; return the status."""
        response, body = self._made(request)
        request.connection.response_bytes(response.status_code, _headers(response, request, len(body)), body)
        return response.status_code

    def break_off(self, request: PendingRequest) -> None:
        """Send the problem, unless a response was sent, and close the connection, although it is being read from."""
        response, body = self._made(request)
        # Promise one byte too many: the server closes a connection on which it cannot send Content-Length bytes.
        headers = _headers(response, request, len(body) + 1)
        request.connection.response_iter(response.status_code, headers, _slowly(body))

    def _made(self, request: PendingRequest) -> tuple[Response, bytes]:
        response = self._responses[request.language]
        return response, json.dumps({**json.loads(response.get_data()), "request_id": request.id}).encode()


class PendingRequest(NamedTuple):
    """Request that has not reached the app, or whose body the app is reading."""

    connection: Connection
    environ: WSGIEnvironment

    @property
    def language(self) -> str:
        """Return the language of the response."""
        asked = parse_accept_header(self.environ.get("HTTP_ACCEPT_LANGUAGE"), LanguageAccept)
        return preferred(asked) or DEFAULT

    @property
    def id(self) -> str:
        """Return the request id, as in the log."""
        return identify(self.environ)


def _headers(response: Response, request: PendingRequest, length: int) -> list[tuple[str, str]]:
    own = {"Connection": "close", "Content-Length": str(length), "X-Request-Id": request.id}
    return list({**dict(response.headers), **SECURITY, **own}.items())


def _slowly(body: bytes) -> Iterator[bytes]:
    """Yield the body, and end once it has probably left."""
    yield body
    sleep(FLUSH_S)


class BodyDeadline:
    """Deadline for request bodies: a thread refuses requests with late bodies."""

    def __init__(self, late: EarlyAnswer, patience: float = BODY_TIMEOUT_S) -> None:
        self._late = late
        self._patience = patience
        self._waiting: dict[Body, float] = {}
        Thread(target=self._run, name="late-bodies", daemon=True).start()

    def over(self, body: Body, read: Callable[..., Any], size: tuple[int, ...]) -> Any:
        """Read from the body; raises RequestTimeout afterwards if the deadline has passed.

        The client has its response by then; the app's response has the same status, and only the log sees it.
        """
        self._waiting[body] = body.until = body.until or monotonic() + self._patience
        try:
            found = read(*size)
        finally:
            in_time = self._waiting.pop(body, None) is not None
        if not in_time:
            raise RequestTimeout
        return found

    def _run(self) -> None:
        while True:
            sleep(BODY_CHECK_S)
            now = monotonic()
            for body, until in list(self._waiting.items()):
                if until < now and self._waiting.pop(body, None) is not None:
                    self._late.break_off(body.request)


class Body:
    """Body of a request (wsgi.input) with a deadline for reading."""

    __slots__ = ("_deadline", "_stream", "request", "until")

    def __init__(self, stream: Any, request: PendingRequest, deadline: BodyDeadline) -> None:
        self._stream = stream
        self._deadline = deadline
        self.request = request
        self.until = 0.0

    def read(self, *size: int) -> bytes:
        """Return `size` bytes, or all; raises RequestTimeout if they are late."""
        found: bytes = self._deadline.over(self, self._stream.read, size)
        return found

    def readline(self, *size: int) -> bytes:
        """Return a line; raises as `read`."""
        found: bytes = self._deadline.over(self, self._stream.readline, size)
        return found

    def readlines(self, *hint: int) -> list[bytes]:
        """Return all lines; raises as `read`."""
        found: list[bytes] = self._deadline.over(self, self._stream.readlines, hint)
        return found

    def __iter__(self) -> Iterator[bytes]:
        """Return an iterator over the lines; raises as `read`."""
        return iter(self.readline, b"")


class Gate:
    """Gate that admits requests to the app; `proxies` (as in Settings) selects the client's address."""

    def __init__(self, app: Flask, proxies: int, most: int = MAX_CONCURRENT) -> None:
        self._crowded = EarlyAnswer(app, _crowded)
        self._deadline = BodyDeadline(EarlyAnswer(app, lambda: problem(refusal.RequestTimeout())))
        self._proxies = proxies
        self._most = most
        self._under_way: Counter[tuple[str, bool]] = Counter()
        self._repeats = LogDedup()
        self._lock = Lock()

    def before(self, serve: Serve) -> Serve:
        """Return a function that serves a request if admitted, and refuses it otherwise."""

        def serve_some(connection: Connection, environ: WSGIEnvironment) -> int:
            client, request = self._client(environ), PendingRequest(connection, environ)
            with_body = environ.get("CONTENT_LENGTH", "0") != "0" or "HTTP_TRANSFER_ENCODING" in environ
            if not with_body and environ["PATH_INFO"] in PROBE_PATHS:
                return serve(connection, environ)
            # Count apart, so that slow bodies lock nobody behind the same address out of reading.
            counted = client, with_body
            with self._lock:
                passes = self._under_way[counted] < self._most
                self._under_way[counted] += passes
            if not passes:
                self._log(client, request)
                metrics.count_request(environ["REQUEST_METHOD"], None, 429, None)
                return self._crowded.give(request)
            try:
                if with_body:
                    # Set the id before the app copies the environ, so that both use the same id.
                    identify(environ)
                    environ["wsgi.input"] = Body(environ["wsgi.input"], request, self._deadline)
                return serve(connection, environ)
            finally:
                with self._lock:
                    self._under_way[counted] -= 1
                    if not self._under_way[counted]:
                        del self._under_way[counted]

        return serve_some

    def _log(self, client: str, request: PendingRequest) -> None:
        """Log a refusal as the app logs its responses, but at most once a minute per client."""
        with self._lock:
            dropped = self._repeats.count(client)
        if dropped is not None:
            more = {"since": dropped} if dropped else {}
            method = request.environ["REQUEST_METHOD"]
            log.info("request", method=method, route=None, status=429, ms=0.0, request_id=request.id, **more)

    def _client(self, environ: WSGIEnvironment) -> str:
        address: str = environ["REMOTE_ADDR"]
        if self._proxies:
            named = environ.get("HTTP_X_FORWARDED_FOR", "").split(",")
            if len(named) >= self._proxies:
                address = named[-self._proxies].strip()
        return network(address)


def _crowded() -> Response:
    crowded = RateLimited("at-once", seconds=RETRY_AFTER_S)
    crowded.retry_after = RETRY_AFTER_S
    return problem(crowded)


def install_gate(app: Flask, proxies: int) -> None:
    """Put a gate in front of the app, in granian's workers of this process."""
    # Any, because the function is private: granian has no hook before the app.
    granian: Any = mp
    gate, wrap = Gate(app, proxies), granian._wsgi_call_wrap

    def wrap_behind_gate(serve: Any, *options: Any) -> Serve:
        return gate.before(wrap(serve, *options))

    granian._wsgi_call_wrap = wrap_behind_gate
