"""Compresses styles, scripts, drawings and the page of a table for browsers that can read it."""

from __future__ import annotations

from functools import lru_cache
from gzip import GzipFile, compress
from io import BytesIO
from secrets import randbelow, token_urlsafe
from typing import Final

from flask import Response, request

_LEVEL: Final = 3
_PADDING: Final = 64
"""The most random bytes in the head of a page."""
_OWN: Final = frozenset({"same-origin", "none"})
"""What browsers send as Sec-Fetch-Site for a request of our own pages, and for an address that a person has typed."""


def compress_public(response: Response) -> None:
    """Compress what is the same for everybody, once for all."""
    if _is_wanted(response):
        etag, _ = response.get_etag()
        response.direct_passthrough = False
        _replace(response, _packed(response.get_data()))
        if etag:
            # The tag is that of the file, whose bytes these are not.
            response.set_etag(etag, weak=True)


def compress_page(response: Response) -> None:
    """Compress a page, unless another site may have put something into it.

    The length of a compressed page tells whether words that others have put into it occur elsewhere in it (BREACH). So
    a page whose address has a query is compressed only for requests that no other site can have caused; and since
    players talk at a table, a name of random length in the head hides the length of the rest.
    """
    wanted = _is_wanted(response)
    if wanted and not (request.query_string and request.headers.get("Sec-Fetch-Site") not in _OWN):
        buffer = BytesIO()
        with GzipFile(token_urlsafe(randbelow(_PADDING)), "wb", _LEVEL, buffer, mtime=0) as file:
            file.write(response.get_data())
        _replace(response, buffer.getvalue())


def _is_wanted(response: Response) -> bool:
    response.vary.add("Accept-Encoding")
    return response.status_code == 200 and request.accept_encodings.quality("gzip") > 0


def _replace(response: Response, packed: bytes) -> None:
    response.set_data(packed)
    response.headers["Content-Encoding"] = "gzip"


@lru_cache(maxsize=64)
def _packed(data: bytes) -> bytes:
    return compress(data, 9, mtime=0)
