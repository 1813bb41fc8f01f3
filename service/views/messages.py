"""Mail settings, channels, webhooks and deliveries, as their owners see them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Connection, func, select, text

from service.store.access import PlayerRow
from service.store.mail import consent_asked_at, find_suppression
from service.store.tables import channel, outbox, webhook, webhook_delivery

# Mail preferences, and failed mails.

View = dict[str, Any]

KINDS = {
    "turn-mail": "turn",
    "turn-withdrawn": "turn",
    "started": "started",
    "game-over": "over",
    "message": "message",
    "problem": "problem",
    "pause": "proposal",
    "take-back": "proposal",
    "seat-request": "problem",
    "lapsed": "lapsed",
    "challenge": "challenge",
    "competition-begun": "league",
    "competition-over": "league",
    "entry-reminder": "league",
    "friend-request": "challenge",
    "tournament-invited": "challenge",
    "reminder": "reminder",
}
"""Kind of mail in preferences, by kind of outbox row."""
MAX_REMINDERS = 2
"""Limit, and default, of reminders per deadline."""
HISTORY = 20
_WISHES = text(
    "select delay, digest, quiet_from, quiet_to, unwanted, unseen_only, links_need_sign_in, mails_apart, reminders"
    " from mail_wishes where player_id = :id"
)
_APART = text("select exists (select from mail_wishes where player_id = :id and mails_apart)")
_MUTED = text("select game_id from mail_mute where player_id = :id order by game_id")
_UNWANTED = text("select exists (select from mail_wishes where player_id = :id and 'turn' = any(unwanted))")
_UNDELIVERED = text("""
select o.game_id, o.kind, o.due_at, o.last_error from outbox o
  join seat s on s.game_id = o.game_id
       and (s.seat = cast(o.payload ->> 'seat' as integer) or o.payload ->> 'player' = cast(s.player_id as text))
 where s.player_id = :id and o.state = 'dead' and o.kind = any(:kinds)
 order by o.id desc limit :limit
""")


def mail_settings(db: Connection, player: PlayerRow, delay: int, now: datetime) -> View:
    """Return the player's mail preferences, with the default `delay` in minutes, and failed mails.

    `asked_at` is the time of the last consent mail to an address that is not `confirmed`; `trouble` is the reason why
    the address gets no mails, else None; `undelivered` are the last undelivered mails.
    """
    who = {"id": player.id}
    row = db.execute(_WISHES, who).one_or_none()
    muted: list[UUID] = list(db.execute(_MUTED, who).scalars())
    found = None if player.email is None else find_suppression(db, player.email)
    unwanted = () if row is None else row.unwanted
    asked_at = None if player.email is None or player.email_confirmed else consent_asked_at(db, player.email, now)
    return {
        "email": player.email,
        "delay": delay if row is None or row.delay is None else row.delay,
        "digest": None if row is None else row.digest,
        "quiet": None if row is None or row.quiet_from is None else {"from": row.quiet_from, "to": row.quiet_to},
        "kinds": {kind: kind not in unwanted for kind in dict.fromkeys(KINDS.values()) if kind != "reminder"},
        "reminders": MAX_REMINDERS if row is None or row.reminders is None else row.reminders,
        "unseen_only": row is not None and row.unseen_only,
        "links_need_sign_in": row is not None and row.links_need_sign_in,
        "mails_apart": row is not None and row.mails_apart,
        "muted": [str(game) for game in muted],
        "reachable": player.email is not None and found is None and player.email_confirmed,
        "confirmed": player.email_confirmed,
        "asked_at": None if asked_at is None else asked_at.isoformat(),
        "trouble": None
        if found is None
        else {"cause": found.cause, "status": found.status, "since": found.noted_at.isoformat()},
        "undelivered": [
            {"game": str(each.game_id), "kind": KINDS[each.kind], "at": each.due_at.isoformat(), "why": each.last_error}
            for each in db.execute(_UNDELIVERED, {**who, "kinds": list(KINDS), "limit": HISTORY})
        ],
    }


def apart(db: Connection, player: UUID) -> bool:
    """Return whether the player wants each mail of a game on its own, instead of one thread per game."""
    return bool(db.execute(_APART, {"id": player}).scalar_one())


def silence(db: Connection, player: PlayerRow) -> str | None:
    """Return the reason why the player gets no turn mails, None if they do.

    Reasons: `no-address`, `unconfirmed`, `unwanted`, or a cause of the suppression list.
    """
    if player.email is None:
        return "no-address"
    if not player.email_confirmed:
        return "unconfirmed"
    found = find_suppression(db, player.email)
    if found is not None:
        return found.cause
    return "unwanted" if db.execute(_UNWANTED, {"id": player.id}).scalar_one() else None


# Channels beside mail, without their targets.

_SHOWN = ("id", "kind", "label", "messages", "instead", "state", "cause", "tried_at", "code", "error", "created_at")
_CHANNEL = select(*(channel.c[name] for name in _SHOWN))


def channels_of(db: Connection, player: UUID) -> list[dict[str, Any]]:
    """Return the player's channels, oldest first."""
    return [_shown(row) for row in db.execute(_CHANNEL.where(channel.c.player_id == player).order_by(channel.c.id))]


def channel_of(db: Connection, player: UUID, channel_id: UUID) -> dict[str, Any] | None:
    """Return a channel of the player, or None."""
    row = db.execute(_CHANNEL.where(channel.c.player_id == player, channel.c.id == channel_id)).one_or_none()
    return None if row is None else _shown(row)


def _shown(row: Any) -> dict[str, Any]:
    moments = {"tried_at": row.tried_at and row.tried_at.isoformat(), "created_at": row.created_at.isoformat()}
    return {**row._asdict(), "id": str(row.id), **moments}


# Webhooks and deliveries.

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
    """Return the player's webhooks, oldest first, without their secrets."""
    return [_shown_webhook(row) for row in db.execute(_HOOK.where(webhook.c.player_id == owner).order_by(webhook.c.id))]


def webhook_of(db: Connection, owner: UUID, webhook_id: UUID) -> dict[str, Any] | None:
    """Return a webhook of the player, or None."""
    row = db.execute(_HOOK.where(webhook.c.player_id == owner, webhook.c.id == webhook_id)).one_or_none()
    return None if row is None else _shown_webhook(row)


def deliveries(db: Connection, webhook_id: UUID, after: UUID | None, limit: int) -> list[dict[str, Any]]:
    """Return at most `limit` deliveries to a webhook, newest first, after the delivery `after`."""
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


def _shown_webhook(row: Any) -> dict[str, Any]:
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
