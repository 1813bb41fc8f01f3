"""Daily mail to the operator of the service (canary). As long as it arrives, outgoing mail works."""

from __future__ import annotations

from email.headerregistry import Address
from typing import Final, Literal

from service.mail.blocks import Content, Paragraph
from service.mail.compose import Stamp, add_identity_headers, compose_message
from service.mail.context import MailContext
from service.shared import clock
from service.store.outbox import OutboxRow

# English, as the log and the commands are, which its reader works with.
_LANGUAGE: Final = "en"
_SUBJECT: Final = "Mails leave Boardroom"
_ADVICE: Final = "One like it leaves once a day. When none comes, run `boardroom doctor`: it says what is wrong."


def send_canary(context: MailContext, row: OutboxRow) -> Literal["done", "skipped"]:
    """Send the mail of an outbox row (payload `day`), if the settings name the operator.

    Raises as `Mailer.send` does.
    """
    operator, mailer = context.settings.operator_email, context.mailer
    if mailer is None or operator is None:
        return "skipped"
    sentence = f"This is the mail of {row.payload['day']} from Boardroom at {context.settings.base_url}."
    content = Content(_LANGUAGE, _SUBJECT, sentence, (Paragraph(sentence), Paragraph(_ADVICE)))
    stamp = Stamp(row.id, mailer.mail_from, clock.now())
    mailer.send(
        add_identity_headers(compose_message(Address(addr_spec=operator), content), stamp, "canary", row.dedupe_key)
    )
    return "done"
