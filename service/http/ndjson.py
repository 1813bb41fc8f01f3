"""Responses with a JSON object per line, for programs that read much at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from flask import Response, request, stream_with_context

from service.http.responses import PRIVATE, as_text_of_json

JSON_LINES: Final = "application/jsonl"
"""JSON Lines, the format of records; its media type is not registered, so NDJSON's is accepted for it too."""
_FORMS: Final = ("application/json", JSON_LINES, "application/x-ndjson")


def ndjson_requested() -> str | None:
    """Return the media type of lines if the request prefers lines to a single object; else None."""
    best = request.accept_mimetypes.best_match(_FORMS, _FORMS[0])
    return None if best == _FORMS[0] else best


def ndjson_response(items: Iterable[Mapping[str, Any]], form: str, headers: Mapping[str, str] = PRIVATE) -> Response:
    """Return objects of JSON types as lines of a media type; objects are read while lines are sent."""
    lines = (as_text_of_json(item) + "\n" for item in items)
    return Response(stream_with_context(lines), headers={**headers, "Vary": "Authorization, Accept"}, content_type=form)
