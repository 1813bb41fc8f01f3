"""Authorization server for apps of other developers (OAuth 2.1): authlib speaks the protocol, we store the grants.

Every client has to use PKCE by S256 (RFC 7636) and an exact match of its registered redirect addresses. Pages and API
import this module only for such requests; no other request loads authlib.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from hmac import compare_digest
from typing import Any, Final
from uuid import UUID

from authlib.oauth2 import OAuth2Error, OAuth2Request, rfc6749, rfc6750, rfc7009, rfc7636, rfc9207
from authlib.oauth2.rfc6749 import OAuth2Payload
from authlib.oauth2.rfc6749 import errors as faults
from authlib.oauth2.rfc6749 import grants as flows
from flask import Response
from sqlalchemy import Connection
from werkzeug.datastructures import Headers, MultiDict

from service.handlers import apps, tokens
from service.handlers.apps import App, AuthorizationRequest, Origin, digest_of_secret
from service.http.responses import as_json
from service.store.access import APP_SCOPES

Sent = MultiDict[str, str]

METHODS: Final = ["client_secret_basic", "client_secret_post", "none"]
"""Methods of client authentication (RFC 7591, section 2); a public client has no secret."""
MAX_PARAMETER_LENGTH: Final = 500
"""Maximum characters of a parameter: the request has to fit into a cookie while its player signs in."""
# NQSCHAR of RFC 6749, appendix A; VSCHAR for the state. authlib quotes some parameters in its messages.
_WORDS: Final = re.compile(r"[\x20-\x21\x23-\x5b\x5d-\x7e]*")
_STATE: Final = re.compile(r"[\x20-\x7e]*")


class _Payload(OAuth2Payload):  # type: ignore[misc] # the library has no types
    def __init__(self, sent: Sent) -> None:
        self._sent = sent

    @property
    def data(self) -> Sent:
        return self._sent

    @property
    def datalist(self) -> dict[str, list[str]]:
        """Return all values of each parameter."""
        return dict(self._sent.lists())


class OAuthRequest(OAuth2Request):  # type: ignore[misc] # likewise
    """Request as authlib reads it, from the form or the query alone."""

    def __init__(self, sent: Sent, headers: Headers | None = None) -> None:
        # The operator's proxy decides on TLS; authlib would judge by the URL that it sees.
        super().__init__("POST", "https://localhost", headers=headers)
        self.payload = _Payload(sent)

    @property
    def form(self) -> Sent:
        sent: Sent = self.payload.data
        return sent


class Client:
    """App, in authlib's form (`ClientMixin`)."""

    def __init__(self, app: App) -> None:
        self.app = app

    def get_default_redirect_uri(self) -> None:
        """Return None: each request names its address."""

    def get_allowed_scope(self, scope: str | None) -> str | None:
        """Return the scopes in our order, None if there are none or one that no app is granted."""
        known = apps.allowed(scope)
        return None if known is None else " ".join(known)

    def check_redirect_uri(self, redirect_uri: str) -> bool:
        """Return whether the address is registered."""
        return apps.registered(self.app.redirect_uris, redirect_uri) is not None

    def check_client_secret(self, client_secret: str) -> bool:
        return compare_digest(digest_of_secret(client_secret), self.app.secret_hash or b"")

    def check_endpoint_auth_method(self, method: str, _: str) -> bool:
        """Return whether the app may authenticate in this way; an app with a secret has to use the secret."""
        return (method == "none") == (self.app.secret_hash is None)

    def check_response_type(self, response_type: str) -> bool:
        """Return whether the type is `code`."""
        return response_type == "code"

    def check_grant_type(self, _: str) -> bool:
        """Return True: every app gets both kinds of tokens."""
        return True


class Came:
    """Origin of a code or a token, in authlib's form (`AuthorizationCodeMixin`, `TokenMixin`)."""

    def __init__(self, origin: Origin, presented: str) -> None:
        self.origin, self.presented = origin, presented
        self.code_challenge, self.code_challenge_method = origin.challenge, "S256"

    def get_redirect_uri(self) -> str:
        """Return the redirect address of the code."""
        return self.origin.redirect_uri

    def get_scope(self) -> str:
        """Return the granted scopes."""
        return " ".join(self.origin.scopes)

    def check_client(self, client: Client) -> bool:
        """Return whether the code or token belongs to this app."""
        return self.origin.app == client.app.id


class OnlyS256(rfc7636.CodeChallenge):  # type: ignore[misc] # the library has no types
    """PKCE for every client, only by S256, which hides the verifier: against downgrades."""

    SUPPORTED_CODE_CHALLENGE_METHOD = ["S256"]  # noqa: RUF012 - authlib's own form

    def validate_code_challenge(self, grant: Any, redirect_uri: str) -> None:
        """Refuse a request without a challenge, or without its method (which would mean `plain`)."""
        sent = grant.request.payload.data
        if not sent.get("code_challenge") or not sent.get("code_challenge_method"):
            raise faults.InvalidRequestError("code_challenge and code_challenge_method=S256 are required.")
        super().validate_code_challenge(grant, redirect_uri)


class CodeGrant(flows.AuthorizationCodeGrant):  # type: ignore[misc] # the library has no types
    """Tokens for a code (RFC 6749, section 4.1)."""

    TOKEN_ENDPOINT_AUTH_METHODS = METHODS

    def save_authorization_code(self, code: str, request: Any) -> None:
        """Store the player's grant to the app, and its code."""
        sent = request.payload
        asked = AuthorizationRequest(request.scope.split(), sent.redirect_uri, sent.data["code_challenge"])
        if not apps.grant(self.server.db, request.client.app, request.user, asked, code, self.server.now):
            raise faults.InvalidClientError("The client does not exist on this server.")

    def query_authorization_code(self, code: str, client: Client) -> Came | None:
        """Return the origin of the code, None if the code belongs to another app."""
        origin = apps.origin_of_code(self.server.db, code, self.server.now)
        found = None if origin is None else Came(origin, code)
        return found if found is not None and found.check_client(client) else None

    def authenticate_user(self, came: Came) -> UUID:
        """Use up the code, after authentication of the app; return the player."""
        if not apps.use_code(self.server.db, came.origin, self.server.now):
            raise faults.InvalidGrantError("The code was used before.")
        return came.origin.player

    def delete_authorization_code(self, came: Came) -> None:
        """Keep the code: its tokens hang on it, and a second use has to be noticed."""


class RefreshGrant(flows.RefreshTokenGrant):  # type: ignore[misc] # the library has no types
    """Tokens for a refresh token, which is rotated (RFC 6749, section 6)."""

    TOKEN_ENDPOINT_AUTH_METHODS = METHODS
    INCLUDE_NEW_REFRESH_TOKEN = True

    def authenticate_refresh_token(self, refresh_token: str) -> Came | None:
        """Return the origin of the refresh token."""
        origin = apps.origin_of_refresh(self.server.db, refresh_token, self.server.now)
        return None if origin is None else Came(origin, refresh_token)

    def authenticate_user(self, came: Came) -> UUID:
        """Use up the refresh token; return the player."""
        if not apps.use_refresh(self.server.db, came.origin, came.presented, self.server.now):
            raise faults.InvalidGrantError("The refresh token was used before.")
        return came.origin.player

    def revoke_old_credential(self, came: Came) -> None:
        """Keep the refresh token: a second use has to be noticed."""


class Revocation(rfc7009.RevocationEndpoint):  # type: ignore[misc] # the library has no types
    """Revocation of a token by an app (RFC 7009)."""

    CLIENT_AUTH_METHODS = METHODS

    def query_token(self, presented: str, _: str | None) -> Came | None:
        """Return the origin of the token; the hint is ignored."""
        origin = apps.origin_of_token(self.server.db, presented, self.server.now)
        return None if origin is None else Came(origin, presented)

    def revoke_token(self, came: Came, _: Any) -> None:
        """End all tokens of the same code (section 2.1)."""
        apps.end_app_tokens(self.server.db, came.origin)


def authorization_server(issuer: str) -> dict[str, Any]:
    """Return the server's metadata (RFC 8414); `issuer` is the address of the service."""
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
    """Return the metadata of the protected resource at a path of the service (RFC 9728)."""
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
    """Server for a single request of an app or its player, in the transaction `db`."""

    def __init__(self, db: Connection, issuer: str, now: datetime) -> None:
        super().__init__(scopes_supported=APP_SCOPES)
        self.db, self.now = db, now
        lifetime = int(apps.ACCESS_LIFETIME.total_seconds())
        made = rfc6750.BearerTokenGenerator(_drawn, _drawn, lifetime)
        self.register_token_generator("default", made)
        self.register_grant(CodeGrant, [OnlyS256()])
        self.register_grant(RefreshGrant)
        self.register_endpoint(Revocation)
        self._telling = _Issuer(issuer)
        self._telling(self)

    def consent(self, sent: Sent, player: UUID) -> Consent:
        """Return the app's request; OAuth2Error, with the app's address if registered."""
        _require_plain(sent)
        grant = self.get_consent_grant(OAuthRequest(sent), player)
        return Consent(grant.client.app, grant.request.scope.split(), grant)

    def answer(self, consent: Consent, player: UUID | None) -> Response:
        """Return the redirect to the app: with a code, or without a player with the error `access_denied`."""
        answered: Response = self.create_authorization_response(consent.grant.request, player, consent.grant)
        return answered

    def refuse(self, error: OAuth2Error) -> str | None:
        """Return the redirect that reports the error to the app, None if the request named no registered address."""
        answered = self.handle_error_response(None, error)
        self._telling.add_issuer_parameter(self, answered)
        return answered.location if error.redirect_uri else None

    def tokens(self, sent: Sent, headers: Headers) -> Response:
        """Return the response of the token endpoint."""
        return self._checked(sent, headers, self.create_token_response)

    def revoke(self, sent: Sent, headers: Headers) -> Response:
        """Return the response of the revocation endpoint."""
        return self._checked(sent, headers, lambda asked: self.create_endpoint_response("revocation", asked))

    def _checked(self, sent: Sent, headers: Headers, answer: Callable[[OAuthRequest], Response]) -> Response:
        try:
            _require_plain(sent)
        except OAuth2Error as error:
            refused: Response = self.handle_error_response(None, error)
            return refused
        return answer(OAuthRequest(sent, headers))

    def query_client(self, client_id: str) -> Client | None:
        """Return the app in authlib's form."""
        found = apps.find_app(self.db, client_id)
        return None if found is None else Client(found)

    def authenticate_client(self, request: OAuthRequest, methods: Sequence[str], endpoint: str = "token") -> Any:
        """Return the authenticated client; InvalidClientError."""
        try:
            return super().authenticate_client(request, methods, endpoint)
        except ValueError as fault:
            # The header Authorization need not be text.
            raise faults.InvalidClientError(status_code=401) from fault

    def save_token(self, token: Mapping[str, Any], request: Any) -> None:
        """Store the tokens of the response."""
        came: Came = request.authorization_code or request.refresh_token
        pair = apps.Pair(token["access_token"], token["refresh_token"], token["scope"].split())
        apps.keep_app_tokens(self.db, came.origin, request.client.app, pair, self.now)

    def create_oauth2_request(self, request: OAuthRequest) -> OAuthRequest:
        """Return the request as it is."""
        return request

    def send_signal(self, name: str, *_: Any, **__: Any) -> None:
        """Do nothing: there are no listeners."""

    def handle_response(self, status: int, body: Any, headers: Sequence[tuple[str, str]]) -> Response:
        """Return the response; a redirect as 303, so that no form is sent on (RFC 9700, section 4.12)."""
        if status == 302:
            return Response(status=303, headers=dict(headers))
        return as_json(body, status, {**dict(headers), "Cache-Control": "no-store"})


@dataclass(frozen=True, slots=True)
class Consent:
    """Request of an app to a player: to be shown, and answered by `Server.answer`."""

    app: App
    scopes: Sequence[str]
    grant: Any


def _drawn(**_: Any) -> str:
    return tokens.draw_token()


def _require_plain(sent: Sent) -> None:
    """Refuse parameters that are repeated, too long, or have characters outside the protocol's sets."""
    for name, values in sent.lists():
        form = _STATE if name == "state" else _WORDS
        if len(values) > 1 or len(values[0]) > MAX_PARAMETER_LENGTH or not form.fullmatch(values[0]):
            raise faults.InvalidRequestError("A parameter comes twice, is too long, or has characters it may not have.")
