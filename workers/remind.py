"""Sends turn mails, and has players reminded of the waits that they tell of."""

from __future__ import annotations

from typing import Final

from service.mail import pace, send_policy
from service.mail.play import send_turn_mail
from service.runtime import Runtime
from service.shared import clock
from workers.mail import MailEffect

_TURN_MAIL: Final = MailEffect(send_turn_mail, send_policy.to_player, awaited=False)


def deliver_turn_mail(runtime: Runtime, row_id: int) -> None:
    """Send the row's turn mail as any mail, and plan the reminders of its wait, also where the mail is not wanted."""
    pace.plan_reminders(runtime.games, row_id, clock.now())
    _TURN_MAIL.deliver(runtime, row_id)


def carry_out(runtime: Runtime, row_id: int) -> None:
    """See to the reminder that the row has planned, exactly once: its own transaction settles the row."""
    pace.remind(runtime.games, row_id, clock.now())
