"""Access log: request ids, security headers, a log line and, with traces on, a span of every request."""

from __future__ import annotations

import re
import sys
import time
import traceback
from collections.abc import Iterable
from contextlib import suppress
from random import getrandbits
from types import TracebackType
from typing import TYPE_CHECKING, Any

import msgspec
import structlog
from flask import Flask, request

from service.http.middleware import add_headers, wrap
from service.shared import clock, metrics, traces
from service.shared.error_class import error_class

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

REQUEST_ID_KEY = "boardroom.request_id"
"""Environ key of the request id."""
_REQUEST_ID = re.compile(r"[A-Za-z0-9-]{8,64}")
ROUTE = "boardroom.route"
"""Environ key of the route, for requests answered before the app's routing."""
ERROR = "boardroom.error"
"""Environ key of the class of the error behind a 503."""
WAITED = "boardroom.waited"
"""Environ key of a request that waits for events: its duration says nothing of the service."""
SECURITY = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # The address of a page may be a capability link, which nobody else may learn.
    "Referrer-Policy": "no-referrer",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self' data:; manifest-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "Cache-Control": "no-store",
}


def request_id() -> str:
    number: str = request.environ[REQUEST_ID_KEY]
    return number


class _Lines:
    """Writer to standard error; `logging` records cost many times as much as the lines."""

    def info(self, line: str) -> None:
        """Write a line and its end in one piece, so that lines of threads do not mix."""
        # As with `logging`, a full disk must not stop games.
        with suppress(OSError):
            sys.stderr.write(f"{line}\n")

    error = info


class _RequestLine(msgspec.Struct):
    method: str
    route: str | None
    status: int
    ms: float
    request_id: str
    timestamp: str
    error: str | msgspec.UnsetType = msgspec.UNSET
    event: str = "request"
    level: str = "info"


_LINES = _Lines()
log = structlog.wrap_logger(
    _LINES,
    processors=[
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.JSONRenderer(lambda line, **_: msgspec.json.encode(line).decode()),
    ],
).bind()


def log_requests(app: Flask) -> None:
    """Add request ids, security headers, and a JSON log line for every request."""
    add_headers(app, SECURITY)
    wrap(app, _watching)


def _watching(serve: WSGIApplication) -> WSGIApplication:
    def serve_watched(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        began, number = time.perf_counter(), identify(environ)

        def start(status: str, headers: list[tuple[str, str]], *exc_info: Any) -> Any:
            seconds, code = time.perf_counter() - began, int(status[:3])
            method, route = environ["REQUEST_METHOD"], route_of(environ)
            _say_request(method, route, code, round(seconds * 1000, 1), number, environ.get(ERROR, msgspec.UNSET))
            metrics.count_request(method, route, code, None if WAITED in environ else seconds)
            return start_response(status, [*headers, ("X-Request-Id", number)], *exc_info)

        return serve(environ, start)

    return serve_watched


def _say_request(
    method: str, route: str | None, status: int, ms: float, number: str, error: str | msgspec.UnsetType
) -> None:
    """Log a request, as `log.info` would, at a third of the cost."""
    now = clock.now().replace(tzinfo=None)
    line = _RequestLine(method, route, status, ms, number, f"{now.isoformat()}Z", error)
    _LINES.info(msgspec.json.encode(line).decode())


def note_cause(refusal: BaseException) -> None:
    """Name the class of a refusal's cause, if any, in the log line of the request."""
    if refusal.__cause__ is not None:
        request.environ[ERROR] = error_class(refusal.__cause__)


def log_failure(exc_info: tuple[type[BaseException], BaseException, TracebackType | None]) -> None:
    """Log an unexpected error with its frames, without its message and the path, which may hold secrets."""
    kind, _, trace = exc_info
    frames = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in traceback.extract_tb(trace)]
    route = route_of(request.environ)
    log.error("failed", error=kind.__name__, route=route, request_id=request_id(), frames=frames[-12:])


def identify(environ: WSGIEnvironment) -> str:
    """Return the id of a request: the client's if well-formed, else a new one; stored in the environ."""
    number: str | None = environ.get(REQUEST_ID_KEY)
    if number is None:
        wished = environ.get("HTTP_X_REQUEST_ID", "")
        environ[REQUEST_ID_KEY] = number = wished if _REQUEST_ID.fullmatch(wished) else new_id()
    return number


def new_id() -> str:
    # The id protects nothing, so a secure random number is not needed; that would make the thread yield.
    return f"{getrandbits(128):032x}"


def route_of(environ: WSGIEnvironment) -> str | None:
    """Return the template of a request's route, None if no route matches; paths may be capability links."""
    if ROUTE in environ:
        known: str = environ[ROUTE]
        return known
    rule = environ["werkzeug.request"].url_rule
    return None if rule is None else rule.rule


def trace_requests(app: Flask) -> None:
    """Trace each request until the head of its response; nothing if traces are off.

    A span has the method, the template of the route and the status: paths may be capability links. A client's
    `traceparent` is ignored, since strangers could have everything traced.
    """
    if traces.active():
        wrap(app, _tracing)


def _tracing(serve: WSGIApplication) -> WSGIApplication:
    def serve_traced(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        with traces.span("request", "server") as span:
            assert span is not None  # noqa: S101 # for the type checker: there are traces

            def start(status: str, headers: list[tuple[str, str]], *exc_info: Any) -> Any:
                code, route = int(status[:3]), route_of(environ)
                span.set_attribute("http.response.status_code", code)
                if route is not None:
                    # A method that no route knows may be any text.
                    span.update_name(f"{environ['REQUEST_METHOD']} {route}")
                    span.set_attribute("http.request.method", environ["REQUEST_METHOD"])
                    span.set_attribute("http.route", route)
                if code >= 500:
                    traces.fail(span, str(code))
                return start_response(status, headers, *exc_info)

            return serve(environ, start)

    return serve_traced
