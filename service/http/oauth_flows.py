"""The steps of OAuth 2.1 as authlib takes them, over the codes and tokens that we keep.

`server` of each is the `service.http.oauth.Server` that answers the request.
"""

from __future__ import annotations

from hmac import compare_digest
from typing import Any, Final
from uuid import UUID

from authlib.oauth2 import OAuth2Request, rfc7009, rfc7636
from authlib.oauth2.rfc6749 import OAuth2Payload
from authlib.oauth2.rfc6749 import errors as faults
from authlib.oauth2.rfc6749 import grants as flows
from werkzeug.datastructures import Headers, MultiDict

from service.handlers import app_tokens
from service.handlers.app_tokens import App, AuthorizationRequest, Origin
from service.handlers.apps import digest_of_secret

Sent = MultiDict[str, str]

METHODS: Final = ["client_secret_basic", "client_secret_post", "none"]
"""How a client says who it is (RFC 7591, section 2); a public one has no secret."""


class _Payload(OAuth2Payload):  # type: ignore[misc] # the library has no types
    def __init__(self, sent: Sent) -> None:
        self._sent = sent

    @property
    def data(self) -> Sent:
        """What was sent."""
        return self._sent

    @property
    def datalist(self) -> dict[str, list[str]]:
        """What was sent under each name."""
        return dict(self._sent.lists())


class OAuthRequest(OAuth2Request):  # type: ignore[misc] # likewise
    """A request as authlib reads it, from the form or the query alone."""

    def __init__(self, sent: Sent, headers: Headers | None = None) -> None:
        # Which transport there is, the operator's proxy decides; authlib would judge it by the address it sees.
        super().__init__("POST", "https://localhost", headers=headers)
        self.payload = _Payload(sent)

    @property
    def form(self) -> Sent:
        """What was sent."""
        sent: Sent = self.payload.data
        return sent


class Client:
    """An app, as authlib asks for it (`ClientMixin`)."""

    def __init__(self, app: App) -> None:
        self.app = app

    def get_default_redirect_uri(self) -> None:
        """Return None: each request names its address."""

    def get_allowed_scope(self, scope: str | None) -> str | None:
        """Return the scopes in our order, None if there are none or one that no app is granted."""
        known = app_tokens.allowed(scope)
        return None if known is None else " ".join(known)

    def check_redirect_uri(self, redirect_uri: str) -> bool:
        """Return whether the address is a registered one."""
        return app_tokens.registered(self.app.redirect_uris, redirect_uri) is not None

    def check_client_secret(self, client_secret: str) -> bool:
        """Return whether the secret is that of the app."""
        return compare_digest(digest_of_secret(client_secret), self.app.secret_hash or b"")

    def check_endpoint_auth_method(self, method: str, _: str) -> bool:
        """Return whether the app says in this way who it is; who has a secret has to use it."""
        return (method == "none") == (self.app.secret_hash is None)

    def check_response_type(self, response_type: str) -> bool:
        """Return whether it is the code."""
        return response_type == "code"

    def check_grant_type(self, _: str) -> bool:
        """Return True: every app gets both kinds of tokens."""
        return True


class Came:
    """What a code or a token came of, as authlib asks for it (`AuthorizationCodeMixin`, `TokenMixin`)."""

    def __init__(self, origin: Origin, presented: str) -> None:
        self.origin, self.presented = origin, presented
        self.code_challenge, self.code_challenge_method = origin.challenge, "S256"

    def get_redirect_uri(self) -> str:
        """Return the address that the code was sent to."""
        return self.origin.redirect_uri

    def get_scope(self) -> str:
        """Return the scopes that were granted."""
        return " ".join(self.origin.scopes)

    def check_client(self, client: Client) -> bool:
        """Return whether it came to this app."""
        return self.origin.app == client.app.id


class OnlyS256(rfc7636.CodeChallenge):  # type: ignore[misc] # the library has no types
    """PKCE for every client, by the one method that hides the verifier: none can be talked into less."""

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
        """Let the app act for the player who has agreed, by a code."""
        sent = request.payload
        asked = AuthorizationRequest(request.scope.split(), sent.redirect_uri, sent.data["code_challenge"])
        if not app_tokens.grant(self.server.db, request.client.app, request.user, asked, code, self.server.now):
            raise faults.InvalidClientError("The client does not exist on this server.")

    def query_authorization_code(self, code: str, client: Client) -> Came | None:
        """Return what the code stands for, None if it came to another app."""
        origin = app_tokens.origin_of_code(self.server.db, code, self.server.now)
        found = None if origin is None else Came(origin, code)
        return found if found is not None and found.check_client(client) else None

    def authenticate_user(self, came: Came) -> UUID:
        """Use the code up, now that the request has proved to be the app's; return the player."""
        if not app_tokens.use_code(self.server.db, came.origin, self.server.now):
            raise faults.InvalidGrantError("The code was used before.")
        return came.origin.player

    def delete_authorization_code(self, came: Came) -> None:
        """Keep it: it is the head of what came of it, and a second use has to be noticed."""


class RefreshGrant(flows.RefreshTokenGrant):  # type: ignore[misc] # the library has no types
    """Tokens for a refresh token, which is replaced by a new one (RFC 6749, section 6)."""

    TOKEN_ENDPOINT_AUTH_METHODS = METHODS
    INCLUDE_NEW_REFRESH_TOKEN = True

    def authenticate_refresh_token(self, refresh_token: str) -> Came | None:
        """Return what the refresh token came of."""
        origin = app_tokens.origin_of_refresh(self.server.db, refresh_token, self.server.now)
        return None if origin is None else Came(origin, refresh_token)

    def authenticate_user(self, came: Came) -> UUID:
        """Use the refresh token up; return the player."""
        if not app_tokens.use_refresh(self.server.db, came.origin, came.presented, self.server.now):
            raise faults.InvalidGrantError("The refresh token was used before.")
        return came.origin.player

    def revoke_old_credential(self, came: Came) -> None:
        """Keep it: a second use has to be noticed."""


class Revocation(rfc7009.RevocationEndpoint):  # type: ignore[misc] # the library has no types
    """An app gives a token back (RFC 7009)."""

    CLIENT_AUTH_METHODS = METHODS

    def query_token(self, presented: str, _: str | None) -> Came | None:
        """Return what the token came of, whatever the hint says."""
        origin = app_tokens.origin_of_token(self.server.db, presented, self.server.now)
        return None if origin is None else Came(origin, presented)

    def revoke_token(self, came: Came, _: Any) -> None:
        """End all that came of the same code (section 2.1)."""
        app_tokens.end(self.server.db, came.origin)
