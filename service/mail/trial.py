"""The mail by which a player sees whether mails arrive."""

from __future__ import annotations

from email.headerregistry import Address
from email.message import EmailMessage
from typing import Literal
from uuid import UUID

from sqlalchemy import text

from service.mail.blocks import Content, Link, Paragraph, Rule
from service.mail.house import MailContext
from service.mail.letter import Stamp, letter, sealed
from service.rules.isolation import isolated
from service.shared import clock
from service.store.outbox import OutboxRow
from service.texts.catalog import say

_PLAYER = text("select name, email, language from player where id = :player and email is not null")


def send_trial_mail(house: MailContext, row: OutboxRow) -> Literal["done", "skipped"]:
    """Send the mail of an outbox row (payload `player`), which says that mails arrive. Raises as `Mailer.send` does."""
    with house.games.engine.connect() as db:
        player = db.execute(_PLAYER, {"player": UUID(row.payload["player"])}).one_or_none()
    if house.mailer is None or player is None:
        return "skipped"
    message = trial_mail(player.name, player.email, player.language, f"{house.settings.base_url}/settings/mail")
    stamp = Stamp(row.id, house.mailer.mail_from, clock.now())
    house.mailer.send(sealed(message, stamp, "trial", row.payload["player"]))
    return "done"


def trial_mail(name: str, email: str, language: str, settings: str) -> EmailMessage:
    """Return the mail, still without a stamp; `settings` is the address of the reader's wishes about mails."""
    name = " ".join(name.split())
    blocks = (
        Paragraph(say(language, "trial-arrived", name=isolated(name))),
        Paragraph(say(language, "trial-go-on")),
        Rule(),
        Link(say(language, "settings-link"), settings, small=True),
    )
    title = say(language, "trial-subject")
    return letter(Address(name, addr_spec=email), Content(language, title, title, blocks))
