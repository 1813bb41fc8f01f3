"""The request at hand, and what is found out about it on its way."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from flask import Request, request

from service.handlers.authentication import Authenticated
from service.http.limit_table import Standing

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment


LARGEST = 64 * 1024
"""The most bytes of a request's body."""


class CurrentRequest(Request):
    """A request: who asks, and where the `subject` of its limit stands; None as long as nobody has looked.

    `remembered` if who asks was not looked up, and may have lost the right to.
    """

    # A body of unknown length is cut off there without a word; the byte too many tells.
    max_content_length = LARGEST + 1
    identity: Authenticated | None = None
    remembered = False
    standing: Standing | None = None
    subject = ""

    def __init__(self, environ: WSGIEnvironment, populate_request: bool = True, shallow: bool = False) -> None:
        super().__init__(environ, populate_request, shallow)
        if not self.query_string.isascii():
            # Bytes that are no UTF-8 would be an error wherever somebody looks at them.
            self.query_string = self.query_string.decode(errors="replace").encode()


def current_request() -> CurrentRequest:
    """Return the request at hand, by the type that the app gives it."""
    return cast(CurrentRequest, request)
