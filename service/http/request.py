"""The class of requests, with what the guards have found out about them."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from flask import Request, request

from service.handlers.authentication import Authenticated
from service.http.limit_table import LimitUse

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment


LARGEST = 64 * 1024
"""The most bytes of a request's body."""


class CurrentRequest(Request):
    """A request with its authenticated player, and the use of its rate limit by its `subject`; None until looked up."""

    # A body of unknown length is cut off there without an error; the extra byte shows that it was longer.
    max_content_length = LARGEST + 1
    identity: Authenticated | None = None
    standing: LimitUse | None = None
    subject = ""

    def __init__(self, environ: WSGIEnvironment, populate_request: bool = True, shallow: bool = False) -> None:
        super().__init__(environ, populate_request, shallow)
        if not self.query_string.isascii():
            # Bytes that are not UTF-8 would raise an error wherever the query is read.
            self.query_string = self.query_string.decode(errors="replace").encode()


def current_request() -> CurrentRequest:
    """Return the current request, with the type that the app gives it."""
    return cast(CurrentRequest, request)
