"""Effects that send messages to channels and webhooks."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import cache
from random import SystemRandom
from time import monotonic
from typing import TYPE_CHECKING, Final

from cryptography.fernet import InvalidToken
from sqlalchemy import Connection

from service.log.ids import new_id
from service.mail import preferences
from service.mail.messages import chat_message
from service.mail.preferences import Later, Never, Now
from service.messages.calls import Caller, CallFailed, asked_wait
from service.messages.channels import MESSAGE_OF_EFFECT, Where
from service.messages.keys import signed
from service.messages.webhooks import body, of_append, of_deadline
from service.runtime import Runtime
from service.shared import clock
from service.store import messages, outbox
from service.store.messages import (
    TRIAL_MESSAGE,
    Beside,
    DueMessage,
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
from service.store.outbox import OutboxRow

if TYPE_CHECKING:
    from service.messages.send import Sent

# Messages to channels: written when their mail is carried out, and sent by the courier.
#
# At least once, and only while they are not void. A mail that a message is to replace waits for the message, and is
# sent if no channel has taken the message.

MOST_ATTEMPTS: Final = 4
"""Attempts after which a message is given up: its content is stale by then."""
BEFORE_MAIL: Final = 2
"""Attempts after which the mail is sent that the message was to replace."""
MAIL_WAITS_AT_MOST: Final = timedelta(minutes=5)
"""Time for which a mail waits for a message that is never sent, because no courier runs."""
MOST_FAILURES: Final = 3
"""Messages given up in a row after which a channel is silenced."""
CHANNEL_GONE: Final = (404, 410)
_random = SystemRandom()


def before_mail(runtime: Runtime, db: Connection, row: OutboxRow) -> bool:
    """Write the messages that accompany the mail of a locked row; return whether the mail itself is due now.

    If not, the row is settled or postponed: a message replaces the mail, or has yet to be written, or to be taken.
    """
    kind = MESSAGE_OF_EFFECT.get(row.kind)
    if kind is None or row.payload.get("asked"):
        return True
    wanted = messages.messages_beside(db, row, kind)
    new = [each for each in wanted if each.state is None]
    answer = preferences.due_beside(db, row, runtime.settings.mail_delay) if new else Now()
    if isinstance(answer, Later):
        outbox.put_off(db, row.id, answer.at)
        return False
    if isinstance(answer, Never):
        return True
    messages.add_message(db, row, kind, new)
    return _mail_is_due(db, row, [each for each in wanted if each.replaces])


def _mail_is_due(db: Connection, row: OutboxRow, replacing: list[Beside]) -> bool:
    states = [each.state for each in replacing]
    if "done" in states:
        outbox.fail(db, row.id, "by a channel")
        outbox.finish(db, row.id, "skipped")
        return False
    if "pending" in states or None in states:
        since = min((each.since for each in replacing if each.since), default=row.read_at)
        if row.read_at < since + MAIL_WAITS_AT_MOST:
            outbox.put_off(db, row.id, since + MAIL_WAITS_AT_MOST)
            return False
        messages.withdraw_messages(db, row.id)
    return True


def deliver_message(runtime: Runtime, row_id: int) -> None:
    attempt_message(runtime, row_id, _caller(runtime.settings.webhooks_insecure), clock.now())


def attempt_message(runtime: Runtime, row_id: int, caller: Caller, now: datetime) -> None:
    """Make one attempt to send the message of the row, and store the result.

    No lock is held and no transaction open while a foreign server responds; the claim keeps other workers away.
    """
    with runtime.engine.begin() as db:
        due = messages.due_message(db, row_id)
        said = None
        if due is not None and (due.message == TRIAL_MESSAGE or due.state == "active"):
            said = chat_message(db, runtime.games, runtime.settings, due)
        if due is None or said is None:
            outbox.finish(db, row_id, "skipped")
            messages.wake_mail(db, row_id)
            return
    # The libraries take a second to load, and only the courier needs them.
    from service.messages.send import Sender, Sent, send

    where = _opened(runtime, due.sealed)
    sender = Sender(runtime.settings.vapid_key, runtime.settings.mail_from)
    sent = Sent(False, None, "no-secret") if where is None else send(where, said, caller, sender)
    with runtime.engine.begin() as db:
        if sent.taken:
            outbox.finish(db, row_id, "done")
            messages.note_message_taken(db, due.channel, sent.code, now)
        else:
            _not_taken(db, row_id, due, sent, now)
        if sent.taken or outbox.read(db, row_id) is None:
            messages.wake_mail(db, row_id)
    runtime.games.wake()


def _not_taken(db: Connection, row_id: int, due: DueMessage, sent: Sent, now: datetime) -> None:
    messages.note_message_tried(db, due.channel, sent.code, sent.error, now)
    most = BEFORE_MAIL if due.replaces else MOST_ATTEMPTS
    if sent.code in CHANNEL_GONE or due.message == TRIAL_MESSAGE:
        outbox.finish(db, row_id, "dead")
        messages.silence_channel(db, due.channel, "gone" if sent.code in CHANNEL_GONE else "failing")
    elif due.attempts >= most:
        outbox.finish(db, row_id, "dead")
        messages.note_message_failed(db, due.channel, MOST_FAILURES)
    else:
        outbox.later(db, row_id, max(RETRIES[due.attempts - 1], sent.wait) * _random.uniform(1, 1 + JITTER))


# Loading all trusted certificates takes longer than a message.
_caller = cache(Caller)


def _opened(runtime: Runtime, sealed: bytes) -> Where | None:
    """Return the target of a channel; None if its sealing key is no longer among the settings."""
    try:
        return None if runtime.vault is None else Where.unpacked(runtime.vault.open(sealed))
    except InvalidToken:
        return None


# Webhooks: a notice becomes a message for each webhook, and each message is delivered.
#
# At least once, in no promised order, and under one id in all attempts.

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
"""Waits after failed attempts, before jitter."""
JITTER = 0.1
"""Largest share of a wait that is added to it, so that simultaneous failures do not retry simultaneously."""
GIVEN_UP_AFTER = timedelta(days=5)
"""Time without a good answer after which a webhook is disabled."""
WEBHOOK_GONE = 410
_AGENT = "Boardroom-Webhooks/1"


def fan_out(runtime: Runtime, row_id: int) -> None:
    """Write the messages of a notice, exactly once: the same transaction settles the notice."""
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
    """Write the messages that half of the time until a deadline is left, unless the seat's deadline has changed (T-07).

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


def deliver_webhook(runtime: Runtime, row_id: int) -> None:
    attempt_webhook(runtime, row_id, _caller(runtime.settings.webhooks_insecure), clock.now())


def attempt_webhook(runtime: Runtime, row_id: int, caller: Caller, now: datetime) -> None:
    """Make one attempt to deliver the message of the row, and store the result.

    No lock is held and no transaction open while a foreign server responds; the claim keeps other workers away.
    """
    with runtime.engine.begin() as db:
        due = due_webhook(db, row_id, now)
        if due is None or not due.active:
            outbox.finish(db, row_id, "skipped")
            return
    tried, asked = _call(caller, due, _opened_webhooks(runtime, due.sealed), now)
    with runtime.engine.begin() as db:
        note_webhook_tried(db, due.id, tried)
        if tried.code is not None and 200 <= tried.code < 300:
            outbox.finish(db, row_id, "done")
            note_webhook_health(db, due.webhook_id, "well", now, now - GIVEN_UP_AFTER)
        elif tried.code == WEBHOOK_GONE:
            outbox.finish(db, row_id, "dead")
            disable_webhook(db, due.webhook_id)
        else:
            note_webhook_health(db, due.webhook_id, "ill", now, now - GIVEN_UP_AFTER)
            if due.attempts > len(RETRIES):
                outbox.finish(db, row_id, "dead")
            else:
                wait = max(RETRIES[due.attempts - 1], asked)
                outbox.later(db, row_id, wait * _random.uniform(1, 1 + JITTER))


def _call(caller: Caller, due: DueWebhook, signing: Sequence[str], now: datetime) -> tuple[WebhookTried, timedelta]:
    """Return the result of the call, and the wait that the server asks for."""
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


def _opened_webhooks(runtime: Runtime, sealed: Sequence[bytes]) -> list[str]:
    """Return the secrets; none if their sealing key is no longer among the settings."""
    try:
        return [] if runtime.vault is None else [runtime.vault.open(each) for each in sealed]
    except InvalidToken:
        return []
