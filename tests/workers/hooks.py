"""Webhooks that lead to a listener on this machine, and ways to look at what became of their messages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import text

from service.handlers import lobby
from service.handlers import webhooks as handlers
from service.handlers.webhooks import Rules, WebhookTerms
from service.messages.calls import Caller
from service.messages.webhooks import TYPES
from service.runtime import Runtime
from service.shared import clock
from service.store import outbox
from service.store.games import Games, Position
from service.views import messages as views
from tests.listener import Listener
from tests.people import Person
from workers.courier import Courier
from workers.effects import EFFECTS
from workers.messages import attempt_webhook


@pytest.fixture
def listener() -> Iterator[Listener]:
    """A server of somebody else's."""
    with Listener() as running:
        yield running


@pytest.fixture
def house(runtime: Runtime) -> Runtime:
    """The house with webhooks that may call this machine, and carried out at once."""
    return replace(runtime, settings=replace(runtime.settings, webhooks_insecure=True), redis=None)


def hook(
    house: Runtime, owner: UUID, listener: Listener, game: UUID | None = None, kinds: Sequence[str] = TYPES
) -> tuple[UUID, str]:
    """Set up a webhook; return its id and its secret."""
    rules = Rules(house.vault, house.settings.webhooks_insecure)
    return handlers.create(house.games, rules, owner, WebhookTerms(listener.url, kinds, game), clock.now())


def sent_test(house: Runtime, owner: UUID, webhook: UUID) -> int:
    """Send a test message and return its row in the outbox."""
    delivery = handlers.send_test(house.games, owner, webhook, clock.now())
    with house.engine.connect() as db:
        found = text("select outbox_id from webhook_delivery where id = :id")
        row: int = db.execute(found, {"id": delivery}).scalar_one()
        return row


def at(house: Runtime, row_id: int, now: datetime, caller: Caller | None = None) -> Any:
    """Make the row's next attempt at a moment, and return the row as it is then."""
    with house.engine.begin() as db:
        outbox.attempt(db, row_id, tuple(EFFECTS))
    attempt_webhook(house, row_id, caller or Caller(insecure=True), now)
    with house.engine.connect() as db:
        return db.execute(text("select state, attempts, not_before from outbox where id = :id"), {"id": row_id}).one()


def shown(house: Runtime, owner: UUID, webhook: UUID) -> dict[str, Any]:
    """Return the webhook as its owner sees it."""
    with house.engine.connect() as db:
        found = views.webhook_of(db, owner, webhook)
        assert found
        return found


def log(house: Runtime, webhook: UUID) -> list[dict[str, Any]]:
    """Return what the webhook was sent, the newest first."""
    with house.engine.connect() as db:
        return views.deliveries(db, webhook, None, 1000)


def run_out(house: Runtime) -> None:
    """Deliver everything that is due."""
    courier = Courier(house)
    while courier.drain():
        pass


def begun(games: Games, game: UUID, host: Person) -> Position:
    """Start an open game."""
    return lobby.start(games, game, host.id, clock.now())
