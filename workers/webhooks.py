"""Tells webhooks what has happened: a notice becomes a message for each, and each message is delivered.

At least once, in no promised order, and under one id however often.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import cache
from random import SystemRandom
from time import monotonic

from cryptography.fernet import InvalidToken

from service.log.ids import new_id
from service.messages.calls import Caller, CallFailed, asked_wait
from service.messages.keys import signed
from service.messages.webhooks import body, of_append, of_deadline
from service.runtime import Runtime
from service.shared import clock
from service.store import outbox
from service.store.messages import (
    DueWebhook,
    OutgoingWebhook,
    WebhookTried,
    add_webhook_message,
    disable_webhook,
    due_webhook,
    note_webhook_health,
    note_webhook_tried,
    webhook_moment,
    webhooks_concerned,
)

RETRIES = tuple(
    timedelta(**{unit: count})
    for count, unit in (
        (5, "seconds"),
        (5, "minutes"),
        (30, "minutes"),
        (2, "hours"),
        (5, "hours"),
        (10, "hours"),
        (14, "hours"),
        (20, "hours"),
        (24, "hours"),
    )
)
"""How long after each failed attempt the next one is made, give or take."""
JITTER = 0.1
"""The largest share of a wait that is added to it, so that those who failed together do not come back together."""
PATIENCE = timedelta(days=5)
"""A webhook that has answered nothing well for so long is switched off."""
GONE = 410
_AGENT = "Boardroom-Webhooks/1"
_random = SystemRandom()


def fan_out(runtime: Runtime, row_id: int) -> None:
    """Write the messages that a notice causes, exactly once: the same transaction settles the notice."""
    with runtime.engine.begin() as db:
        row = outbox.lock(db, row_id)
        if row is None:
            return
        at = webhook_moment(db, row.game_id, row.payload["version"])
        messages = [
            OutgoingWebhook(new_id(), each.id, kind, body(kind, at, data))
            for each in webhooks_concerned(db, row.game_id)
            for kind, data in of_append(row.payload, each.events, each.seat, each.whole_table)
        ]
        add_webhook_message(db, row.game_id, messages, at)
        outbox.finish(db, row_id, "done" if messages else "skipped")


def tell_deadline_near(runtime: Runtime, row_id: int) -> None:
    """Write the messages that half of the time until a deadline is left, unless it is the seat's no longer (T-07).

    Exactly once, as `fan_out`.
    """
    with runtime.engine.begin() as db:
        row = outbox.lock(db, row_id)
        if row is None:
            return
        position, (seat, deadline) = runtime.games.open(db, row.game_id), (row.payload["seat"], row.payload["deadline"])
        clocks, now = position.clocks, clock.now()
        messages = []
        if clocks is not None and clocks.deadline(seat) == deadline:
            told = {"game": str(row.game_id), "version": position.version, "decision": position.decision}
            told |= {"to_act": sorted(position.awaited), "deadlines": clocks.deadlines(), "near": seat}
            messages = [
                OutgoingWebhook(new_id(), each.id, kind, body(kind, now, data))
                for each in webhooks_concerned(db, row.game_id)
                for kind, data in of_deadline(told, each.events, each.seat, each.whole_table)
            ]
        add_webhook_message(db, row.game_id, messages, now)
        outbox.finish(db, row_id, "done" if messages else "skipped")


def deliver(runtime: Runtime, row_id: int) -> None:
    """Deliver the message of the row."""
    attempt(runtime, row_id, _caller(runtime.settings.webhooks_insecure), clock.now())


def attempt(runtime: Runtime, row_id: int, caller: Caller, now: datetime) -> None:
    """Make one attempt to deliver the message of the row, and note what came of it.

    No lock is held and no transaction open while a stranger's server makes us wait; the claim keeps others away.
    """
    with runtime.engine.begin() as db:
        due = due_webhook(db, row_id, now)
        if due is None or not due.active:
            outbox.finish(db, row_id, "skipped")
            return
    tried, asked = _call(caller, due, _opened(runtime, due.sealed), now)
    with runtime.engine.begin() as db:
        note_webhook_tried(db, due.id, tried)
        if tried.code is not None and 200 <= tried.code < 300:
            outbox.finish(db, row_id, "done")
            note_webhook_health(db, due.webhook_id, "well", now, now - PATIENCE)
        elif tried.code == GONE:
            outbox.finish(db, row_id, "dead")
            disable_webhook(db, due.webhook_id)
        else:
            note_webhook_health(db, due.webhook_id, "ill", now, now - PATIENCE)
            if due.attempts > len(RETRIES):
                outbox.finish(db, row_id, "dead")
            else:
                wait = max(RETRIES[due.attempts - 1], asked)
                outbox.later(db, row_id, wait * _random.uniform(1, 1 + JITTER))


# Reading in all the certificates that are trusted takes longer than a message.
_caller = cache(Caller)


def _call(caller: Caller, due: DueWebhook, signing: Sequence[str], now: datetime) -> tuple[WebhookTried, timedelta]:
    """Return what came of the call, and how long the server asks to wait."""
    if not signing:
        return WebhookTried(now, None, 0, "no-secret"), timedelta()
    headers = {"Content-Type": "application/json", "User-Agent": _AGENT}
    headers |= signed(f"msg_{due.id.hex}", due.body, signing, now)
    start, code, error, asked = monotonic(), None, None, timedelta()
    try:
        answered = caller.exchange("POST", due.url, headers, due.body.encode())
        code, asked = answered.status, asked_wait(answered.status, answered.headers, now)
    except CallFailed as failure:
        error = failure.reason
    return WebhookTried(now, code, round((monotonic() - start) * 1000), error), asked


def _opened(runtime: Runtime, sealed: Sequence[bytes]) -> list[str]:
    """Return the secrets; none if the key that they were sealed with is no longer among the settings."""
    try:
        return [] if runtime.vault is None else [runtime.vault.open(each) for each in sealed]
    except InvalidToken:
        return []
