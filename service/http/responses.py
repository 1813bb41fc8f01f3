"""Successful responses: JSON or text, with their headers, compressed with random padding (BREACH)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from gzip import GzipFile
from io import BytesIO
from secrets import randbelow, token_urlsafe
from typing import Any, Final, TypeVar
from uuid import UUID

import msgspec
from flask import Response, request

from schemas.fields import cursor

Row = TypeVar("Row")

PRIVATE = {"Cache-Control": "private, no-cache", "Vary": "Authorization"}
"""Headers of responses that depend on the requesting player."""
LEAST_BYTES: Final = 1024
"""Minimum bytes for compression; shorter bodies fit into one packet uncompressed."""
_LEVEL: Final = 3
_PADDING: Final = 64
"""Maximum random bytes in the gzip head."""


def as_json(payload: Mapping[str, Any], status: int = 200, headers: Mapping[str, str] = PRIVATE) -> Response:
    """Return the payload, an object of JSON types, mappings and tuples, as a response."""
    return Response(encoded(payload), status, dict(headers), content_type="application/json")


def encoded(payload: Mapping[str, Any]) -> bytes:
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
    """Return a page (`schemas.answer.Page`) of at most `limit` rows; `found` may have one row more.

    `place` returns the cursor after a row (`next`). `shown` converts a row to an item.
    """
    page = found[:limit]
    return {
        "items": page if shown is None else [shown(row) for row in page],
        "next": place(page[-1]) if len(found) > limit else None,
    }


def at_creation(row: Any) -> str:
    """Return the cursor after a row with `created_at` and `id`."""
    return cursor(row.created_at, row.id)


def at_moment(name: str) -> Callable[[Mapping[str, Any]], str]:
    """Return the function from an item, with an `id` and a moment of the name, to its cursor."""
    return lambda item: cursor(datetime.fromisoformat(item[name]), UUID(item["id"]))


def no_content() -> Response:
    return Response(status=204, headers=PRIVATE)


def as_text(text: str, language: str) -> Response:
    return Response(text, headers={**PRIVATE, "Content-Language": language}, mimetype="text/plain")


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} is no JSON type")


_ENCODER = msgspec.json.Encoder(enc_hook=_plain)


def packed(data: bytes) -> bytes:
    """Return the data in gzip, with a name of random length in the head, which hides the length of the rest."""
    buffer = BytesIO()
    with GzipFile(token_urlsafe(randbelow(_PADDING)), "wb", _LEVEL, buffer, mtime=0) as file:
        file.write(data)
    return buffer.getvalue()


def takes_gzip(response: Response) -> bool:
    """Return whether to compress the response: complete, and its client accepts gzip; adds Accept-Encoding to Vary."""
    response.vary.add("Accept-Encoding")
    return response.status_code == 200 and not response.is_streamed and request.accept_encodings.quality("gzip") > 0


def compress_answer(response: Response) -> None:
    """Compress a response that is long enough; its ETag becomes weak, as its bytes differ each time."""
    if takes_gzip(response) and len(data := response.get_data()) >= LEAST_BYTES:
        etag, _ = response.get_etag()
        response.set_data(packed(data))
        response.headers["Content-Encoding"] = "gzip"
        if etag:
            response.set_etag(etag, weak=True)
