"""A webhook: set up, tested, changed, given another secret, taken away."""

from __future__ import annotations

from uuid import UUID, uuid4

from sqlalchemy import select

from service.messages.webhooks import TYPES
from service.runtime import Runtime
from service.store.tables import outbox, webhook_delivery
from tests.builders import now_at
from tests.recording.scribe import Scribe
from tests.recording.tables import GAME
from tests.timed import lapsed
from workers.messages import fan_out, tell_deadline_near

WANTED = {"url": "https://hooks.example.org/boardroom", "events": ["game.turn", "game.over"]}


def the_webhook_of_the_table(alice: Scribe, game: str) -> None:
    """Alice has a server of hers told everything about the table."""
    alice.post("/webhooks", {**WANTED, "events": TYPES, "game": game})


def half_of_the_time(house: Runtime) -> None:
    """Half of the time until each deadline is left, by a clock that is ahead."""
    with house.engine.connect() as db:
        near = db.execute(select(outbox.c.id).where(outbox.c.kind == "deadline-near")).scalars().all()
    for each in near:
        tell_deadline_near(house, each)


def the_lapse(house: Runtime, seats: list[Scribe]) -> None:
    """At another table, which also has a webhook, the time of the seat that is awaited is up."""
    alice, *others = seats
    game: str = alice.post("/games", {**GAME, "name": "In a hurry", "pace": {"name": "live"}})["id"]
    the_webhook_of_the_table(alice, game)
    for each in others:
        each.post(f"/games/{game}/seats")
    alice.post(f"/games/{game}/start")
    position = now_at(house.games, UUID(game))
    lapsed(house.games, position, min(position.awaited))


def the_messages(house: Runtime, alice: Scribe) -> None:
    """Everything that was told is written down, one message of each type."""
    with house.engine.connect() as db:
        notices = (
            db.execute(select(outbox.c.id).where(outbox.c.kind == "webhooks").order_by(outbox.c.id)).scalars().all()
        )
    for each in notices:
        fan_out(house, each)
    with house.engine.connect() as db:
        sent = db.execute(select(webhook_delivery.c.body).order_by(webhook_delivery.c.id)).scalars().all()
    for message in sent:
        alice.book.messages.setdefault(message["type"], message)


def the_webhooks(alice: Scribe) -> None:
    """Alice does all that can be done to a webhook, and to one that is not there."""
    hook = f"/webhooks/{alice.post('/webhooks', WANTED)['id']}"
    alice.get("/webhooks")
    alice.get(hook)
    sent = alice.post(f"{hook}/test")["id"]
    alice.get(f"{hook}/deliveries")
    alice.post(f"{hook}/deliveries/{sent}/again")
    alice.post(f"{hook}/deliveries/{uuid4()}/again")
    alice.post(f"{hook}/secret")
    alice.call("PATCH", hook, {"active": False})
    alice.post(f"{hook}/test")
    gone = alice.post("/webhooks", WANTED)["id"]
    alice.call("DELETE", f"/webhooks/{gone}")
    alice.get(f"/webhooks/{gone}")
    alice.post("/webhooks", {**WANTED, "url": "https://127.0.0.1/boardroom"})
