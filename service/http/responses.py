"""Successful answers: plain data as JSON, or text, with their headers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import msgspec
from flask import Response
from werkzeug.datastructures import Headers

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

PRIVATE = {"Cache-Control": "private, no-cache", "Vary": "Authorization"}
"""Headers of what depends on who asks."""


class _Finished(Response):
    """A response in one piece, whose headers need no correction before they are sent."""

    def get_wsgi_headers(self, environ: WSGIEnvironment) -> Headers:
        """Return the headers as they are."""
        return self.headers

    def get_app_iter(self, environ: WSGIEnvironment) -> Iterable[bytes]:
        """Return the body as a list, which the server sends along with the headers."""
        return [] if environ["REQUEST_METHOD"] == "HEAD" else list(self.iter_encoded())


def as_json(payload: Mapping[str, Any], status: int = 200, headers: Mapping[str, str] = PRIVATE) -> Response:
    """Return the payload, an object of JSON types, mappings and tuples, as a response."""
    body = _ENCODER.encode(payload)
    about = [("Content-Type", "application/json"), ("Content-Length", str(len(body))), *headers.items()]
    return _Finished([body], status, about)


def as_text_of_json(payload: Mapping[str, Any]) -> str:
    """Return what `as_json` answers as text, to be kept."""
    return _ENCODER.encode(payload).decode()


def no_content() -> Response:
    """Return the response of what is done and has nothing to show."""
    return Response(status=204, headers=PRIVATE)


def as_text(text: str, language: str) -> Response:
    """Return a text in a language as a response."""
    return Response(text, headers={**PRIVATE, "Content-Language": language}, mimetype="text/plain")


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} is no JSON type")


_ENCODER = msgspec.json.Encoder(enc_hook=_plain)
