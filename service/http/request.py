"""Request class with the results of the guards, and the language of a request (Accept-Language)."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from flask import Request, request
from werkzeug.datastructures import LanguageAccept

from service.handlers.authentication import Authenticated
from service.http.limit_table import LimitUse
from service.texts.catalog import DEFAULT, languages

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment
MAX_BODY_BYTES = 64 * 1024
"""Maximum bytes of a request body."""


def accept_language() -> str | None:
    """Return the preferred language of the current request, of those that have texts; None if there is none."""
    return preferred(request.accept_languages)


def spoken_language() -> str:
    """Return the language of a new account if the current request names none."""
    return accept_language() or DEFAULT


def preferred(accepted: LanguageAccept) -> str | None:
    """Return the preferred language, of those that have texts; None if none of them is accepted.

    `de-AT` counts as `de`, before a language of lower quality (lookup, RFC 4647, section 3.4). `*` names no language.
    """
    names = (tag.partition("-")[0].lower() for tag, quality in accepted if quality > 0)
    return next((name for name in names if name in languages()), None)


class CurrentRequest(Request):
    """Request with its authenticated player, and the use of its rate limit by its `subject`; None until looked up."""

    # A body of unknown length is cut off at this limit without an error; the extra byte shows that it was longer.
    max_content_length = MAX_BODY_BYTES + 1
    identity: Authenticated | None = None
    standing: LimitUse | None = None
    subject = ""

    def __init__(self, environ: WSGIEnvironment, populate_request: bool = True, shallow: bool = False) -> None:
        super().__init__(environ, populate_request, shallow)
        if not self.query_string.isascii():
            # Bytes that are not UTF-8 would raise an error at every read of the query.
            self.query_string = self.query_string.decode(errors="replace").encode()


def current_request() -> CurrentRequest:
    """Return the current request, typed as the app's request class."""
    return cast(CurrentRequest, request)
