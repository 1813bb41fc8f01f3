"""Read the parts of a request by their schemas; JSON strictly: media type, unique keys, limited nesting."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, NoReturn

from flask import Request
from marshmallow import Schema, ValidationError
from werkzeug.exceptions import ClientDisconnected, RequestEntityTooLarge

from service.http.problems import faults
from service.http.request import MAX_BODY_BYTES
from service.shared.refusal import Invalid, MalformedJson, UnsupportedMediaType

MAX_DEPTH = 16
"""Maximum levels of nesting; valid requests have at most six."""

_NESTS = (dict, list)


def reader(schema: Schema, location: str) -> Callable[[Request], Any]:
    """Return a function that loads a location (json, query, headers) of a request; raises as read_json.

    The first value of a repeated parameter counts. Unknown parameters are refused, unknown headers are ignored.
    """
    names = [field.data_key or name for name, field in schema.fields.items()]
    optional = location != "json" and not any(field.required for field in schema.fields.values())

    def read(request: Request) -> Any:
        sent = _sent(request, location, names)
        if optional and not sent:
            return {}
        try:
            return schema.load(sent)
        except ValidationError as error:
            raise Invalid(errors=faults({location: error.messages})) from error

    return read


def _sent(request: Request, location: str, names: list[str]) -> Any:
    if location == "json":
        return read_json(request)
    if location == "query":
        return request.args.to_dict() if request.query_string else {}
    return {name: value for name in names if (value := request.headers.get(name)) is not None}


def read_json(request: Request) -> Any:
    """Return the request's body as JSON types; a Refusal, ClientDisconnected, RequestEntityTooLarge."""
    if request.mimetype != "application/json":
        raise UnsupportedMediaType
    if request.headers.get("Content-Encoding", "identity").lower() != "identity":
        raise UnsupportedMediaType("encoded")
    body = _body(request)
    if len(body) > MAX_BODY_BYTES:
        raise RequestEntityTooLarge
    return decoded(body)


def decoded(body: bytes) -> Any:
    """Return a body as JSON types; MalformedJson."""
    try:
        value = _DECODER.decode(body.decode())
        if isinstance(value, _NESTS):
            _inspect(value, 1)
    except RecursionError as error:
        raise MalformedJson("deep") from error
    except ValueError as error:
        raise MalformedJson(str(error) if isinstance(error, _Odd) else None) from error
    return value


def _body(request: Request) -> bytes:
    length = request.content_length
    if length is None or length > MAX_BODY_BYTES:
        return request.get_data()
    # Flask's stream would ask the server several times, and yield to other threads each time.
    body: bytes = request.environ["wsgi.input"].read(length)
    if len(body) < length:
        raise ClientDisconnected
    return body


class _Odd(ValueError):
    """Refused JSON; the message is the case of MalformedJson."""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise _Odd("twice")
    return value


def _refuse_constant(_: str) -> NoReturn:
    raise _Odd("infinite")


_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_refuse_constant)


def _inspect(value: dict[str, Any] | list[Any], depth: int) -> None:
    if depth > MAX_DEPTH:
        raise _Odd("deep")
    for each in value.values() if isinstance(value, dict) else value:
        if isinstance(each, _NESTS):
            _inspect(each, depth + 1)
