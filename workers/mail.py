"""Sends the mails of the outbox."""

from __future__ import annotations

from sqlalchemy import text

from service.mail.inbound.receipts import send_answer
from service.mail.invite import send_invitation_mail
from service.mail.send import (
    Undeliverable,
    send_game_over_mail,
    send_said_mail,
    send_sign_in_mail,
    send_started_mail,
    send_turn_mail,
)
from service.runtime import Runtime
from service.store import outbox

# The row stays locked while the mail is on its way, which may take longer than other transactions may idle.
_PATIENCE = text("set local idle_in_transaction_session_timeout = '60s'")


_SEND = {
    "turn-mail": send_turn_mail,
    "started": send_started_mail,
    "message": send_said_mail,
    "game-over": send_game_over_mail,
    "sign-in": send_sign_in_mail,
    "invitation": send_invitation_mail,
    "reply": send_answer,
}


def tell(runtime: Runtime, row_id: int) -> None:
    """Send the row's mail, if it still has something to say; at least once, under one Message-ID.

    An address refused for good makes the row dead. Raises what else the mail server raises; the row is then tried
    again later.
    """
    with runtime.engine.begin() as db:
        db.execute(_PATIENCE)
        row = outbox.lock(db, row_id)
        if row is None:
            return
        try:
            outbox.finish(db, row_id, _SEND[row.kind](runtime, row))
        except Undeliverable as refused:
            outbox.fail(db, row_id, f"Undeliverable {refused.code}")
            outbox.finish(db, row_id, "dead")
