"""Where apps get tokens and give them back (OAuth 2.1), and what says so; beside the API, at addresses of their own.

Answers and errors have the form of RFC 6749, section 5, since programs know it; no cookie is read.
"""

from __future__ import annotations

from typing import Final

from flask import Blueprint, Response

from service.api.auth import RESOURCE_METADATA, runtime
from service.handlers.transaction import transaction
from service.http.limits import admit
from service.http.problems import problem
from service.http.request import current_request
from service.http.responses import as_json
from service.shared import clock
from service.shared.refusal import Refusal

METADATA: Final = "/.well-known/oauth-authorization-server"
API_PATH: Final = "/api/v1"
PATHS: Final = ("/oauth/token", "/oauth/revoke", METADATA, RESOURCE_METADATA)
"""What scripts of every origin may ask."""

oauth = Blueprint("oauth", __name__)
oauth.register_error_handler(Refusal, problem)


@oauth.get(METADATA)
def describe() -> Response:
    """Show where apps ask for what (RFC 8414)."""
    from service.http.oauth import authorization_server

    return as_json(authorization_server(runtime().settings.base_url), headers={"Cache-Control": "max-age=3600"})


@oauth.get(RESOURCE_METADATA)
@oauth.get(RESOURCE_METADATA + API_PATH)
def describe_resource() -> Response:
    """Show who gives tokens for the API (RFC 9728)."""
    from service.http.oauth import protected_resource

    path = current_request().path.removeprefix(RESOURCE_METADATA)
    told = protected_resource(runtime().settings.base_url, path)
    return as_json(told, headers={"Cache-Control": "max-age=3600"})


@oauth.post("/oauth/token")
def token() -> Response:
    """Give tokens for an authorization code or a refresh token (RFC 6749, sections 4.1.3 and 6)."""
    from service.http.oauth import Server

    admit("writing", None)
    request = current_request()
    with transaction(runtime().games.engine) as db:
        return Server(db, runtime().settings.base_url, clock.now()).tokens(request.form, request.headers)


@oauth.post("/oauth/revoke")
def revoke() -> Response:
    """End all that came of the same code as a token (RFC 7009)."""
    from service.http.oauth import Server

    admit("writing", None)
    request = current_request()
    with transaction(runtime().games.engine) as db:
        return Server(db, runtime().settings.base_url, clock.now()).revoke(request.form, request.headers)
