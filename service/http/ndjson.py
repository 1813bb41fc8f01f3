"""Answers of one JSON object a line, for programs that read much at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from flask import Response, request, stream_with_context

from service.http.responses import PRIVATE, as_text_of_json

JSON_LINES: Final = "application/jsonl"
"""JSON Lines, as records are written; it has no registered name, so NDJSON is taken for it too."""
_FORMS: Final = ("application/json", JSON_LINES, "application/x-ndjson")


def ndjson_requested() -> str | None:
    """Return the media type of lines that the request would rather have than one object; None if it would not."""
    best = request.accept_mimetypes.best_match(_FORMS, _FORMS[0])
    return None if best == _FORMS[0] else best


def ndjson_response(items: Iterable[Mapping[str, Any]], form: str, headers: Mapping[str, str] = PRIVATE) -> Response:
    """Return objects of JSON types as lines of a media type; they are read while they are sent."""
    lines = (as_text_of_json(item) + "\n" for item in items)
    return Response(stream_with_context(lines), headers={**headers, "Vary": "Authorization, Accept"}, content_type=form)
