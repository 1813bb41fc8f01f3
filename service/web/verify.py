"""The page that checks a game record in the browser: the file goes nowhere, and the server's word is not asked for."""

from __future__ import annotations

from flask import Response

from service.web.session import LIVELY, page


def show_verify() -> Response:
    """Show the field for a record; the check is done by the scripts that come along (static/verify.mjs)."""
    answer = page("verify.html")
    answer.headers["Content-Security-Policy"] = LIVELY
    return answer
