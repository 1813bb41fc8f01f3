"""Page of a player's passkeys, and sign-in by a passkey."""

from __future__ import annotations

from uuid import UUID

from flask import Response, request, url_for
from marshmallow import ValidationError

from schemas.access import NewToken
from service.handlers import passkeys
from service.handlers.passkeys import LONGEST_NAME, RelyingParty
from service.handlers.refusals import BadPasskey, PasskeyCopied, TooMany, UnknownPasskey
from service.handlers.transaction import transaction
from service.shared import clock
from service.views.account import passkeys_of
from service.web.access.arrival import come_in, own_path
from service.web.access.sign_in import current_party, recently_signed_in, sign_in_form
from service.web.blueprint import web
from service.web.page import admitted, current_runtime
from service.web.session import (
    SCRIPT_POLICY,
    Visitor,
    current_visitor,
    missing_page,
    page,
    passes_csrf_check,
    see_other,
    signed_in,
)

_NAMED = NewToken(only=("label",))


@web.post("/sign-in/passkey/challenge")
def begin_sign_in() -> Response:
    """Return the options for `navigator.credentials.get`, for any passkey of this service in the browser."""
    party = current_party()
    if party is None or not passes_csrf_check(current_visitor()):
        return page("notice.html", 403, notice="form-refused")
    return options_for(party, None)


@web.post("/sign-in/passkey")
def enter_by_passkey() -> Response:
    """Sign the browser in by the `credential` of the form, and return to `back` or to the visitor's games."""
    party = current_party()
    if party is None or not passes_csrf_check(current_visitor()):
        return page("notice.html", 403, notice="form-refused")
    if not admitted("writing"):
        return page("notice.html", 429, notice="too-often")
    try:
        return entered(party, None, own_path(request.form.get("back", "")) or url_for("web.my_games"))
    except BadPasskey:
        return sign_in_form(422, "passkey-refused")
    except PasskeyCopied:
        return sign_in_form(422, "passkey-copied")


def options_for(party: RelyingParty, player: UUID | None) -> Response:
    """Return the options to sign in by a passkey (of the player, if given), or the page for too many requests."""
    if not admitted("writing", player):
        return page("notice.html", 429, notice="too-often")
    return _json(passkeys.request_options(current_runtime().games, party, player, clock.now()))


def entered(party: RelyingParty, player: UUID | None, back: str) -> Response:
    """Sign the browser in by the form (as the player, if given), and go to `back`; BadPasskey, PasskeyCopied."""
    games, credential = current_runtime().games, request.form.get("credential", "")
    return come_in(passkeys.enter(games, party, player, credential, clock.now()), back)


@web.get("/settings/passkeys")
@signed_in
def show_passkeys(visitor: Visitor) -> Response:
    return _page(visitor, 200)


@web.post("/settings/passkeys/challenge")
@recently_signed_in(back="web.show_passkeys")
def begin_registration(visitor: Visitor) -> Response:
    """Return the options for `navigator.credentials.create`; requires a recent sign-in."""
    party = current_party()
    if party is None or visitor.guest:
        return _page(visitor, 403)
    if not admitted("writing", visitor.id):
        return page("notice.html", 429, notice="too-often")
    games = current_runtime().games
    return _json(passkeys.creation_options(games, party, visitor.browser.player, clock.now()))


@web.post("/settings/passkeys")
@recently_signed_in(back="web.show_passkeys")
def register_passkey(visitor: Visitor) -> Response:
    """Register the passkey that the browser has made (`credential`) under the `name` of the form."""
    party = current_party()
    if party is None or visitor.guest:
        return _page(visitor, 403)
    if not admitted("writing", visitor.id):
        return page("notice.html", 429, notice="too-often")
    answer = request.form.get("credential", "")
    try:
        passkeys.register(current_runtime().games, party, visitor.id, _name(), answer, clock.now())
    except ValidationError:
        return _page(visitor, 422, refusal="passkeys-bad-name")
    except BadPasskey:
        return _page(visitor, 422, refusal="passkeys-not-made")
    except TooMany:
        return _page(visitor, 409, refusal="programs-too-many")
    return see_other(url_for("web.show_passkeys", added=""))


@web.post("/settings/passkeys/<uuid:passkey_id>")
@signed_in
def rename_passkey(visitor: Visitor, passkey_id: UUID) -> Response:
    """Give the passkey the `name` of the form."""
    try:
        passkeys.rename(current_runtime().games, visitor.id, passkey_id, _name())
    except ValidationError:
        return _page(visitor, 422, refusal="passkeys-bad-name")
    except UnknownPasskey:
        return missing_page()
    return see_other(url_for("web.show_passkeys", renamed=""))


@web.post("/settings/passkeys/<uuid:passkey_id>/delete")
@recently_signed_in(back="web.show_passkeys")
def remove_passkey(visitor: Visitor, passkey_id: UUID) -> Response:
    """Remove a passkey; the mailed link remains as a way to sign in."""
    try:
        passkeys.remove(current_runtime().games, visitor.id, passkey_id, clock.now())
    except UnknownPasskey:
        return missing_page()
    return see_other(url_for("web.show_passkeys", removed=""))


def _name() -> str:
    sent: dict[str, str] = _NAMED.load({"label": request.form.get("name", "").strip()})
    return sent["label"]


def _json(options: str) -> Response:
    return Response(options, content_type="application/json")


def _page(visitor: Visitor, status: int, refusal: str | None = None) -> Response:
    with transaction(current_runtime().games.engine) as db:
        known = passkeys_of(db, visitor.id)
    response = page(
        "access/passkeys.html",
        status,
        passkeys=known,
        possible=current_party() is not None,
        longest=LONGEST_NAME,
        written=request.form.get("name", "")[:LONGEST_NAME],
        refusal=refusal,
        note=next((name for name in ("added", "renamed", "removed") if name in request.args), None),
    )
    response.headers["Content-Security-Policy"] = SCRIPT_POLICY
    return response
