"""Compresses styles, scripts, drawings and the page of a table for browsers that can read it."""

from __future__ import annotations

from functools import lru_cache
from gzip import compress
from typing import Final

from flask import Response, request

from service.http.compression import packed, takes_gzip

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
    wanted = takes_gzip(response)
    if wanted and not (request.query_string and request.headers.get("Sec-Fetch-Site") not in _OWN):
        _replace(response, packed(response.get_data()))


def _is_wanted(response: Response) -> bool:
    # A file is handed on as it lies on the disk, which is a stream.
    response.vary.add("Accept-Encoding")
    return response.status_code == 200 and request.accept_encodings.quality("gzip") > 0


def _replace(response: Response, packed: bytes) -> None:
    response.set_data(packed)
    response.headers["Content-Encoding"] = "gzip"


@lru_cache(maxsize=64)
def _packed(data: bytes) -> bytes:
    return compress(data, 9, mtime=0)
