"""Messages to channels beside mail: written where a mail is carried out, and sent by the courier.

At least once, and only while they have something to say. A mail that a message is to replace waits for it, and goes out
where no channel has taken the message.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import cache
from random import SystemRandom
from typing import TYPE_CHECKING, Final

from cryptography.fernet import InvalidToken
from sqlalchemy import Connection

from service.mail import preferences
from service.mail.messages import chat_message
from service.mail.preferences import Later, Never, Now
from service.messages.calls import Caller
from service.messages.channels import MESSAGE_OF_EFFECT, Where
from service.runtime import Runtime
from service.shared import clock
from service.store import messages, outbox
from service.store.messages import TRIAL_MESSAGE, Beside, DueMessage
from service.store.outbox import OutboxRow
from workers.webhooks import JITTER, RETRIES

if TYPE_CHECKING:
    from service.messages.send import Sent

MOST_ATTEMPTS: Final = 4
"""After so many attempts a message is given up: what it says is old by then."""
BEFORE_MAIL: Final = 2
"""After so many attempts a mail goes out that the message was to replace."""
PATIENCE: Final = timedelta(minutes=5)
"""For how long a mail waits for a message that nobody sends, because no courier runs."""
MOST_FAILURES: Final = 3
"""After so many messages in a row that were given up a channel is silenced."""
GONE: Final = (404, 410)
_random = SystemRandom()


def before_mail(runtime: Runtime, db: Connection, row: OutboxRow) -> bool:
    """Write the messages that accompany the mail of a locked row; return whether the mail itself is due now.

    If not, the row is settled or put off: a message takes the mail's place, or has yet to be written, or to be taken.
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
        if row.read_at < since + PATIENCE:
            outbox.put_off(db, row.id, since + PATIENCE)
            return False
        messages.withdraw_messages(db, row.id)
    return True


def deliver(runtime: Runtime, row_id: int) -> None:
    """Send the message of the row."""
    attempt(runtime, row_id, _caller(runtime.settings.webhooks_insecure), clock.now())


def attempt(runtime: Runtime, row_id: int, caller: Caller, now: datetime) -> None:
    """Make one attempt to send the message of the row, and note what came of it.

    No lock is held and no transaction open while a stranger's server makes us wait; the claim keeps others away.
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
    if sent.code in GONE or due.message == TRIAL_MESSAGE:
        outbox.finish(db, row_id, "dead")
        messages.silence_channel(db, due.channel, "gone" if sent.code in GONE else "failing")
    elif due.attempts >= most:
        outbox.finish(db, row_id, "dead")
        messages.note_message_failed(db, due.channel, MOST_FAILURES)
    else:
        outbox.later(db, row_id, max(RETRIES[due.attempts - 1], sent.wait) * _random.uniform(1, 1 + JITTER))


# Reading in all the certificates that are trusted takes longer than a message.
_caller = cache(Caller)


def _opened(runtime: Runtime, sealed: bytes) -> Where | None:
    """Return where the channel leads; None if the key that it was sealed with is no longer among the settings."""
    try:
        return None if runtime.vault is None else Where.unpacked(runtime.vault.open(sealed))
    except InvalidToken:
        return None
