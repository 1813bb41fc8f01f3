"""The authorization server for apps of other people (OAuth 2.1): authlib speaks the protocol, we keep what it grants.

Every client has to use PKCE by S256 (RFC 7636) and to name one of its registered addresses, letter by letter. Pages and
API import this where they answer such a request; no other request loads authlib.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from authlib.oauth2 import OAuth2Error, rfc6749, rfc6750, rfc9207
from authlib.oauth2.rfc6749 import errors as faults
from flask import Response
from sqlalchemy import Connection
from werkzeug.datastructures import Headers

from service.handlers import app_tokens, tokens
from service.handlers.app_tokens import App
from service.http.oauth_flows import (
    METHODS,
    Came,
    Client,
    CodeGrant,
    OAuthRequest,
    OnlyS256,
    RefreshGrant,
    Revocation,
    Sent,
)
from service.http.responses import as_json
from service.store.access import APP_SCOPES

LONGEST: Final = 500
"""The most characters of a parameter: the request has to fit into a cookie while its player signs in."""
# NQSCHAR of RFC 6749, appendix A, and for the state VSCHAR: authlib puts some of them into its own messages.
_WORDS: Final = re.compile(r"[\x20-\x21\x23-\x5b\x5d-\x7e]*")
_STATE: Final = re.compile(r"[\x20-\x7e]*")


def authorization_server(issuer: str) -> dict[str, Any]:
    """Return what programs have to know of the server (RFC 8414); `issuer` is the address of the service."""
    return {
        "issuer": issuer,
        "authorization_endpoint": f"{issuer}/oauth/authorize",
        "token_endpoint": f"{issuer}/oauth/token",
        "revocation_endpoint": f"{issuer}/oauth/revoke",
        "scopes_supported": list(APP_SCOPES),
        "response_types_supported": ["code"],
        "response_modes_supported": ["query"],
        "grant_types_supported": ["authorization_code", "refresh_token"],
        "code_challenge_methods_supported": ["S256"],
        "token_endpoint_auth_methods_supported": METHODS,
        "revocation_endpoint_auth_methods_supported": METHODS,
        "authorization_response_iss_parameter_supported": True,
    }


def protected_resource(issuer: str, path: str = "") -> dict[str, Any]:
    """Return what programs have to know of what is protected at a path of the service (RFC 9728)."""
    return {
        "resource": f"{issuer}{path}",
        "resource_name": "Boardroom",
        "authorization_servers": [issuer],
        "scopes_supported": list(APP_SCOPES),
        "bearer_methods_supported": ["header"],
        "resource_documentation": f"{issuer}/api/docs",
    }


class _Issuer(rfc9207.IssuerParameter):  # type: ignore[misc] # the library has no types
    def __init__(self, issuer: str) -> None:
        self._issuer = issuer

    def get_issuer(self) -> str:
        """Return the address of the service, by which an app tells servers apart."""
        return self._issuer


class Server(rfc6749.AuthorizationServer):  # type: ignore[misc] # the library has no types
    """Answers one request of an app or its player, in the transaction `db`."""

    def __init__(self, db: Connection, issuer: str, now: datetime) -> None:
        super().__init__(scopes_supported=APP_SCOPES)
        self.db, self.now = db, now
        lifetime = int(app_tokens.ACCESS_LIFETIME.total_seconds())
        made = rfc6750.BearerTokenGenerator(_drawn, _drawn, lifetime)
        self.register_token_generator("default", made)
        self.register_grant(CodeGrant, [OnlyS256()])
        self.register_grant(RefreshGrant)
        self.register_endpoint(Revocation)
        self._telling = _Issuer(issuer)
        self._telling(self)

    def consent(self, sent: Sent, player: UUID) -> Consent:
        """Return what an app asks for; OAuth2Error if it may not, which knows the app's address if it is registered."""
        _require_plain(sent)
        grant = self.get_consent_grant(OAuthRequest(sent), player)
        return Consent(grant.client.app, grant.request.scope.split(), grant)

    def answer(self, consent: Consent, player: UUID | None) -> Response:
        """Return the redirect to the app: with a code, or without a player with the error `access_denied`."""
        answered: Response = self.create_authorization_response(consent.grant.request, player, consent.grant)
        return answered

    def refuse(self, error: OAuth2Error) -> str | None:
        """Return the address at which the app is told of the error, None if it named no registered one."""
        answered = self.handle_error_response(None, error)
        self._telling.add_issuer_parameter(self, answered)
        return answered.location if error.redirect_uri else None

    def tokens(self, sent: Sent, headers: Headers) -> Response:
        """Return the answer of the token endpoint."""
        return self._checked(sent, headers, self.create_token_response)

    def revoke(self, sent: Sent, headers: Headers) -> Response:
        """Return the answer of the revocation endpoint."""
        return self._checked(sent, headers, lambda asked: self.create_endpoint_response("revocation", asked))

    def _checked(self, sent: Sent, headers: Headers, answer: Callable[[OAuthRequest], Response]) -> Response:
        try:
            _require_plain(sent)
        except OAuth2Error as error:
            refused: Response = self.handle_error_response(None, error)
            return refused
        return answer(OAuthRequest(sent, headers))

    def query_client(self, client_id: str) -> Client | None:
        """Return the app, as authlib asks for it."""
        found = app_tokens.find_app(self.db, client_id)
        return None if found is None else Client(found)

    def authenticate_client(self, request: OAuthRequest, methods: Sequence[str], endpoint: str = "token") -> Any:
        """Return the client that asks; InvalidClientError."""
        try:
            return super().authenticate_client(request, methods, endpoint)
        except ValueError as fault:
            # The header Authorization need not be text.
            raise faults.InvalidClientError(status_code=401) from fault

    def save_token(self, token: Mapping[str, Any], request: Any) -> None:
        """Store what is about to be answered."""
        came: Came = request.authorization_code or request.refresh_token
        pair = app_tokens.Pair(token["access_token"], token["refresh_token"], token["scope"].split())
        app_tokens.keep(self.db, came.origin, request.client.app, pair, self.now)

    def create_oauth2_request(self, request: OAuthRequest) -> OAuthRequest:
        """Return the request, which is one already."""
        return request

    def send_signal(self, name: str, *_: Any, **__: Any) -> None:
        """Tell nobody."""

    def handle_response(self, status: int, body: Any, headers: Sequence[tuple[str, str]]) -> Response:
        """Return the answer; a redirect as 303, so that no form is sent on (RFC 9700, section 4.12)."""
        if status == 302:
            return Response(status=303, headers=dict(headers))
        return as_json(body, status, {**dict(headers), "Cache-Control": "no-store"})


@dataclass(frozen=True, slots=True)
class Consent:
    """What an app asks a player for: good to be shown, and to be answered by `Server.answer`."""

    app: App
    scopes: Sequence[str]
    grant: Any


def _drawn(**_: Any) -> str:
    return tokens.draw()


def _require_plain(sent: Sent) -> None:
    """Refuse parameters that come twice, are too long, or have characters that the protocol has no place for."""
    for name, values in sent.lists():
        form = _STATE if name == "state" else _WORDS
        if len(values) > 1 or len(values[0]) > LONGEST or not form.fullmatch(values[0]):
            raise faults.InvalidRequestError("A parameter comes twice, is too long, or has characters it may not have.")
