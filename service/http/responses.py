"""Successful answers: plain data as JSON, or text, with their headers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec
from flask import Response

from schemas.fields import cursor

PRIVATE = {"Cache-Control": "private, no-cache", "Vary": "Authorization"}
"""Headers of answers that depend on the player who asks."""


def as_json(payload: Mapping[str, Any], status: int = 200, headers: Mapping[str, str] = PRIVATE) -> Response:
    """Return the payload, an object of JSON types, mappings and tuples, as a response."""
    return Response(encoded(payload), status, dict(headers), content_type="application/json")


def encoded(payload: Mapping[str, Any]) -> bytes:
    """Return the body of `as_json`."""
    return _ENCODER.encode(payload)


def as_text_of_json(payload: Mapping[str, Any]) -> str:
    """Return the body of `as_json` as text, for storage."""
    return encoded(payload).decode()


def paged(found: Sequence[Mapping[str, Any]], limit: int, at: str = "created_at") -> dict[str, Any]:
    """Return a page of at most `limit` items, each with an `id` and a moment `at`; one more was looked for."""
    page = found[:limit]
    last = page[-1] if len(found) > limit else None
    following = None if last is None else cursor(datetime.fromisoformat(last[at]), UUID(last["id"]))
    return {"items": page, "next": following}


def no_content() -> Response:
    """Return the empty response to a request that was carried out (204)."""
    return Response(status=204, headers=PRIVATE)


def as_text(text: str, language: str) -> Response:
    """Return a text in a language as a response."""
    return Response(text, headers={**PRIVATE, "Content-Language": language}, mimetype="text/plain")


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} is no JSON type")


_ENCODER = msgspec.json.Encoder(enc_hook=_plain)
