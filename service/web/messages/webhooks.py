"""Pages of a player's webhooks and of the deliveries to them."""

from __future__ import annotations

from uuid import UUID

from flask import Response, request, url_for
from marshmallow import ValidationError

from schemas.messages import NewWebhook
from service.handlers import webhooks
from service.handlers.refusals import BadAddress, TooMany, UnknownWebhook, WebhooksOff
from service.handlers.transaction import transaction
from service.handlers.webhooks import Rules, WebhookTerms
from service.messages.webhooks import TYPES
from service.shared import clock
from service.views.messages import deliveries, webhook_of, webhooks_of
from service.web.access.sign_in import recently_signed_in
from service.web.blueprint import web
from service.web.page import current_runtime
from service.web.session import Visitor, missing_page, page, see_other, signed_in

_NEW = NewWebhook(only=("url", "events"))
MAX_DELIVERIES = 50


@web.get("/settings/webhooks")
@signed_in
def list_webhooks(visitor: Visitor) -> Response:
    return _page(visitor, 200)


@web.post("/settings/webhooks")
@recently_signed_in(back="web.list_webhooks")
def create_webhook(visitor: Visitor) -> Response:
    """Create a webhook with the `url` and `events` of the form, and show its secret once."""
    runtime = current_runtime()
    rules = Rules(runtime.vault, runtime.settings.webhooks_insecure)
    try:
        posted = _NEW.load({"url": request.form.get("url", "").strip(), "events": request.form.getlist("events")})
        _, secret = webhooks.create(runtime.games, rules, visitor.id, WebhookTerms(**posted), clock.now())
    except (ValidationError, BadAddress):
        return _page(visitor, 422, refusal="hooks-bad-form")
    except TooMany:
        return _page(visitor, 409, refusal="programs-too-many")
    except WebhooksOff:
        return _page(visitor, 409, refusal="hooks-off")
    return _page(visitor, 200, secret=secret)


@web.get("/settings/webhooks/<uuid:webhook_id>")
@signed_in
def show_webhook(visitor: Visitor, webhook_id: UUID) -> Response:
    """Show a webhook and its newest deliveries."""
    with transaction(current_runtime().games.engine) as db:
        hook = webhook_of(db, visitor.id, webhook_id)
        if hook is None:
            return missing_page()
        return page("messages/webhook.html", hook=hook, deliveries=deliveries(db, webhook_id, None, MAX_DELIVERIES))


@web.post("/settings/webhooks/<uuid:webhook_id>/delete")
@signed_in
def delete_webhook(visitor: Visitor, webhook_id: UUID) -> Response:
    try:
        webhooks.remove(current_runtime().games, visitor.id, webhook_id)
    except UnknownWebhook:
        return missing_page()
    return see_other(url_for("web.list_webhooks"))


def _page(visitor: Visitor, status: int, refusal: str | None = None, secret: str | None = None) -> Response:
    with transaction(current_runtime().games.engine) as db:
        known = webhooks_of(db, visitor.id)
    return page("messages/webhooks.html", status, hooks=known, types=TYPES, refusal=refusal, secret=secret)
