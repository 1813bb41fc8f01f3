"""Errors of the API as application/problem+json (RFC 9457), with their texts in the language of the request."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from flask import Response
from werkzeug.exceptions import HTTPException

from schemas.fields import REQUEST_FAULTS
from schemas.names import NAME_FAULTS
from service.handlers.refusals import Unavailable
from service.http.access_log import note_cause, request_id
from service.http.request import accept_language, current_request
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
    json_pointer,
)
from service.texts.catalog import DEFAULT, languages, say, text

SHARED_TEXTS: Final = {
    "not-seated": "lobby-not-seated",
    "not-host": "lobby-not-host",
    "unknown-sign-in": "sign-in-past",
    "not-open-started": "lobby-started",
    "not-open-cancelled": "lobby-cancelled",
    "not-open-full": "lobby-full",
    "not-open-taken": "lobby-taken",
    "not-open-seats-free": "lobby-seats-free",
    "not-open-empty": "lobby-empty",
    "not-open-own-seat": "lobby-own-seat",
    "not-open-many-invitations": "lobby-many-invitations",
    "already-resigned": "past-resigned",
    "game-not-running-finished": "at-over",
    "game-not-running-cancelled": "lobby-cancelled",
    "game-not-over": "lobby-not-over",
    "no-mail": "lobby-no-mail",
    "not-confirmed": "mails-not-asked",
    "rate-limited-mails": "mail-budget",
    "not-your-turn": "at-not-turn",
    "nothing-to-take-back": "answer-nothing-to-undo-text",
    "webhooks-off": "hooks-off",
    "unreadable-notation": "unreadable",
}
"""Keys of texts that problems share with pages or mails, by code, or code and case."""
MEDIA_TYPE = "application/problem+json"
MAX_FAULTS = 20
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
"""Problems for the errors of werkzeug, by status."""
_KEPT_HEADERS = ("Allow", "Retry-After")


def problem_language() -> str:
    """Return the language of a refusal: that of Accept-Language, else of the account, else English."""
    asking = current_request().identity
    known = DEFAULT if asking is None else asking.player.language
    return accept_language() or (known if known in languages() else DEFAULT)


def detail(language: str, code: str, case: str | None, values: Mapping[str, Any]) -> str:
    """Return the text of a problem, or of a case of the problem, with the values inserted."""
    name = code if case is None else f"{code}-{case}"
    return text(language, SHARED_TEXTS.get(name, f"detail-{name}")).format_map(values)


def reason(refusal: Refusal | None, language: str) -> str | None:
    """Return the text of a refusal, None for none."""
    return None if refusal is None else detail(language, refusal.code, refusal.case, refusal.members)


def catalogue() -> dict[str, type[Refusal]]:
    """Return every type of problem by code, sorted by status."""
    return dict(sorted(REFUSALS.items(), key=lambda each: each[1].status))


def problem(refusal: Refusal) -> Response:
    """Return the response to a refused request; members of value None are left out.

    Its detail is the text of the refusal's code and case, with the members inserted, in the language of the request; a
    member `detail`, with its `language`, takes precedence.
    """
    if isinstance(refusal, Unavailable):
        note_cause(refusal)
    members = refusal.members
    language = members.get("language") or problem_language()
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
    # Escape to ASCII: a key in the request may hold half of a surrogate pair, which UTF-8 cannot encode.
    body = json.dumps({name: value for name, value in shown.items() if value is not None})
    headers = {"Content-Language": language, "Vary": "Authorization, Accept-Language"}
    if refusal.retry_after is not None:
        headers["Retry-After"] = str(refusal.retry_after)
    return Response(body, refusal.status, headers, mimetype=MEDIA_TYPE)


def answer_http(error: HTTPException) -> Response:
    """Return the problem for an HTTP error, with the error's headers."""
    response = problem(_OF_HTTP.get(error.code or 500, Internal)())
    for name, value in error.get_headers():
        if name in _KEPT_HEADERS:
            response.headers[name] = value
    return response


def faults(messages: Mapping[str, Any]) -> list[dict[str, str]]:
    """Return marshmallow's messages, which are nested by location, as a flat list."""
    found: list[dict[str, str]] = []
    for location, below in messages.items():
        if location == "json":
            found += [{"pointer": json_pointer(*path), "detail": text} for path, text in _flat(below, ())]
        else:
            found += [{"parameter": path[0] if path else location, "detail": text} for path, text in _flat(below, ())]
    return found[:MAX_FAULTS]


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
    return {**error, "detail": say(problem_language(), key)} if key in {*REQUEST_FAULTS, *NAME_FAULTS} else error
