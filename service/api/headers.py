"""Headers that every answer carries, set where it leaves the app: there they are no more than a list."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from flask import Flask

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment


def add_headers(app: Flask, headers: Mapping[str, str], below: str = "/") -> None:
    """Have every answer to a path below one carry the headers, except for those that it has of its own."""
    serve, pairs = app.wsgi_app, [(name.lower(), (name, value)) for name, value in headers.items()]

    def serve_with_headers(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        def start(status: str, given: list[tuple[str, str]], *exc_info: Any) -> Any:
            names = {name.lower() for name, _ in given}
            return start_response(status, given + [pair for name, pair in pairs if name not in names], *exc_info)

        return serve(environ, start if environ["PATH_INFO"].startswith(below) else start_response)

    app.wsgi_app = serve_with_headers  # type: ignore[method-assign]
