"""Webhooks: set up, change, remove, test, redeliver."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID, uuid4

from sqlalchemy import Connection, delete, func, insert, select, text, update

from service.handlers.idempotency import Receipt, claim, keep
from service.handlers.refusals import (
    BadAddress,
    NotHost,
    TooMany,
    UnknownDelivery,
    UnknownWebhook,
    WebhookInactive,
    WebhooksOff,
)
from service.handlers.tell_owner import tell_owner
from service.handlers.transaction import transaction
from service.log.ids import new_id
from service.messages import calls
from service.messages.keys import OVERLAP, Vault, new_secret
from service.messages.webhooks import TEST, body
from service.store import messages
from service.store.games import Games, Position, require_known
from service.store.messages import OutgoingWebhook
from service.store.tables import webhook, webhook_secret

MOST = 20
"""Limit of a player's webhooks."""

# Serialised: two concurrent requests could exceed the limit, or store a stale flag.
_LOCK_PLAYER = text("select from player where id = :id for no key update")
_COUNT = select(func.count()).select_from(webhook)
_AGAIN = text("""
update outbox set state = 'pending', attempts = 0, failures = 0, not_before = clock_timestamp(), done_at = null,
       last_error = null
 where id = (select o.id from outbox o join webhook_delivery d on d.outbox_id = o.id
             where d.id = :delivery and d.webhook_id = :webhook for update of o)
returning id
""")


_WATCHING = text("""
update player set watching = exists (select from webhook where player_id = :id and game_id is null) where id = :id
""")
_WATCHED = text("update game set watched = exists (select from webhook where game_id = :id) where id = :id")


@dataclass(frozen=True, slots=True)
class Rules:
    """Rules of the service: the vault (None without a key), and whether any address may be called."""

    vault: Vault | None
    insecure: bool


@dataclass(frozen=True, slots=True)
class WebhookTerms:
    """Terms of a new webhook: address, events, and the game of a table's webhook."""

    url: str
    events: Sequence[str]
    game: UUID | None = None


def create(
    games: Games,
    rules: Rules,
    owner: UUID,
    wanted: WebhookTerms,
    now: datetime,
    receipt: Receipt[tuple[UUID, str]] | None = None,
) -> tuple[UUID, str]:
    """Create a webhook for a player, or for a table that the player hosts.

    Return its id and secret, shown once. WebhooksOff, BadAddress, UnknownGame, NotHost, TooMany, under a key also
    Repeated, KeyReused.
    """
    vault, game = _vault(rules), wanted.game
    _require_public(wanted.url, rules)
    webhook_id, secret = new_id(), new_secret()
    with transaction(games.engine) as db:
        claim(db, receipt)
        if game is not None:
            _require_host(db, games.open(db, game), owner)
        db.execute(_LOCK_PLAYER, {"id": owner})
        if db.execute(_COUNT.where(webhook.c.player_id == owner)).scalar_one() >= MOST:
            raise TooMany(MOST)
        values = {"id": webhook_id, "player_id": owner, "game_id": game, "created_at": now}
        db.execute(insert(webhook).values(**values, url=wanted.url, events=list(wanted.events)))
        db.execute(insert(webhook_secret).values(webhook_id=webhook_id, sealed=vault.seal(secret)))
        _note(db, owner, game)
        tell_owner(db, owner, "webhook-added", webhook_id)
        keep(db, receipt, (webhook_id, secret))
    return webhook_id, secret


def change(games: Games, rules: Rules, owner: UUID, webhook_id: UUID, changes: Mapping[str, Any]) -> None:
    """Change `url`, `events` or `active`; activation resets a failed webhook. UnknownWebhook, BadAddress."""
    if "url" in changes:
        _require_public(changes["url"], rules)
    values = dict(changes)
    if values.get("active"):
        values |= {"disabled": None, "failing_since": None}
    with transaction(games.engine) as db:
        _own(db, owner, webhook_id)
        if values:
            db.execute(update(webhook).where(webhook.c.id == webhook_id).values(**values))
        if "url" in values:
            tell_owner(db, owner, "webhook-added", uuid4())


def remove(games: Games, owner: UUID, webhook_id: UUID) -> None:
    """Delete a webhook with its log and pending deliveries; UnknownWebhook."""
    with transaction(games.engine) as db:
        db.execute(_LOCK_PLAYER, {"id": owner})
        game = _own(db, owner, webhook_id).game_id
        db.execute(delete(webhook).where(webhook.c.id == webhook_id))
        _note(db, owner, game)


def rotate(
    games: Games,
    rules: Rules,
    owner: UUID,
    webhook_id: UUID,
    now: datetime,
    receipt: Receipt[tuple[str, datetime]] | None = None,
) -> tuple[str, datetime]:
    """Rotate a webhook's secret; return the new one, and when the old one stops signing. UnknownWebhook, WebhooksOff.

    Two secrets sign at most. Under a key also Repeated, KeyReused.
    """
    vault, secret, until = _vault(rules), new_secret(), now + OVERLAP
    mine = webhook_secret.c.webhook_id == webhook_id
    with transaction(games.engine) as db:
        claim(db, receipt)
        _own(db, owner, webhook_id)
        db.execute(delete(webhook_secret).where(mine, webhook_secret.c.expires_at.is_not(None)))
        db.execute(update(webhook_secret).where(mine).values(expires_at=until))
        db.execute(insert(webhook_secret).values(webhook_id=webhook_id, sealed=vault.seal(secret)))
        tell_owner(db, owner, "webhook-added", uuid4())
        keep(db, receipt, (secret, until))
    return secret, until


def send_test(games: Games, owner: UUID, webhook_id: UUID, now: datetime, receipt: Receipt[UUID] | None = None) -> UUID:
    """Send an empty test message, and return the id of its delivery; UnknownWebhook, WebhookInactive.

    Under a key also Repeated, KeyReused.
    """
    delivery = new_id()
    with transaction(games.engine) as db:
        claim(db, receipt)
        game = _own_active(db, owner, webhook_id)
        messages.add_webhook_message(db, game, [OutgoingWebhook(delivery, webhook_id, TEST, body(TEST, now, {}))], now)
        keep(db, receipt, delivery)
    games.wake()
    return delivery


def send_again(games: Games, owner: UUID, webhook_id: UUID, delivery: UUID) -> None:
    """Deliver a message again, or now if it is pending; UnknownWebhook, UnknownDelivery, WebhookInactive.

    The message keeps its id, and gets all its attempts again.
    """
    with transaction(games.engine) as db:
        _own_active(db, owner, webhook_id)
        if db.execute(_AGAIN, {"delivery": delivery, "webhook": webhook_id}).one_or_none() is None:
            raise UnknownDelivery
    games.wake()


def _require_host(db: Connection, position: Position, player: UUID) -> None:
    require_known(db, position, player)
    if position.game.host != player:
        raise NotHost


def _vault(rules: Rules) -> Vault:
    if rules.vault is None:
        raise WebhooksOff
    return rules.vault


def _note(db: Connection, owner: UUID, game: UUID | None) -> None:
    """Store in the row of the player or game whether it has webhooks; appends read that flag."""
    db.execute(_WATCHING, {"id": owner}) if game is None else db.execute(_WATCHED, {"id": game})


def _require_public(url: str, rules: Rules) -> None:
    try:
        calls.target(url, rules.insecure)
    except calls.NotCallable as bad:
        raise BadAddress(str(bad)) from bad


def _own(db: Connection, owner: UUID, webhook_id: UUID) -> Any:
    """Lock and return the owner's webhook; another owner's is unknown."""
    wanted = select(webhook.c.active, webhook.c.game_id).where(webhook.c.id == webhook_id, webhook.c.player_id == owner)
    row = db.execute(wanted.with_for_update(key_share=True)).one_or_none()
    if row is None:
        raise UnknownWebhook
    return row


def _own_active(db: Connection, owner: UUID, webhook_id: UUID) -> UUID | None:
    row = _own(db, owner, webhook_id)
    if not row.active:
        raise WebhookInactive
    game: UUID | None = row.game_id
    return game
