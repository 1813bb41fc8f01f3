"""The request class, with what the guards have found out about a request, and its language (Accept-Language)."""

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
"""Bytes."""


def accept_language() -> str | None:
    """Return the language that the current request prefers, of those that have texts; None if it names none of them."""
    return preferred(request.accept_languages)


def spoken_language() -> str:
    """Return the language of an account that the current request makes without naming one."""
    return accept_language() or DEFAULT


def preferred(accepted: LanguageAccept) -> str | None:
    """Return the preferred language, of those that have texts; None if none of them is accepted.

    `de-AT` counts as `de`, before a language of lower quality (lookup, RFC 4647, section 3.4). `*` names no language.
    """
    names = (tag.partition("-")[0].lower() for tag, quality in accepted if quality > 0)
    return next((name for name in names if name in languages()), None)


class CurrentRequest(Request):
    """A request with its authenticated player, and the use of its rate limit by its `subject`; None until looked up."""

    # A body of unknown length is cut off there without an error; the extra byte shows that it was longer.
    max_content_length = MAX_BODY_BYTES + 1
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
