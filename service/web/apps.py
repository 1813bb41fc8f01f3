"""The page of the apps that may act for a player, and of those that the player has registered."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from flask import Response, request, url_for
from marshmallow import ValidationError

from schemas.apps import MOST_ADDRESSES, AppChanges, GrantsWanted, NewApp
from schemas.names import fault_of
from service.handlers import apps
from service.handlers.apps import AppMade, AppTerms
from service.handlers.refusals import PreconditionFailed, TooMany, UnknownApp, UnknownGrant
from service.handlers.transaction import transaction
from service.http.responses import paged
from service.shared import clock
from service.views.apps import apps_of, grants_of
from service.views.my_games import TOP
from service.web.blueprint import web
from service.web.page import admitted, current_runtime
from service.web.session import Visitor, language, missing_page, page, see_other, signed_in
from service.web.sign_in_anew import recently_signed_in
from service.web.unchanged import unless_changed, version_of

PAGE = 50
_APP, _CHANGES, _AFTER = NewApp(), AppChanges(), GrantsWanted(only=("after",))


@web.get("/settings/apps")
@signed_in
def show_apps(visitor: Visitor) -> Response:
    """List the apps that may act for the player, and those that the player has registered."""
    return _page(visitor, 200)


@web.post("/settings/apps")
@recently_signed_in(back="web.show_apps")
def register_app(visitor: Visitor) -> Response:
    """Register an app with the `name`, the `redirect_uris` (one a line) and `confidential` of the form."""
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
    """Change an app that the player has registered to the `name` and the `redirect_uris` (one a line) of the form."""
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
    """Delete an app that the player has registered."""
    try:
        apps.delete(current_runtime().games, visitor.id, app_id)
    except UnknownApp:
        return missing_page()
    return see_other(url_for("web.show_apps", deleted=""))


@web.post("/settings/grants/<uuid:grant_id>/revoke")
@signed_in
def revoke_grant(visitor: Visitor, grant_id: UUID) -> Response:
    """Let an app act for the player no more."""
    try:
        apps.revoke(current_runtime().games, visitor.id, grant_id)
    except UnknownGrant:
        return missing_page()
    return see_other(url_for("web.show_apps", revoked=""))


def app_version(known: Mapping[str, Any]) -> str:
    """Return the version of what the form of an app shows."""
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
        own, found = apps_of(db, visitor.id), grants_of(db, visitor.id, language(), after, PAGE + 1)
    listed = paged(found, PAGE, at="granted_at")
    return page(
        "apps.html",
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
        most=MOST_ADDRESSES,
        note=next((each for each in ("changed", "deleted", "revoked") if each in request.args), None),
        metadata=f"{current_runtime().settings.base_url}/.well-known/oauth-authorization-server",
    )
