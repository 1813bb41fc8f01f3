"""Compresses the page of a table for browsers that can read it."""

from __future__ import annotations

from gzip import compress
from typing import Final

from flask import Response, request

_LEVEL: Final = 3
_OWN: Final = frozenset({"same-origin", "none"})
"""What browsers send as Sec-Fetch-Site for a request of our own pages, and for an address that a person has typed."""


def compressed(response: Response) -> Response:
    """Compress a page, unless another site may have put something into it.

    The length of a compressed page tells whether words of its address occur elsewhere in it (BREACH). So a page whose
    address has a query is compressed only for requests that no other site can have caused.
    """
    response.vary.add("Accept-Encoding")
    foreign = request.query_string and request.headers.get("Sec-Fetch-Site") not in _OWN
    if not foreign and response.status_code == 200 and request.accept_encodings.quality("gzip"):
        response.set_data(compress(response.get_data(), _LEVEL, mtime=0))
        response.headers["Content-Encoding"] = "gzip"
    return response
