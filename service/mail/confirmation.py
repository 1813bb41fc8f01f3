"""The mail that asks an address whether it wants ours: all that goes to one that nobody has confirmed."""

from __future__ import annotations

from email.headerregistry import Address
from email.message import EmailMessage
from typing import Any, Final, Literal
from uuid import UUID

from sqlalchemy import text

from service.handlers.consent import prepare
from service.mail.blocks import Button, Content, Link, Paragraph, Rule
from service.mail.house import MailContext
from service.mail.letter import Stamp, letter, sealed
from service.mail.unsubscribe import Fewer, with_headers
from service.shared import clock
from service.store.outbox import OutboxRow
from service.texts.catalog import say

_PLAYER: Final = text("select id, email, language from player where id = :player and email is not null")


def confirmation_mail(language: str, address: str, link: str) -> EmailMessage:
    """Return the mail, still without a stamp; `link` is the address of the page that asks.

    It repeats nothing that anybody has written: whose name it would be, and whether they know the reader, is unknown.
    """
    blocks = (
        Paragraph(say(language, "confirm-if")),
        Button(say(language, "confirm-button"), link),
        Paragraph(say(language, "confirm-else")),
        Rule(),
        Link(say(language, "confirm-never"), f"{link}/never", small=True),
    )
    content = Content(language, say(language, "confirm-subject"), say(language, "confirm-asked"), blocks)
    return with_headers(letter(Address(addr_spec=address), content), Fewer(f"{link}/never", "confirmation"))


def send_confirmation_mail(house: MailContext, row: OutboxRow) -> Literal["done", "skipped"]:
    """Send the mail of an outbox row (payload `player`), with a link of its own. Raises as `Mailer.send` does."""
    now = clock.now()
    with house.games.engine.begin() as db:
        player: Any = db.execute(_PLAYER, {"player": UUID(row.payload["player"])}).one_or_none()
        if house.mailer is None or player is None:
            return "skipped"
        secret = prepare(db, player.id, player.email, now)
    message = confirmation_mail(player.language, player.email, f"{house.settings.base_url}/confirm/{secret}")
    stamp = Stamp(row.id, house.mailer.mail_from, now)
    house.mailer.send(sealed(message, stamp, "confirmation", row.payload["player"]))
    return "done"
