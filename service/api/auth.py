"""Who is asking: the bearer token of every operation that is not public."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import cast
from uuid import UUID

from flask import Response, current_app

from service.api.asked import Asked, asked
from service.api.contract import Resource
from service.api.limits import admit
from service.api.problems import problem, scope_missing
from service.handlers.refusals import DeadToken
from service.handlers.tokens import Arrival, authenticate
from service.runtime import Runtime
from service.store.identity import PlayerRow, TokenRow

_BEARER = re.compile(r"Bearer +([A-Za-z0-9_]{1,100})", re.IGNORECASE)


def guard(resource: Resource) -> None:
    """Let nothing that is not public be reached without a token that is good for it, or more often than is allowed.

    Both are looked at before the request's body.
    """

    def let_in() -> Response | None:
        request = asked()
        endpoint = request.endpoint or ""
        bucket = resource.buckets[endpoint]
        # Nothing is asked for as often as actions, so their game is read by the same statement.
        game = (request.view_args or {})["game_id"] if bucket == "actions" else None
        refusal = None if endpoint in resource.public else _identify(request, resource.scopes[endpoint], game)
        asking = request.identity
        admit(bucket, None if asking is None else asking.player.id)
        return refusal

    resource.before_request(let_in)


def runtime() -> Runtime:
    """Return the runtime that the app was created with."""
    found: Runtime = current_app.extensions["runtime"]
    return found


def identity() -> Arrival:
    """Return who is asking, and by which token."""
    return cast(Arrival, asked().identity)


def player() -> PlayerRow:
    """Return the player who is asking."""
    return identity().player


def token() -> TokenRow:
    """Return the token of the player who is asking."""
    return identity().token


def _identify(request: Asked, needed: Sequence[str], game: UUID | None) -> Response | None:
    bearer = _BEARER.fullmatch(request.headers.get("Authorization", ""))
    try:
        found = authenticate(runtime().games, bearer[1], game) if bearer else None
    except DeadToken as dead:
        return _challenged(problem(f"token-{dead.reason}"), 'error="invalid_token"')
    if found is None:
        return _challenged(problem("unauthenticated"), 'error="invalid_token"' if bearer else None)
    request.identity = found
    missing = next((scope for scope in needed if scope not in found.token.scopes), None)
    if missing is not None:
        return _challenged(scope_missing(missing), f'error="insufficient_scope", scope="{" ".join(needed)}"')
    return None


def _challenged(refusal: Response, reason: str | None) -> Response:
    refusal.headers["WWW-Authenticate"] = ", ".join(filter(None, ('Bearer realm="boardroom"', reason)))
    return refusal
