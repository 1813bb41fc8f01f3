"""Who is asking: the bearer token of every operation that is not public."""

from __future__ import annotations

import re

from flask import Response, current_app, g, request

from service.api.contract import Resource
from service.api.limits import admit
from service.api.problems import problem
from service.handlers.players import PlayerRow, authenticate
from service.runtime import Runtime

_BEARER = re.compile(r"Bearer +([A-Za-z0-9_]{1,100})", re.IGNORECASE)


def guard(resource: Resource) -> None:
    """Let nothing that is not public be reached without a valid token, and nothing more often than its limit allows.

    Both are looked at before the request's body.
    """

    def let_in() -> Response | None:
        endpoint = request.endpoint or ""
        refusal = None if endpoint in resource.public else _identify()
        asking: PlayerRow | None = g.get("player")
        admit(resource.buckets[endpoint], None if asking is None else asking.id)
        return refusal

    resource.before_request(let_in)


def runtime() -> Runtime:
    """Return the runtime that the app was created with."""
    found: Runtime = current_app.extensions["runtime"]
    return found


def player() -> PlayerRow:
    """Return the player who is asking."""
    asking: PlayerRow = g.player
    return asking


def _identify() -> Response | None:
    bearer = _BEARER.fullmatch(request.headers.get("Authorization", ""))
    g.player = authenticate(runtime().games, bearer[1]) if bearer else None
    if g.player is not None:
        return None
    refusal = problem("unauthenticated", "Send `Authorization: Bearer` with the token that POST /players has given.")
    refusal.headers["WWW-Authenticate"] = 'Bearer realm="boardroom"' + (', error="invalid_token"' if bearer else "")
    return refusal
