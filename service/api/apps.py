"""Apps of other people: registered and changed by those who write them, and revoked by those for whom they act."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from flask import Response

from schemas.access import AppChanges, AppListed, AppMade, AppsListed, Grants, GrantsWanted, NewApp
from schemas.play import Idempotency
from service.api.auth import guard, player, runtime
from service.api.contract import Answers, Resource
from service.api.idempotency import once_with_secret
from service.handlers import apps as handlers
from service.handlers.apps import AppTerms
from service.handlers.idempotency import Receipt
from service.handlers.refusals import BotsMayNot, UnknownApp
from service.handlers.transaction import transaction
from service.http.responses import as_json, at_moment, no_content, paged
from service.shared import clock
from service.views.apps import apps_of, grants_of
from service.views.pages import TOP

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
