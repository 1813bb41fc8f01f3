"""A player's programs: tokens for the API, and bots. A secret is shown once, on the page that made it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import UUID

from flask import Response, request, url_for
from marshmallow import ValidationError

from schemas.accounts import NewBot, NewToken
from schemas.names import fault_of
from service.handlers.farewell import dismiss
from service.handlers.players import create_bot
from service.handlers.refusals import TooMany
from service.handlers.tokens import TokenTerms, create, revoke
from service.handlers.transaction import transaction
from service.shared import clock
from service.store.tables import SCOPES
from service.views.account import bots_of, tokens_of
from service.web.blueprint import web
from service.web.page import runtime
from service.web.session import Visitor, go_to, missing_page, page, signed_in

_TOKEN, _BOT = NewToken(), NewBot()


@web.get("/settings/programs")
@signed_in
def programs(there: Visitor) -> Response:
    """List tokens and bots."""
    return _page(there, 200)


@web.post("/settings/tokens")
@signed_in
def make_token(there: Visitor) -> Response:
    """Make a token with the `label`, `scopes` and `days` of the form, and show it."""
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
        _, secret = create(runtime().games, there.browser, wanted, now)
    except ValidationError:
        return _page(there, 422, refusal="programs-bad-token")
    except TooMany:
        return _page(there, 409, refusal="programs-too-many")
    return _page(there, 200, secret=secret)


@web.post("/settings/tokens/revoke")
@signed_in
def end_token(there: Visitor) -> Response:
    """Revoke the `token` of the form."""
    found = _sent("token")
    if found is None or not revoke(runtime().games, there.id, found, clock.now()):
        return missing_page()
    return go_to(url_for("web.programs"))


@web.post("/settings/bots")
@signed_in
def make_bot(there: Visitor) -> Response:
    """Make a bot with the `name` of the form, and show its token."""
    try:
        name = _BOT.load({"name": request.form.get("name", "").strip()})["name"]
        _, secret = create_bot(runtime().games, there.browser, name, clock.now())
    except ValidationError as refusal:
        return _page(there, 422, refusal=fault_of(refusal) or "settings-bad-name")
    except TooMany:
        return _page(there, 409, refusal="programs-too-many")
    return _page(there, 200, secret=secret)


@web.post("/settings/bots/delete")
@signed_in
def end_bot(there: Visitor) -> Response:
    """Delete the `bot` of the form."""
    found = _sent("bot")
    if found is None or not dismiss(runtime().games, there.id, found, "web", clock.now()):
        return missing_page()
    return go_to(url_for("web.programs"))


def _sent(name: str) -> UUID | None:
    try:
        return UUID(request.form.get(name, ""))
    except ValueError:
        return None


def _page(there: Visitor, status: int, refusal: str | None = None, secret: str | None = None) -> Response:
    house = runtime()
    with transaction(house.games.engine) as db:
        tokens, bots = tokens_of(db, there.id), bots_of(db, there.id)
    return page(
        "programs.html",
        status,
        tokens=tokens,
        this=str(there.browser.token.id),
        bots=bots,
        scopes=SCOPES,
        refusal=refusal,
        secret=secret,
        api=f"{house.settings.base_url}/api/v1",
    )
