"""The id of the request at hand, which stands in its answer and in the log."""

from __future__ import annotations

from flask import request

KEY = "boardroom.request_id"
"""Where a request's environment keeps it."""


def request_id() -> str:
    """Return the id of the request at hand."""
    number: str = request.environ[KEY]
    return number
