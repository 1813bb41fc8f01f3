"""Successful answers: plain data as JSON, or text, with their headers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, TypeVar
from uuid import UUID

import msgspec
from flask import Response

from schemas.fields import cursor

Row = TypeVar("Row")

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


def paged(
    found: Sequence[Row],
    limit: int,
    place: Callable[[Row], str | int | None],
    shown: Callable[[Row], Mapping[str, Any]] | None = None,
) -> dict[str, Any]:
    """Return a page (`schemas.pages.Page`) of at most `limit` rows, of which one more was looked for.

    `place` gives the `next` after a row: where the page after it begins. `shown` gives the item of a row that is none.
    """
    page = found[:limit]
    return {
        "items": page if shown is None else [shown(row) for row in page],
        "next": place(page[-1]) if len(found) > limit else None,
    }


def at_creation(row: Any) -> str:
    """Return the place of a row with `created_at` and `id`."""
    return cursor(row.created_at, row.id)


def at_moment(name: str) -> Callable[[Mapping[str, Any]], str]:
    """Return what gives the place of an item with an `id` and a moment of the name."""
    return lambda item: cursor(datetime.fromisoformat(item[name]), UUID(item["id"]))


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
