"""Webhooks: set up, looked at, changed and taken away by the player whose they are."""

from __future__ import annotations

from datetime import datetime
from operator import itemgetter
from typing import Any
from uuid import UUID

from flask import Response

from schemas.messages import (
    Deliveries,
    DeliveriesWanted,
    NewSecret,
    NewWebhook,
    Sent,
    Webhook,
    WebhookChanges,
    WebhookMade,
    Webhooks,
)
from schemas.play import Idempotency
from service.api.auth import guard, player, runtime
from service.api.contract import PREFIX, Answers, Resource
from service.api.idempotency import REPLAYED, once, once_with_secret
from service.handlers import webhooks as handlers
from service.handlers.idempotency import Receipt
from service.handlers.refusals import UnknownWebhook
from service.handlers.transaction import transaction
from service.handlers.webhooks import WebhookTerms
from service.http.responses import PRIVATE, as_json, paged
from service.shared import clock
from service.views import webhooks as views

PAGE = 20

webhooks = Resource("webhooks", __name__, description="Messages to other services when something happens in a game.")
guard(webhooks)


@webhooks.operation(
    "/webhooks",
    Answers(status=201, schema=WebhookMade, headers={"Location": "Where the webhook is found."}),
    method="POST",
    refuses=(403, 404, 409),
    json=NewWebhook,
    headers=Idempotency,
    scope="webhooks:manage",
)
def create_webhook(posted: dict[str, Any], header: dict[str, Any]) -> Response:
    """Set up a webhook for all one's games, or for the table of a game that one hosts.

    The secret in the answer is shown only this once. A repeated Idempotency-Key makes no second one, and is refused as
    `/problems/secret-shown`.
    """
    games, rules, owner, wanted, now = runtime().games, _rules(), player().id, WebhookTerms(**posted), clock.now()

    def make(receipt: Receipt[tuple[UUID, str]] | None) -> tuple[UUID, str]:
        return handlers.create(games, rules, owner, wanted, now, receipt)

    webhook_id, secret = once_with_secret("create-webhook", header, posted, make, lambda made: made[0])
    answer = as_json({**_shown(webhook_id), "secret": secret}, 201)
    answer.headers["Location"] = f"{PREFIX}/webhooks/{webhook_id}"
    return answer


@webhooks.operation("/webhooks", Answers(schema=Webhooks), scope="webhooks:manage")
def list_webhooks() -> Response:
    """List one's webhooks."""
    with transaction(runtime().games.engine) as db:
        return as_json({"items": views.webhooks_of(db, player().id)})


@webhooks.operation("/webhooks/<uuid:webhook_id>", Answers(schema=Webhook), refuses=(404,), scope="webhooks:manage")
def get_webhook(webhook_id: UUID) -> Response:
    """Show a webhook, and whether it is switched off and why."""
    return as_json(_shown(webhook_id))


@webhooks.operation(
    "/webhooks/<uuid:webhook_id>",
    Answers(schema=Webhook),
    method="PATCH",
    refuses=(404,),
    json=WebhookChanges,
    scope="webhooks:manage",
)
def change_webhook(changes: dict[str, Any], webhook_id: UUID) -> Response:
    """Change a webhook, or switch it off or on."""
    handlers.change(runtime().games, _rules(), player().id, webhook_id, changes)
    return as_json(_shown(webhook_id))


@webhooks.operation(
    "/webhooks/<uuid:webhook_id>", Answers(status=204), method="DELETE", refuses=(404,), scope="webhooks:manage"
)
def delete_webhook(webhook_id: UUID) -> Response:
    """Take a webhook away, with its deliveries."""
    handlers.remove(runtime().games, player().id, webhook_id)
    return Response(status=204, headers=PRIVATE)


@webhooks.operation(
    "/webhooks/<uuid:webhook_id>/secret",
    Answers(schema=NewSecret),
    method="POST",
    refuses=(404, 409),
    headers=Idempotency,
    scope="webhooks:manage",
)
def rotate_webhook_secret(header: dict[str, Any], webhook_id: UUID) -> Response:
    """Make a new secret; for a day every message is signed with the old one as well.

    A repeated Idempotency-Key makes no other one, and is refused as `/problems/secret-shown`.
    """
    games, rules, owner, now = runtime().games, _rules(), player().id, clock.now()

    def rotate(receipt: Receipt[tuple[str, datetime]] | None) -> tuple[str, datetime]:
        return handlers.rotate(games, rules, owner, webhook_id, now, receipt)

    secret, until = once_with_secret("rotate-secret", header, str(webhook_id), rotate, lambda _: webhook_id)
    return as_json({"secret": secret, "old_expires_at": until.isoformat()})


@webhooks.operation(
    "/webhooks/<uuid:webhook_id>/test",
    Answers(status=202, schema=Sent, headers=REPLAYED),
    method="POST",
    refuses=(404, 409),
    headers=Idempotency,
    scope="webhooks:manage",
)
def test_webhook(header: dict[str, Any], webhook_id: UUID) -> Response:
    """Send a webhook a message of type webhook.test."""
    games, owner, now = runtime().games, player().id, clock.now()

    def send(receipt: Receipt[UUID] | None) -> UUID:
        return handlers.send_test(games, owner, webhook_id, now, receipt)

    shown, headers = once("test-webhook", header, str(webhook_id), send, lambda delivery: {"id": str(delivery)})
    return as_json(shown, 202, {**PRIVATE, **headers})


@webhooks.operation(
    "/webhooks/<uuid:webhook_id>/deliveries",
    Answers(schema=Deliveries),
    refuses=(404,),
    query=DeliveriesWanted,
    scope="webhooks:manage",
)
def list_deliveries(wanted: dict[str, Any], webhook_id: UUID) -> Response:
    """List what a webhook was sent in the last 30 days, the newest first, and what came of it."""
    limit = wanted.get("limit", PAGE)
    with transaction(runtime().games.engine) as db:
        if views.webhook_of(db, player().id, webhook_id) is None:
            raise UnknownWebhook
        found = views.deliveries(db, webhook_id, wanted.get("after"), limit + 1)
    return as_json(paged(found, limit, itemgetter("id")))


@webhooks.operation(
    "/webhooks/<uuid:webhook_id>/deliveries/<uuid:delivery_id>/again",
    Answers(status=202, schema=Sent),
    method="POST",
    refuses=(404, 409),
    scope="webhooks:manage",
)
def send_delivery_again(webhook_id: UUID, delivery_id: UUID) -> Response:
    """Send a message again, under the same webhook-id; one that waits for its next attempt is sent now."""
    handlers.send_again(runtime().games, player().id, webhook_id, delivery_id)
    return as_json({"id": str(delivery_id)}, 202)


def _rules() -> handlers.Rules:
    return handlers.Rules(runtime().vault, runtime().settings.webhooks_insecure)


def _shown(webhook_id: UUID) -> dict[str, Any]:
    with transaction(runtime().games.engine) as db:
        shown = views.webhook_of(db, player().id, webhook_id)
    if shown is None:
        raise UnknownWebhook
    return shown
