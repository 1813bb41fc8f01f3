"""Page of a player's programs: API tokens and bots. A secret is shown once, on the page that created it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, get_args
from uuid import UUID

from flask import Response, request, url_for
from marshmallow import ValidationError

from schemas.access import NewBot, NewToken
from schemas.names import fault_of
from service.handlers import people
from service.handlers.delete_account import dismiss
from service.handlers.refusals import TooMany
from service.handlers.tokens import TokenTerms, create, revoke
from service.handlers.transaction import transaction
from service.shared import clock
from service.store.access import SCOPES, Session
from service.views.account import bots_of, tokens_of
from service.web.access.sign_in import recently_signed_in
from service.web.blueprint import web
from service.web.page import current_runtime
from service.web.session import Visitor, missing_page, page, see_other, signed_in

_TOKEN, _BOT = NewToken(), NewBot()


@web.get("/settings/programs")
@signed_in
def programs(visitor: Visitor) -> Response:
    """List the player's tokens and bots."""
    return _page(visitor, 200)


@web.post("/settings/tokens")
@recently_signed_in(back="web.programs")
def create_token(visitor: Visitor) -> Response:
    """Create a token with the `label`, `scopes` and `days` of the form, and show the token."""
    days = request.form.get("days", "")
    sent: dict[str, Any] = {"label": request.form.get("label", "").strip(), "scopes": request.form.getlist("scopes")}
    if days:
        sent["expires_in_days"] = int(days) if days.isascii() and days.isdigit() and len(days) < 9 else days
    now = clock.now()
    try:
        posted = _TOKEN.load(sent)
        lasting = posted.get("expires_in_days")
        until = None if lasting is None else now + timedelta(days=lasting)
        wanted = TokenTerms(posted["label"], posted["scopes"], until)
        _, secret = create(current_runtime().games, visitor.browser, wanted, now)
    except ValidationError:
        return _page(visitor, 422, refusal="programs-bad-token")
    except TooMany:
        return _page(visitor, 409, refusal="programs-too-many")
    return _page(visitor, 200, secret=secret)


@web.post("/settings/tokens/revoke")
@signed_in
def revoke_token(visitor: Visitor) -> Response:
    """Revoke the `token` of the form."""
    chosen = _posted_id("token")
    if chosen is None or not revoke(current_runtime().games, visitor.id, chosen, clock.now()):
        return missing_page()
    return see_other(url_for("web.programs"))


@web.post("/settings/bots")
@recently_signed_in(back="web.programs")
def create_bot(visitor: Visitor) -> Response:
    """Create a bot with the `name` of the form, and show its token."""
    try:
        name = _BOT.load({"name": request.form.get("name", "").strip()})["name"]
        _, secret = people.create_bot(current_runtime().games, visitor.browser, name, clock.now())
    except ValidationError as refusal:
        return _page(visitor, 422, refusal=fault_of(refusal) or "settings-bad-name")
    except TooMany:
        return _page(visitor, 409, refusal="programs-too-many")
    return _page(visitor, 200, secret=secret)


@web.post("/settings/bots/delete")
@recently_signed_in(back="web.programs")
def delete_bot(visitor: Visitor) -> Response:
    """Delete the `bot` of the form."""
    chosen = _posted_id("bot")
    if chosen is None or not dismiss(current_runtime().games, visitor.id, chosen, "web", clock.now()):
        return missing_page()
    return see_other(url_for("web.programs"))


def _posted_id(name: str) -> UUID | None:
    try:
        return UUID(request.form.get(name, ""))
    except ValueError:
        return None


def _page(visitor: Visitor, status: int, refusal: str | None = None, secret: str | None = None) -> Response:
    runtime = current_runtime()
    with transaction(runtime.games.engine) as db:
        tokens, bots = tokens_of(db, visitor.id), bots_of(db, visitor.id)
    return page(
        "access/tokens.html",
        status,
        tokens=tokens,
        this=str(visitor.browser.token.id),
        bots=bots,
        sessions=get_args(Session),
        scopes=SCOPES,
        refusal=refusal,
        secret=secret,
        api=f"{runtime.settings.base_url}/api/v1",
    )
