"""Wraps an app in middleware."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from flask import Flask

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication


def wrap(app: Flask, middleware: Callable[[WSGIApplication], WSGIApplication]) -> None:
    """Wrap the app in the middleware, outside of all middleware that it has already."""
    # Flask's documented way, which its types forbid.
    app.wsgi_app = middleware(app.wsgi_app)  # type: ignore[method-assign,assignment]
