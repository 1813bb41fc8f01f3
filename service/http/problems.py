"""Every error of the API as application/problem+json (RFC 9457)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from flask import Response
from werkzeug.exceptions import HTTPException

from schemas.fault import FAULTS
from schemas.names import FAULTS as FAULTS_OF_NAMES
from service.handlers.refusals import Unavailable
from service.http.access_log import note_cause
from service.http.problem_texts import detail, told_in
from service.shared.json_pointer import pointer
from service.shared.refusal import (
    REFUSALS,
    BadRequest,
    Internal,
    MethodNotAllowed,
    NotFound,
    PayloadTooLarge,
    Refusal,
    RequestTimeout,
    UnsupportedMediaType,
)
from service.shared.request_id import request_id
from service.texts.catalog import say

MEDIA_TYPE = "application/problem+json"
MOST_FAULTS = 20

_OF_HTTP: Final[Mapping[int, type[Refusal]]] = {
    each.status: each
    for each in (
        BadRequest,
        NotFound,
        MethodNotAllowed,
        RequestTimeout,
        PayloadTooLarge,
        UnsupportedMediaType,
        Unavailable,
    )
}
"""The problems that answer the errors of werkzeug, by status."""
_KEPT_HEADERS = ("Allow", "Retry-After")


def catalogue() -> dict[str, type[Refusal]]:
    """Return every type of problem by its code, in the order of their statuses."""
    return dict(sorted(REFUSALS.items(), key=lambda each: each[1].status))


def problem(refusal: Refusal) -> Response:
    """Return the response to a refused request; members of value None are left out.

    Its detail is the text of the refusal's code and case, with the members put in, in the language of the request;
    unless it is a member already, with its `language`.
    """
    if isinstance(refusal, Unavailable):
        note_cause(refusal)
    members = refusal.members
    language = members.get("language") or told_in()
    if "errors" in members:
        members = {**members, "errors": [_in_words(each) for each in members["errors"]]}
    shown = {
        "type": f"/problems/{refusal.code}",
        "title": refusal.title,
        "status": refusal.status,
        "detail": members.get("detail") or detail(language, refusal.code, refusal.case, members),
        "request_id": request_id(),
        **members,
    }
    # Escaped to ASCII: a key that was sent may hold half of a surrogate pair, which UTF-8 cannot.
    body = json.dumps({name: value for name, value in shown.items() if value is not None})
    headers = {"Content-Language": language, "Vary": "Authorization, Accept-Language"}
    if refusal.retry_after is not None:
        headers["Retry-After"] = str(refusal.retry_after)
    return Response(body, refusal.status, headers, mimetype=MEDIA_TYPE)


def answer_http(error: HTTPException) -> Response:
    """Return the problem for an error of HTTP, with the headers that belong to it."""
    response = problem(_OF_HTTP.get(error.code or 500, Internal)())
    for name, value in error.get_headers():
        if name in _KEPT_HEADERS:
            response.headers[name] = value
    return response


def faults(messages: Mapping[str, Any]) -> list[dict[str, str]]:
    """Return marshmallow's messages, which stand under the location they were read from, as a flat list."""
    found: list[dict[str, str]] = []
    for location, below in messages.items():
        if location == "json":
            found += [{"pointer": pointer(*path), "detail": text} for path, text in _flat(below, ())]
        else:
            found += [{"parameter": path[0] if path else location, "detail": text} for path, text in _flat(below, ())]
    return found[:MOST_FAULTS]


def _flat(messages: Any, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str]]:
    if isinstance(messages, Mapping):
        for key, below in messages.items():
            # marshmallow's name for the whole object at this place
            yield from _flat(below, path if key == "_schema" else (*path, str(key)))
    elif isinstance(messages, list):
        for each in messages:
            yield from _flat(each, path)
    else:
        yield path, str(messages)


def _in_words(error: Mapping[str, str]) -> Mapping[str, str]:
    """Return an error in the language of the request, if its detail is the key of a text."""
    key = error["detail"]
    return {**error, "detail": say(told_in(), key)} if key in FAULTS or key in FAULTS_OF_NAMES else error
