"""Authentication by bearer token, for every operation that is not public."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Protocol, cast
from uuid import UUID

from flask import Response, current_app

from service.handlers.authentication import Authenticated, authenticate
from service.handlers.refusals import DeadToken, ScopeMissing
from service.http.limits import admit
from service.http.problems import problem
from service.http.request import CurrentRequest, current_request
from service.runtime import Runtime
from service.shared.refusal import Unauthenticated
from service.store.access import PlayerRow, TokenRow

RESOURCE_METADATA = "/.well-known/oauth-protected-resource"
_BEARER = re.compile(r"Bearer +([A-Za-z0-9_]{1,100})", re.IGNORECASE)


class Guarded(Protocol):
    """A group of operations, as `service.api.contract.Resource` has them."""

    public: set[str]
    scopes: dict[str, tuple[str, ...]]
    buckets: dict[str, str]

    def before_request(self, let_in: Any, /) -> Any:
        """Have this called before each request."""


def guard(resource: Guarded) -> None:
    """Refuse requests to operations that are not public without a token of their scope, and those beyond a limit.

    Both are checked before the body is read.
    """

    def let_in() -> Response | None:
        request = current_request()
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


def identity() -> Authenticated:
    """Return the authenticated player."""
    # The guard refuses requests without an identity.
    return cast(Authenticated, current_request().identity)


def player() -> PlayerRow:
    """Return the player who is asking."""
    return identity().player


def token() -> TokenRow:
    """Return the token of the player who is asking."""
    return identity().token


def bearer_in(header: str) -> str | None:
    """Return the token in the value of an Authorization header, None if there is none."""
    found = _BEARER.fullmatch(header)
    return found and found[1]


def _identify(request: CurrentRequest, needed: Sequence[str], game: UUID | None) -> Response | None:
    bearer = bearer_in(request.headers.get("Authorization", ""))
    refusal = _look_up(request, bearer, needed, game)
    if refusal is not None and bearer:
        # The time of this answer may show what an action would have caused. Forgetting the token limits that to one.
        runtime().remembered_tokens.forget(bearer)
    return refusal


def _look_up(request: CurrentRequest, bearer: str | None, needed: Sequence[str], game: UUID | None) -> Response | None:
    try:
        writing = not runtime().mode.read_only
        found = authenticate(runtime().games, bearer, game, writing=writing) if bearer else None
    except DeadToken as dead:
        return _challenged(problem(dead), 'error="invalid_token"')
    if found is None:
        return _challenged(problem(Unauthenticated()), 'error="invalid_token"' if bearer else None)
    request.identity = found
    missing = _missing(found, needed)
    if missing is not None:
        return _challenged(problem(ScopeMissing(missing)), f'error="insufficient_scope", scope="{" ".join(needed)}"')
    if game is not None and bearer:
        runtime().remembered_tokens.remember(bearer, found)
    return None


def _missing(caller: Authenticated, needed: Sequence[str]) -> str | None:
    return next((scope for scope in needed if scope not in caller.token.scopes), None)


def _challenged(refusal: Response, reason: str | None) -> Response:
    # Where programs find out who gives tokens (RFC 9728, section 5.1).
    metadata = f'resource_metadata="{runtime().settings.base_url}{RESOURCE_METADATA}/api/v1"'
    refusal.headers["WWW-Authenticate"] = ", ".join(filter(None, ('Bearer realm="boardroom"', reason, metadata)))
    return refusal
