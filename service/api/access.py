"""Sign-in, tokens, bots, apps, and the endpoints of OAuth."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

from flask import Blueprint, Response

from schemas.access import (
    AppChanges,
    AppListed,
    AppMade,
    AppsListed,
    BotMade,
    BotsListed,
    Grants,
    GrantsWanted,
    NewApp,
    NewBot,
    NewToken,
    SignInAsked,
    SignInUsed,
    SignInWanted,
    TokenMade,
    TokensListed,
)
from schemas.play import Idempotency
from service.api.auth import RESOURCE_METADATA, guard, identity, player, runtime
from service.api.contract import Answers, Resource
from service.api.idempotency import once_with_secret
from service.handlers import apps as handlers
from service.handlers.apps import AppTerms
from service.handlers.delete_account import dismiss
from service.handlers.idempotency import Receipt
from service.handlers.people import Arrival
from service.handlers.people import create_bot as make_bot
from service.handlers.refusals import BotsMayNot, UnknownApp, UnknownSignIn
from service.handlers.sign_in import MINUTES, ask, use
from service.handlers.tokens import TokenTerms, create, require_bot
from service.handlers.tokens import revoke as tokens_revoke
from service.handlers.transaction import transaction
from service.http.limits import admit, admit_mail, budget
from service.http.problems import problem
from service.http.request import current_request, spoken_language
from service.http.responses import PRIVATE, as_json, at_moment, no_content, paged
from service.shared import clock
from service.shared.refusal import NotFound, Refusal
from service.store.access import TokenKind, TokenRow
from service.views.account import apps_of, bot, bots_of, grants_of, token_listed, tokens_of
from service.views.pages import TOP

# Signing in by a mailed link.

sign_in = Resource("sign-in", __name__, description="How one comes in without a password.")
guard(sign_in)


@sign_in.operation(
    "/sign-in",
    Answers(status=202, schema=SignInAsked),
    method="POST",
    public=True,
    bucket="sign-in",
    json=SignInWanted,
)
def request_sign_in(posted: dict[str, Any]) -> Response:
    """Have a link sent to an address.

    Its page, or POST /sign-in/token, gives a token, and makes the account if there is none yet. The answer is the same
    whether the address is known or not. Where nobody has confirmed the address, three such mails a day go there.
    """
    admit_mail(posted["email"])
    language = posted.get("language") or spoken_language()
    ask(runtime().games, posted["email"], posted.get("name"), language, clock.now(), budget())
    return as_json({"valid_minutes": MINUTES}, 202)


@sign_in.operation(
    "/sign-in/token",
    Answers(status=201, schema=TokenMade),
    method="POST",
    refuses=(403, 404),
    public=True,
    json=SignInUsed,
)
def use_sign_in(posted: dict[str, Any]) -> Response:
    """Use the link of a mail up, without a browser, and get a token, which is shown only this once.

    It has every scope, and works for 90 days. It is that of the account which the address has, whoever asks: a guest
    who wants to keep games and name sends the link to POST /me/email instead.
    """
    now = clock.now()
    signed_in = use(runtime().games, posted["sign_in"], Arrival(spoken_language(), zone=posted.get("time_zone")), now)
    if signed_in is None:
        raise UnknownSignIn
    text = signed_in.text
    return as_json({**token_listed(signed_in.token, "personal", text[-4:], now, None), "token": text}, 201)


# Tokens, and the bots that have tokens of their own.

tokens = Resource("tokens", __name__, description="What programs show to be let in, and for what.")
bots = Resource("bots", __name__, description="Players that are programs, and belong to a player.")
guard(tokens)
guard(bots)


@tokens.operation(
    "/tokens",
    Answers(status=201, schema=TokenMade),
    method="POST",
    refuses=(409,),
    scope="profile:write",
    json=NewToken,
    headers=Idempotency,
)
def create_token(posted: dict[str, Any], header: dict[str, Any]) -> Response:
    """Make a token; its text is shown only this once. It can have no scope that the asking token lacks.

    A repeated Idempotency-Key makes no second one, and is refused as `/problems/secret-shown`.
    """
    return _made("create-token", posted, header)


@tokens.operation("/tokens", Answers(schema=TokensListed), scope="account:read")
def list_tokens() -> Response:
    """List one's tokens, the newest first."""
    with transaction(runtime().games.engine) as db:
        return as_json({"items": tokens_of(db, player().id)})


@tokens.operation(
    "/tokens/<uuid:token_id>", Answers(status=204), method="DELETE", refuses=(404,), scope="profile:write"
)
def delete_token(token_id: UUID) -> Response:
    """Revoke a token of one's own; it is refused from now on."""
    return _gone(tokens_revoke(runtime().games, player().id, token_id, clock.now()))


@bots.operation(
    "/bots",
    Answers(status=201, schema=BotMade),
    method="POST",
    refuses=(409,),
    scope="profile:write",
    json=NewBot,
    headers=Idempotency,
)
def create_bot(posted: dict[str, Any], header: dict[str, Any]) -> Response:
    """Make a bot: a player that is a program, and is shown as such with its owner's name.

    Its token, which has the scopes of the asking one, is shown only this once; if it gets lost, POST
    /bots/{id}/tokens makes another. A bot has no address and no bots. A repeated Idempotency-Key makes no second one,
    and is refused as `/problems/secret-shown`.
    """
    games, asking, now = runtime().games, identity(), clock.now()

    def make(receipt: Receipt[tuple[UUID, str]] | None) -> tuple[UUID, str]:
        return make_bot(games, asking, posted["name"], now, receipt)

    bot_id, text = once_with_secret("create-bot", header, posted, make, lambda made: made[0])
    return as_json({**bot(bot_id, posted["name"], now), "token": text}, 201)


@bots.operation("/bots", Answers(schema=BotsListed), scope="account:read")
def list_bots() -> Response:
    """List one's bots, the newest first."""
    with transaction(runtime().games.engine) as db:
        return as_json({"items": bots_of(db, player().id)})


@bots.operation("/bots/<uuid:bot_id>", Answers(status=204), method="DELETE", refuses=(404,), scope="profile:write")
def delete_bot(bot_id: UUID) -> Response:
    """Delete a bot of one's own, as an account is deleted; it gives up its running games."""
    return _gone(dismiss(runtime().games, player().id, bot_id, "api", clock.now()))


@bots.operation(
    "/bots/<uuid:bot_id>/tokens",
    Answers(status=201, schema=TokenMade),
    method="POST",
    refuses=(404, 409),
    scope="profile:write",
    json=NewToken,
    headers=Idempotency,
)
def create_bot_token(posted: dict[str, Any], header: dict[str, Any], bot_id: UUID) -> Response:
    """Make another token for a bot of one's own, as POST /tokens makes one for oneself."""
    return _made("create-bot-token", posted, header, bot_id)


@bots.operation("/bots/<uuid:bot_id>/tokens", Answers(schema=TokensListed), refuses=(404,), scope="account:read")
def list_bot_tokens(bot_id: UUID) -> Response:
    """List the tokens of a bot of one's own, the newest first."""
    with transaction(runtime().games.engine) as db:
        require_bot(db, player().id, bot_id)
        return as_json({"items": tokens_of(db, bot_id)})


@bots.operation(
    "/bots/<uuid:bot_id>/tokens/<uuid:token_id>",
    Answers(status=204),
    method="DELETE",
    refuses=(404,),
    scope="profile:write",
)
def delete_bot_token(bot_id: UUID, token_id: UUID) -> Response:
    """Revoke a token of a bot of one's own; it is refused from now on, and the bot stays."""
    return _gone(tokens_revoke(runtime().games, player().id, token_id, clock.now(), bot_id))


def _made(operation: str, posted: dict[str, Any], header: dict[str, Any], bot_id: UUID | None = None) -> Response:
    """Make a token of the asking player, or of a bot of theirs, and show it."""
    games, asking, now, days = runtime().games, identity(), clock.now(), posted.get("expires_in_days")
    expires_at = None if days is None else now + timedelta(days=days)
    wanted = TokenTerms(posted["label"], posted["scopes"], expires_at)

    def make(receipt: Receipt[tuple[TokenRow, str]] | None) -> tuple[TokenRow, str]:
        return create(games, asking, wanted, now, receipt, bot_id)

    asked = posted if bot_id is None else [str(bot_id), posted]
    kind: TokenKind = "bot" if bot_id is not None or player().owner is not None else "personal"
    row, text = once_with_secret(operation, header, asked, make, lambda made: made[0].id)
    return as_json({**token_listed(row, kind, text[-4:], now, None), "token": text}, 201)


def _gone(found: bool) -> Response:
    if not found:
        raise NotFound
    return Response(status=204, headers=PRIVATE)


# Apps of other people: registered and changed by those who write them, and revoked by those for whom they act.

apps = Resource("apps", __name__, description="Apps of other people that may act for a player (OAuth 2.1).")
guard(apps)

PAGE = 20


@apps.operation(
    "/apps",
    Answers(status=201, schema=AppMade),
    method="POST",
    refuses=(409,),
    scope="profile:write",
    json=NewApp,
    headers=Idempotency,
)
def create_app(posted: dict[str, Any], header: dict[str, Any]) -> Response:
    """Register an app; its `id` is the client_id, and its secret, if it has one, is shown only this once.

    How it gets tokens says /.well-known/oauth-authorization-server. A repeated Idempotency-Key registers no second one,
    and is refused as `/problems/secret-shown` also where there is no secret.
    """
    games, asking, now = runtime().games, player(), clock.now()
    if asking.owner is not None:
        raise BotsMayNot
    wanted = AppTerms(posted["name"], posted["redirect_uris"], posted.get("confidential", False))

    def make(receipt: Receipt[handlers.AppMade] | None) -> handlers.AppMade:
        return handlers.register(games, asking.id, wanted, now, receipt)

    made = once_with_secret("create-app", header, posted, make, lambda made: made.id)
    return as_json({**_listed(made.id, wanted, now), "secret": made.secret}, 201)


@apps.operation("/apps", Answers(schema=AppsListed), scope="account:read")
def list_apps() -> Response:
    """List the apps that one has registered, the oldest first."""
    with transaction(runtime().games.engine) as db:
        return as_json({"items": apps_of(db, player().id)})


@apps.operation(
    "/apps/<uuid:app_id>",
    Answers(schema=AppListed),
    method="PATCH",
    refuses=(404,),
    scope="profile:write",
    json=AppChanges,
)
def change_app(changes: dict[str, Any], app_id: UUID) -> Response:
    """Change the name of an app that one has registered, or where it may be sent answers.

    With other addresses every code ends that has not been exchanged for tokens yet. Tokens and grants stay.
    """
    handlers.change(runtime().games, player().id, app_id, changes.get("name"), changes.get("redirect_uris"))
    with transaction(runtime().games.engine) as db:
        found = next((each for each in apps_of(db, player().id) if each["id"] == str(app_id)), None)
    if found is None:
        raise UnknownApp
    return as_json(found)


@apps.operation("/apps/<uuid:app_id>", Answers(status=204), method="DELETE", refuses=(404,), scope="profile:write")
def delete_app(app_id: UUID) -> Response:
    """Delete an app that one has registered; it can act for nobody any more."""
    handlers.delete(runtime().games, player().id, app_id)
    return no_content()


@apps.operation("/grants", Answers(schema=Grants), scope="account:read", query=GrantsWanted)
def list_grants(wanted: dict[str, Any]) -> Response:
    """List the apps that may act for oneself, and for what, the latest first."""
    limit, asking = wanted.get("limit", PAGE), player()
    with transaction(runtime().games.engine) as db:
        found = grants_of(db, asking.id, asking.language, wanted.get("after", TOP), limit + 1)
    return as_json(paged(found, limit, at_moment("granted_at")))


@apps.operation("/grants/<uuid:grant_id>", Answers(status=204), method="DELETE", refuses=(404,), scope="profile:write")
def delete_grant(grant_id: UUID) -> Response:
    """Let an app act for oneself no more; all of its tokens are refused from now on."""
    handlers.revoke(runtime().games, player().id, grant_id)
    return no_content()


def _listed(app_id: UUID, wanted: AppTerms, now: datetime) -> dict[str, Any]:
    addresses = list(wanted.redirect_uris)
    described = {"name": wanted.name, "redirect_uris": addresses, "confidential": wanted.confidential}
    return {"id": str(app_id), **described, "created_at": now.isoformat()}


# Where apps get tokens and give them back (OAuth 2.1), and what says so; beside the API, at addresses of their own.
#
# Answers and errors have the form of RFC 6749, section 5, since programs know it; no cookie is read.

METADATA: Final = "/.well-known/oauth-authorization-server"
API_PATH: Final = "/api/v1"
PATHS: Final = ("/oauth/token", "/oauth/revoke", METADATA, RESOURCE_METADATA)
"""Paths open to scripts of every origin."""

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
