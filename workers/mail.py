"""Effects that send mails, and reminders that follow turn mails."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Final, Literal

import structlog
from sqlalchemy import Connection, text

from service.handlers import links
from service.mail import pace, preferences, send_policy
from service.mail.play import send_turn_mail
from service.mail.preferences import Never, Now
from service.mail.smtp import NotSent, NotYet
from service.runtime import Runtime
from service.shared import clock, metrics
from service.store import mail, outbox
from service.store.outbox import OutboxRow
from workers.messages import before_mail

# Mails of the outbox.

Send = Callable[[Runtime, OutboxRow], Literal["done", "skipped"]]
"""Compose and send the mail of a row, or skip a mail that is void; NotYet, NotSent."""
AGAIN: Final = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 15, 60, 240))
"""Waits after failed attempts; after the last the mail is undelivered."""
LOOK_AGAIN: Final = 5.0
"""Limit of the seconds for which a mail is postponed while the server is out of reach. No attempt is counted then, and
the relay hands out only the mail that tries the server."""

# The row stays locked while the mail is on its way, which may exceed the idle limit of other transactions. Its COMMIT
# does not wait for the disk: if PostgreSQL loses it in a crash, the mail leaves twice, as when a worker dies.
_PATIENCE = text("""
select set_config('idle_in_transaction_session_timeout', '60s', true), set_config('synchronous_commit', 'off', true)
""")
log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class MailEffect:
    """Kind of mail; `awaited` if somebody has just requested the mail and waits for it."""

    send: Send
    may_go: send_policy.SendRule
    awaited: bool

    def deliver(self, runtime: Runtime, row_id: int) -> None:
        """Send the row's mail, if its address may get it, its player wants it now and it is not void.

        At least once, under one Message-ID; a mail not taken by the server is retried, or given up as undelivered.
        While the server is known to be out of reach only an awaited mail is tried, once.
        """
        with runtime.engine.begin() as db:
            db.execute(_PATIENCE)
            row = outbox.lock(db, row_id)
            if row is None or not before_mail(runtime, db, row):
                return
            outcome = self._deliver(runtime, db, row)
        metrics.count_mail(row.kind, outcome)

    def _deliver(self, runtime: Runtime, db: Connection, row: OutboxRow) -> str:
        """Send the mail of a locked row, or settle the row otherwise; return the outcome."""
        allowed = self.may_go(db, row, clock.now())
        answer = preferences.when_due(db, row, runtime.settings.mail_delay) if allowed else _refused(db, row)
        if not isinstance(answer, Now):
            preferences.apply_timing(db, row, answer)
            return "unwanted" if isinstance(answer, Never) else "put-off"
        away = None if runtime.mailer is None else runtime.mailer.outage.left()
        if away and not (self.awaited and row.attempts == 1):
            outbox.later(db, row.id, _soon(away), row.attempts - 1)
            return "put-off"
        try:
            state = self.send(runtime, row)
            outbox.finish(db, row.id, state)
        except NotYet as wait:
            # No attempt was made, so do not count one.
            outbox.later(db, row.id, timedelta(seconds=wait.seconds), row.attempts - 1)
            return "put-off"
        except NotSent as refusal:
            _not_sent(runtime, db, row, refusal)
            return f"not-sent-{refusal.meaning.outcome}"
        return "sent" if state == "done" else "skipped"


def _refused(db: Connection, row: OutboxRow) -> Never:
    return Never("blocked" if send_policy.is_blocked(db, row) else "unconfirmed")


def _soon(away: float | None) -> timedelta:
    return timedelta(seconds=min(away or 0, LOOK_AGAIN))


def _not_sent(runtime: Runtime, db: Connection, row: OutboxRow, refusal: NotSent) -> None:
    assert runtime.mailer is not None  # noqa: S101 # for the type checker: it is what has raised
    meaning, why = refusal.meaning, str(refusal)
    # Retry once if the arrival is unknown: at most one more copy.
    hopeless = meaning.outcome in ("address", "policy") or (meaning.outcome == "unknown" and row.last_error == why)
    if meaning.cause is not None:
        mail.note_suppression(db, mail.suppression_digest(refusal.address), meaning.cause, refusal.status, clock.now())
    if meaning.outcome == "policy":
        log.error("mail refused", outbox=row.id, kind=row.kind, code=refusal.code, status=refusal.status)
    else:
        more = {"failure": refusal.failure, "server": runtime.mailer.place} if refusal.failure else {}
        log.warning("mail not sent", outbox=row.id, kind=row.kind, why=why, **more)
    outbox.fail(db, row.id, why)
    if meaning.outcome == "outage":
        # The server was at fault: count one attempt.
        outbox.later(db, row.id, _soon(runtime.mailer.outage.left()), 1)
    elif hopeless or row.attempts > len(AGAIN):
        outbox.finish(db, row.id, "dead")
    else:
        outbox.later(db, row.id, AGAIN[row.attempts - 1])


# Turn mails, and the reminders of their waits.

_TURN_MAIL: Final = MailEffect(send_turn_mail, send_policy.to_player, awaited=False)


def deliver_turn_mail(runtime: Runtime, row_id: int) -> None:
    """Send the row's turn mail as any mail, and plan the reminders of its wait, even if the mail is unwanted."""
    pace.plan_reminders(runtime.games, row_id, clock.now())
    _TURN_MAIL.deliver(runtime, row_id)


def carry_out_reminder(runtime: Runtime, row_id: int) -> None:
    """Carry out the row's planned reminder, exactly once: its own transaction settles the row."""
    pace.remind(runtime.games, row_id, clock.now())


# Fresh links: a request is answered by mail.


def carry_out_fresh_link(runtime: Runtime, row_id: int) -> None:
    """Write the row of the mail with a fresh link, if there is anything to write."""
    with runtime.engine.begin() as db:
        row = outbox.lock(db, row_id)
        if row is None:
            return
        written = links.answer_fresh_link(db, runtime.games, bytes.fromhex(row.payload["link"]), clock.now())
        outbox.finish(db, row_id, "done" if written else "skipped")
    runtime.games.wake()
