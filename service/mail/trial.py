"""The test mail that a player sends to their own address."""

from __future__ import annotations

from email.headerregistry import Address
from email.message import EmailMessage
from typing import Literal
from uuid import UUID

from sqlalchemy import text

from service.mail.blocks import Content, Hyperlink, Paragraph, Rule
from service.mail.context import MailContext
from service.mail.message import Stamp, add_identity_headers, compose_message
from service.mail.sentences import player_name
from service.rules.bidi import isolated
from service.shared import clock
from service.store.outbox import OutboxRow
from service.texts.catalog import say

_PLAYER = text("select name, email, language from player where id = :player and email is not null")


def send_trial_mail(context: MailContext, row: OutboxRow) -> Literal["done", "skipped"]:
    """Send the mail of an outbox row (payload `player`), to test their address. Raises as `Mailer.send` does."""
    with context.games.engine.connect() as db:
        player = db.execute(_PLAYER, {"player": UUID(row.payload["player"])}).one_or_none()
    if context.mailer is None or player is None:
        return "skipped"
    message = trial_mail(
        player_name(player.name, player.language),
        player.email,
        player.language,
        f"{context.settings.base_url}/settings/mail",
    )
    stamp = Stamp(row.id, context.mailer.mail_from, clock.now())
    context.mailer.send(add_identity_headers(message, stamp, "trial", row.payload["player"]))
    return "done"


def trial_mail(name: str, email: str, language: str, settings: str) -> EmailMessage:
    """Return the mail, without sender, date and Message-ID; `settings` is the address of the reader's mail settings."""
    name = " ".join(name.split())
    blocks = (
        Paragraph(say(language, "trial-arrived", name=isolated(name))),
        Paragraph(say(language, "trial-go-on")),
        Rule(),
        Hyperlink(say(language, "settings-link"), settings, small=True),
    )
    title = say(language, "trial-subject")
    return compose_message(Address(name, addr_spec=email), Content(language, title, title, blocks))
