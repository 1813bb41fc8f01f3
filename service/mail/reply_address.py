"""The mail that asks the reader of an address whether mails from there are a player's."""

from __future__ import annotations

from email.headerregistry import Address
from email.message import EmailMessage
from typing import Literal
from uuid import UUID

from service.handlers import reply_addresses
from service.mail.blocks import Button, Content, Hyperlink, Paragraph, Rule
from service.mail.context import MailContext
from service.mail.message import Stamp, add_identity_headers, compose_message
from service.mail.unsubscribe import Fewer, with_headers
from service.shared import clock
from service.store.outbox import OutboxRow
from service.texts.catalog import say


def reply_address_mail(language: str, address: str, link: str, never: str) -> EmailMessage:
    """Return the mail, without sender, date and Message-ID; `link` and `never` are the addresses of its two pages.

    It quotes no player, because it is unknown whether the reader knows the one who gave the address.
    """
    blocks = (
        Paragraph(say(language, "reply-address-if")),
        Button(say(language, "reply-address-button"), link),
        Paragraph(say(language, "confirm-else")),
        Rule(),
        Hyperlink(say(language, "confirm-never"), never, small=True),
    )
    content = Content(language, say(language, "reply-address-subject"), say(language, "reply-address-asked"), blocks)
    return with_headers(compose_message(Address(addr_spec=address), content), Fewer(never, "confirmation"))


def send_reply_address_mail(context: MailContext, row: OutboxRow) -> Literal["done", "skipped"]:
    """Send the mail of an outbox row (payload `address`), with links of its own. Raises as `Mailer.send` does."""
    now, address_id = clock.now(), UUID(row.payload["address"])
    with context.games.engine.begin() as db:
        asked = reply_addresses.asked(db, address_id)
        if context.mailer is None or asked is None:
            return "skipped"
        secret, never = reply_addresses.prepare(db, address_id, asked, now)
    base = context.settings.base_url
    message = reply_address_mail(
        asked.language, asked.email, f"{base}/reply-address/{secret}", f"{base}/confirm/{never}/never"
    )
    context.mailer.send(
        add_identity_headers(message, Stamp(row.id, context.mailer.mail_from, now), "confirmation", address_id)
    )
    return "done"
