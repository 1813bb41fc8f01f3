"""The page that verifies a game record in the browser: the file is not uploaded, and the server is not asked."""

from __future__ import annotations

from typing import Final

from flask import Response

from service.texts.catalog import keys, text
from service.texts.po_files import VERIFIER
from service.web.blueprint import web
from service.web.session import SCRIPT_POLICY, language, page

_WORDS: Final = ("holds", "wrong", "unchecked", "unread", "line", "keys", "several", "true", "false", "null")
"""The keys of the words with which the page's script frames its findings."""


@web.get("/verify")
def show_verify() -> Response:
    """Show the field for a record; the page's script verifies it (static/verify.mjs)."""
    spoken = language()
    words = {each: text(spoken, f"ve-{each}") for each in _WORDS}
    findings = {each: text(spoken, each) for each in keys(VERIFIER)}
    response = page("verify.html", language=spoken, words=words, findings=findings)
    response.headers["Content-Security-Policy"] = SCRIPT_POLICY
    return response
