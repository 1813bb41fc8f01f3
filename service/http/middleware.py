"""WSGI middleware: wrap an app, and add headers to all its responses."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from flask import Flask

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment
_HEADERS = "headers"
"""Key of the app's extensions: path prefixes, each with headers by their names in lower case."""


def wrap(app: Flask, middleware: Callable[[WSGIApplication], WSGIApplication]) -> None:
    """Wrap the app in the middleware, outside of its present middleware."""
    # Flask's documented way, which its types forbid.
    app.wsgi_app = middleware(app.wsgi_app)  # type: ignore[method-assign,assignment]


Rows = list[tuple[str, list[tuple[str, tuple[str, str]]]]]


def add_headers(app: Flask, headers: Mapping[str, str], below: str = "/") -> None:
    """Add the headers to every response whose path begins with `below`, unless the response has them already."""
    if _HEADERS not in app.extensions:
        app.extensions[_HEADERS] = []
        wrap(app, lambda serve: _adding(serve, app.extensions[_HEADERS]))
    app.extensions[_HEADERS].append((below, [(name.lower(), (name, value)) for name, value in headers.items()]))


def _adding(serve: WSGIApplication, rows: Rows) -> WSGIApplication:
    def serve_with_headers(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        path: str = environ["PATH_INFO"]

        def start(status: str, given: list[tuple[str, str]], *exc_info: Any) -> Any:
            names = {name.lower() for name, _ in given}
            due = (pairs for below, pairs in rows if path.startswith(below))
            more = [pair for pairs in due for name, pair in pairs if name not in names]
            return start_response(status, given + more, *exc_info)

        return serve(environ, start)

    return serve_with_headers
