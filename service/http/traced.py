"""A span for each request, where there are traces."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from flask import Flask

from service.http.access_log import route_of
from service.http.middleware import wrap
from service.shared import traces

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment


def trace(app: Flask) -> None:
    """Let a trace begin with each request, until the head of its answer is known; nothing where traces are off.

    A span tells the method, the template of the route and the status: paths may be capability links. A `traceparent`
    that a client sends is not followed, since strangers could have everything traced.
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
