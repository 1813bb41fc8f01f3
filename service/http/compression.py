"""Compression that tells nothing by the length of what it makes (BREACH)."""

from __future__ import annotations

from gzip import GzipFile
from io import BytesIO
from secrets import randbelow, token_urlsafe
from typing import Final

from flask import Response, request

LEAST_BYTES: Final = 1024
"""What is shorter fits into one packet as it is."""
_LEVEL: Final = 3
_PADDING: Final = 64
"""The most random bytes in the head of what is packed."""


def packed(data: bytes) -> bytes:
    """Return the data in gzip, with a name of random length in its head, which hides the length of the rest."""
    buffer = BytesIO()
    with GzipFile(token_urlsafe(randbelow(_PADDING)), "wb", _LEVEL, buffer, mtime=0) as file:
        file.write(data)
    return buffer.getvalue()


def takes_gzip(response: Response) -> bool:
    """Return whether the answer is a whole one whose reader takes gzip; note in it that this makes a difference."""
    response.vary.add("Accept-Encoding")
    return response.status_code == 200 and not response.is_streamed and request.accept_encodings.quality("gzip") > 0


def compress_answer(response: Response) -> None:
    """Compress an answer that is long enough; its tag is a weak one then, as its bytes are others each time."""
    if takes_gzip(response) and len(data := response.get_data()) >= LEAST_BYTES:
        etag, _ = response.get_etag()
        response.set_data(packed(data))
        response.headers["Content-Encoding"] = "gzip"
        if etag:
            response.set_etag(etag, weak=True)
