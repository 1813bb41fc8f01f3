"""Webhooks and their deliveries, as the owner sees them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Connection, func, select

from service.store.tables import outbox, webhook, webhook_delivery

_STATES: Mapping[str, str] = {"pending": "pending", "done": "delivered", "dead": "failed", "skipped": "skipped"}
_HOOK = select(
    webhook.c.id,
    webhook.c.url,
    webhook.c.events,
    webhook.c.game_id,
    webhook.c.active,
    webhook.c.disabled,
    webhook.c.failing_since,
    webhook.c.created_at,
)
_DELIVERY = select(
    webhook_delivery.c.id,
    webhook_delivery.c.type,
    webhook_delivery.c.created_at,
    webhook_delivery.c.tried_at,
    webhook_delivery.c.code,
    webhook_delivery.c.ms,
    webhook_delivery.c.error,
    outbox.c.game_id,
    outbox.c.state,
    outbox.c.attempts,
    outbox.c.not_before,
).join(outbox, outbox.c.id == webhook_delivery.c.outbox_id)

_OUTCOMES = (
    select(webhook_delivery.c.webhook_id, outbox.c.state, func.count().label("messages"))
    .join(outbox, outbox.c.id == webhook_delivery.c.outbox_id)
    .join(webhook, webhook.c.id == webhook_delivery.c.webhook_id)
    .group_by(webhook_delivery.c.webhook_id, outbox.c.state)
)


def webhooks_of(db: Connection, owner: UUID) -> list[dict[str, Any]]:
    """Return the player's webhooks, the oldest first, without their secrets."""
    return [_shown(row) for row in db.execute(_HOOK.where(webhook.c.player_id == owner).order_by(webhook.c.id))]


def webhook_of(db: Connection, owner: UUID, webhook_id: UUID) -> dict[str, Any] | None:
    """Return a webhook of the player, or None."""
    row = db.execute(_HOOK.where(webhook.c.player_id == owner, webhook.c.id == webhook_id)).one_or_none()
    return None if row is None else _shown(row)


def deliveries(db: Connection, webhook_id: UUID, after: UUID | None, limit: int) -> list[dict[str, Any]]:
    """Return at most `limit` deliveries to a webhook, the newest first, after the delivery `after`."""
    wanted = _DELIVERY.where(webhook_delivery.c.webhook_id == webhook_id)
    if after is not None:
        wanted = wanted.where(webhook_delivery.c.id < after)
    rows = db.execute(wanted.order_by(webhook_delivery.c.id.desc()).limit(limit))
    return [
        {
            "id": str(row.id),
            "type": row.type,
            "game": None if row.game_id is None else str(row.game_id),
            "created_at": row.created_at.isoformat(),
            "state": _STATES[row.state],
            "attempts": row.attempts,
            "tried_at": _iso(row.tried_at),
            "code": row.code,
            "ms": row.ms,
            "error": row.error,
            "next_at": _iso(row.not_before) if row.state == "pending" else None,
        }
        for row in rows
    ]


def outcomes(db: Connection, owner: UUID) -> Mapping[str, dict[str, int]]:
    """Return the number of deliveries by state, for each of the player's webhooks."""
    counts: defaultdict[str, dict[str, int]] = defaultdict(lambda: dict.fromkeys(_STATES.values(), 0))
    for row in db.execute(_OUTCOMES.where(webhook.c.player_id == owner)):
        counts[str(row.webhook_id)][_STATES[row.state]] = row.messages
    return counts


def _shown(row: Any) -> dict[str, Any]:
    return {
        "id": str(row.id),
        "url": row.url,
        "events": row.events,
        "game": None if row.game_id is None else str(row.game_id),
        "active": row.active,
        "disabled": row.disabled,
        "failing_since": _iso(row.failing_since),
        "created_at": row.created_at.isoformat(),
    }


def _iso(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat()
