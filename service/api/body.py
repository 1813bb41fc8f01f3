"""Reads a request's JSON strictly: the right media type, one value per key, no endless nesting."""

from __future__ import annotations

import json
from typing import Any, NoReturn

from flask import Request
from marshmallow import EXCLUDE, RAISE
from webargs.flaskparser import FlaskParser
from werkzeug.exceptions import RequestEntityTooLarge, UnsupportedMediaType

from service.api.problems import Refused

LARGEST = 64 * 1024
"""The most bytes of a request's body."""
DEEPEST = 16
"""The most levels of nesting; what the service understands has at most six."""

_TOO_DEEP = "The body is nested too deeply."


class StrictParser(FlaskParser):
    """The way of webargs to a schema, with our own reading of the body, and without unknown parameters."""

    DEFAULT_UNKNOWN_BY_LOCATION = {  # noqa: RUF012 - the library's own declaration
        **FlaskParser.DEFAULT_UNKNOWN_BY_LOCATION,
        "query": RAISE,
        "headers": EXCLUDE,
    }

    def load_json(self, req: Request, schema: Any) -> Any:
        """Return the body as JSON types; raises what read_json does."""
        return read_json(req)


def read_json(request: Request) -> Any:
    """Return the request's body as JSON types; Refused, UnsupportedMediaType, RequestEntityTooLarge."""
    if request.mimetype != "application/json":
        raise UnsupportedMediaType("The body has to be sent as application/json.")
    body = request.get_data(cache=True)
    if len(body) > LARGEST:
        raise RequestEntityTooLarge
    try:
        value = json.loads(body.decode(), object_pairs_hook=_object, parse_constant=_refuse_constant)
        _inspect(value, 1)
    except RecursionError as error:
        raise Refused("malformed-json", _TOO_DEEP) from error
    except ValueError as error:
        detail = str(error) if isinstance(error, _Odd) else "The body is not JSON in UTF-8."
        raise Refused("malformed-json", detail) from error
    return value


class _Odd(ValueError):
    """Something that JSON allows and we do not; the message is fit to be shown."""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise _Odd("The body names a key twice in one object.")
    return value


def _refuse_constant(_: str) -> NoReturn:
    raise _Odd("The body holds a number that is not finite.")


def _inspect(value: Any, depth: int) -> None:
    if depth > DEEPEST:
        raise _Odd(_TOO_DEEP)
    if isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            _inspect(each, depth + 1)
