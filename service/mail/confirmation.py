"""The mail that asks whether an address wants our mails: the only one that goes to an unconfirmed address."""

from __future__ import annotations

from email.headerregistry import Address
from email.message import EmailMessage
from typing import Any, Final, Literal
from uuid import UUID

from sqlalchemy import text

from service.handlers.consent import prepare
from service.mail.blocks import Button, Content, Hyperlink, Paragraph, Rule
from service.mail.context import MailContext
from service.mail.message import Stamp, add_identity_headers, compose_message
from service.mail.unsubscribe import Fewer, with_headers
from service.shared import clock
from service.store.outbox import OutboxRow
from service.texts.catalog import say

_PLAYER: Final = text("select id, email, language from player where id = :player and email is not null")


def confirmation_mail(language: str, address: str, link: str) -> EmailMessage:
    """Return the mail, without sender, date and Message-ID (`sealed`); `link` is the address of the page that asks.

    It quotes no player, because it is unknown whether the reader knows the one who gave the address.
    """
    blocks = (
        Paragraph(say(language, "confirm-if")),
        Button(say(language, "confirm-button"), link),
        Paragraph(say(language, "confirm-else")),
        Rule(),
        Hyperlink(say(language, "confirm-never"), f"{link}/never", small=True),
    )
    content = Content(language, say(language, "confirm-subject"), say(language, "confirm-asked"), blocks)
    return with_headers(compose_message(Address(addr_spec=address), content), Fewer(f"{link}/never", "confirmation"))


def send_confirmation_mail(context: MailContext, row: OutboxRow) -> Literal["done", "skipped"]:
    """Send the mail of an outbox row (payload `player`), with a link of its own. Raises as `Mailer.send` does."""
    now = clock.now()
    with context.games.engine.begin() as db:
        player: Any = db.execute(_PLAYER, {"player": UUID(row.payload["player"])}).one_or_none()
        if context.mailer is None or player is None:
            return "skipped"
        secret = prepare(db, player.id, player.email, now)
    message = confirmation_mail(player.language, player.email, f"{context.settings.base_url}/confirm/{secret}")
    stamp = Stamp(row.id, context.mailer.mail_from, now)
    context.mailer.send(add_identity_headers(message, stamp, "confirmation", row.payload["player"]))
    return "done"
