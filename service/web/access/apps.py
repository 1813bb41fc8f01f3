"""Page of a player's apps: those that may act for the player, and those that the player has registered."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import SplitResult, urlencode, urlsplit
from uuid import UUID

from flask import Response, request, url_for
from marshmallow import ValidationError

from schemas.access import MAX_REDIRECT_ADDRESSES, AppChanges, GrantsWanted, NewApp
from schemas.names import fault_of
from service.handlers import apps
from service.handlers.apps import AppMade, AppTerms
from service.handlers.refusals import PreconditionFailed, TooMany, UnknownApp, UnknownGrant
from service.handlers.transaction import transaction
from service.http.access_log import SECURITY
from service.http.responses import at_moment, paged
from service.shared import clock
from service.texts.names import display_name
from service.views.account import apps_of, grants_of
from service.views.pages import TOP
from service.web.access.sign_in import ask_anew, declared, recently_signed_in
from service.web.blueprint import web
from service.web.page import admitted, current_runtime
from service.web.post_guard import unless_changed, version_of
from service.web.session import FORM_KEY, Visitor, current_visitor, language, missing_page, page, see_other, signed_in

if TYPE_CHECKING:
    from sqlalchemy import Connection
    from werkzeug.datastructures import MultiDict

    from service.http.oauth import Consent, Sent, Server

PAGE_SIZE = 50
_APP, _CHANGES, _AFTER = NewApp(), AppChanges(), GrantsWanted(only=("after",))


@web.get("/settings/apps")
@signed_in
def show_apps(visitor: Visitor) -> Response:
    """List the apps that may act for the player, and the player's own registered apps."""
    return _page(visitor, 200)


@web.post("/settings/apps")
@recently_signed_in(back="web.show_apps")
def register_app(visitor: Visitor) -> Response:
    """Register an app with the `name`, the `redirect_uris` (one per line) and `confidential` of the form."""
    if not admitted("writing", visitor.id):
        return page("notice.html", 429, notice="too-often")
    try:
        posted = _APP.load(_sent())
        wanted = AppTerms(posted["name"], posted["redirect_uris"], "confidential" in request.form)
        made = apps.register(current_runtime().games, visitor.id, wanted, clock.now())
    except ValidationError as refusal:
        return _page(visitor, 422, _fault(refusal))
    except TooMany:
        return _page(visitor, 409, "programs-too-many")
    return _page(visitor, 200, made=made)


@web.post("/settings/apps/<uuid:app_id>/change")
@recently_signed_in(back="web.show_apps")
def change_app(visitor: Visitor, app_id: UUID) -> Response:
    """Change an app of the player to the `name` and the `redirect_uris` (one per line) of the form."""
    if not admitted("writing", visitor.id):
        return page("notice.html", 429, notice="too-often")
    try:
        posted = _CHANGES.load(_sent())
        unless_changed(
            lambda db: next((app_version(each) for each in apps_of(db, visitor.id) if each["id"] == str(app_id)), ""),
            lambda: apps.change(current_runtime().games, visitor.id, app_id, posted["name"], posted["redirect_uris"]),
        )
    except ValidationError as refusal:
        return _page(visitor, 422, _fault(refusal), changed=app_id)
    except PreconditionFailed:
        return _page(visitor, 412, "settings-changed", changed=app_id)
    except UnknownApp:
        return missing_page()
    return see_other(url_for("web.show_apps", changed=""))


@web.post("/settings/apps/<uuid:app_id>/delete")
@recently_signed_in(back="web.show_apps")
def delete_app(visitor: Visitor, app_id: UUID) -> Response:
    """Delete an app of the player."""
    try:
        apps.delete(current_runtime().games, visitor.id, app_id)
    except UnknownApp:
        return missing_page()
    return see_other(url_for("web.show_apps", deleted=""))


@web.post("/settings/grants/<uuid:grant_id>/revoke")
@signed_in
def revoke_grant(visitor: Visitor, grant_id: UUID) -> Response:
    """Revoke an app's right to act for the player."""
    try:
        apps.revoke(current_runtime().games, visitor.id, grant_id)
    except UnknownGrant:
        return missing_page()
    return see_other(url_for("web.show_apps", revoked=""))


def app_version(known: Mapping[str, Any]) -> str:
    """Return the version of the values that the form of an app shows."""
    return version_of(known["name"], known["redirect_uris"])


def _sent() -> dict[str, Any]:
    addresses = [line.strip() for line in request.form.get("redirect_uris", "").splitlines() if line.strip()]
    return {"name": request.form.get("name", "").strip(), "redirect_uris": addresses}


def _fault(refusal: ValidationError) -> str:
    bad_address = "redirect_uris" in refusal.messages_dict
    return "apps-bad-address" if bad_address else fault_of(refusal) or "settings-bad-name"


def _page(
    visitor: Visitor,
    status: int,
    refusal: str | None = None,
    made: AppMade | None = None,
    changed: UUID | None = None,
) -> Response:
    try:
        after = _AFTER.load({"after": request.args["after"]} if "after" in request.args else {}).get("after", TOP)
    except ValidationError:
        return missing_page()
    with transaction(current_runtime().games.engine) as db:
        own, found = apps_of(db, visitor.id), grants_of(db, visitor.id, language(), after, PAGE_SIZE + 1)
    listed = paged(found, PAGE_SIZE, at_moment("granted_at"))
    return page(
        "access/apps.html",
        status,
        own=own,
        app_version=app_version,
        grants=listed["items"],
        following=listed["next"],
        made=made,
        refusal=refusal,
        written={each: request.form.get(each, "") for each in ("name", "redirect_uris")} if refusal else {},
        changed=None if changed is None else str(changed),
        confidential="confidential" in request.form,
        most=MAX_REDIRECT_ADDRESSES,
        note=next((each for each in ("changed", "deleted", "revoked") if each in request.args), None),
        metadata=f"{current_runtime().settings.base_url}/.well-known/oauth-authorization-server",
    )


# Consent to an app of another developer (OAuth 2.1). Nothing redirects to the app without a press: a forged request
# must not make this site an open redirector.

ANSWER = "answer"
"""Form field with the value `allow` or `deny`."""


@web.get("/oauth/authorize")
def ask_consent() -> Response:
    """Show what the app asks for, to a visitor with a recent sign-in; others sign in first, and come back."""
    from authlib.oauth2 import OAuth2Error

    visitor = current_visitor()
    if visitor is None:
        return see_other(url_for("web.ask_sign_in", back=_asked_at(request.args)))
    with transaction(current_runtime().games.engine) as db:
        server = _server(db)
        try:
            asked = server.consent(request.args, visitor.id)
        except OAuth2Error as error:
            return page("access/app_refused.html", 400, error=error.error, back=server.refuse(error))
    return _consent_page(asked, request.args) if visitor.recent else ask_anew(visitor, _asked_at(request.args), 200)


@web.post("/oauth/authorize")
@declared
@signed_in
def answer_consent(visitor: Visitor) -> Response:
    """Send the visitor back to the app: with a code after *allow*, else with the refusal."""
    from authlib.oauth2 import OAuth2Error

    if not admitted("writing", visitor.id):
        return page("notice.html", 429, notice="too-often")
    sent = request.form.copy()
    allowed = sent.pop(ANSWER, "") == "allow"
    sent.pop(FORM_KEY)
    if allowed and not visitor.recent:
        return ask_anew(visitor, _asked_at(sent))
    with transaction(current_runtime().games.engine) as db:
        server = _server(db)
        try:
            asked = server.consent(sent, visitor.id)
        except OAuth2Error as error:
            return page("access/app_refused.html", 400, error=error.error, back=server.refuse(error))
        return server.answer(asked, visitor.id if allowed else None)


def _asked_at(sent: MultiDict[str, str]) -> str:
    return f"{url_for('web.ask_consent')}?{urlencode([*sent.items(multi=True)])}"


def _consent_page(asked: Consent, sent: Sent) -> Response:
    """Return the page; its policy lets the form lead on to the app's origin, since browsers check redirects too."""
    place = urlsplit(sent["redirect_uri"])
    app, named = asked.app, place.netloc if place.scheme in ("http", "https") else place.scheme
    owner = display_name(app.owner_name, language())
    response = page(
        "access/consent.html",
        app=app.name,
        owner=owner,
        handle=app.owner_handle,
        place=named,
        scopes=asked.scopes,
        sent=sent,
    )
    response.headers["Content-Security-Policy"] = _policy(place)
    return response


def _policy(place: SplitResult) -> str:
    # A registered address has no character with a meaning in the policy (schemas/access.py). The policy's grammar has
    # no IPv6 addresses, and schemes of apps have no host: both are named by scheme alone.
    hosted = place.scheme in ("http", "https") and not place.netloc.startswith("[")
    origin = f"{place.scheme}://{place.netloc}" if hosted else f"{place.scheme}:"
    return SECURITY["Content-Security-Policy"].replace("form-action 'self'", f"form-action 'self' {origin}")


def _server(db: Connection) -> Server:
    from service.http.oauth import Server

    return Server(db, current_runtime().settings.base_url, clock.now())
