"""The mail that tells a player what was made in their account, and works on, or what is gone from it."""

from __future__ import annotations

from collections.abc import Mapping
from email.headerregistry import Address
from email.message import EmailMessage
from types import SimpleNamespace
from typing import Any, Final, Literal
from uuid import UUID

from sqlalchemy import Connection, text

from service.mail.blocks import Button, Content, Paragraph, Small
from service.mail.context import MailContext
from service.mail.message import Stamp, add_identity_headers, compose_message
from service.mail.sentences import player_name
from service.mail.strip_links import strip_links
from service.rules.bidi import isolated
from service.shared import clock
from service.store.notices import AccountChange
from service.store.outbox import OutboxRow
from service.texts.catalog import say

_PLAYER: Final = text("select name, email, language from player where id = :player and email is not null")
_APP: Final = text("select a.name from app_grant g join app a on a.id = g.app_id where g.id = :grant")
_PAGES: Final[Mapping[AccountChange, str]] = {
    "passkey-added": "passkeys",
    "passkey-removed": "passkeys",
    "app-granted": "apps",
    "app-registered": "apps",
    "token-made": "programs",
    "bot-made": "programs",
    "code-used": "programs",
    "webhook-added": "webhooks",
    "channel-added": "channels",
    "calendar-renewed": "channels",
    "data-exported": "settings",
    "address-given": "programs",
    "reply-address-confirmed": "mail",
    "account-deleted": "start",
}
"""The page where the player sees it, and undoes it, if anything can."""
_ADDRESSES: Final = {"settings": "/settings", "start": ""}
"""The addresses of pages that are none of the settings."""
_UNDONE: Final = ("passkey-added", "passkey-removed", "app-granted", "account-deleted")
"""What has a sentence of its own for those who have not done it."""


def account_changed_mail(player: Any, what: AccountChange, app: str, base_url: str) -> EmailMessage:
    """Return the mail to a player (`name`, `email`, `language`), without sender, date and Message-ID.

    `app` is the name of the app as mails may show it, '' for all others.
    """
    language = player.language
    told = say(language, f"changed-{what}", name=app)
    page = _PAGES[what]
    address = base_url + _ADDRESSES.get(page, f"/settings/{page}")
    not_you = say(language, f"changed-not-you-{what}" if what in _UNDONE else "changed-not-you")
    blocks = (
        Paragraph(say(language, "changed-you")),
        Button(say(language, f"changed-look-{page}"), address),
        Paragraph(not_you),
        Small(say(language, "changed-why")),
    )
    subject = say(language, f"changed-subject-{what}", name=app)
    content = Content(language, subject, told, blocks)
    return compose_message(Address(player_name(player.name, player.language), addr_spec=player.email), content)


def send_account_changed_mail(context: MailContext, row: OutboxRow) -> Literal["done", "skipped"]:
    """Send the mail of an outbox row (payload `player`, `what`, for an app `grant`, for a deleted account `farewell`).

    There is nothing to say any more of an app that was revoked meanwhile. Raises as `Mailer.send` does.
    """
    who = {"player": UUID(row.payload["player"])}
    with context.games.engine.connect() as db:
        gone = row.payload.get("farewell")
        player: Any = SimpleNamespace(**gone) if gone else db.execute(_PLAYER, who).one_or_none()
        app = _app_of(db, row)
    if context.mailer is None or player is None or app is None:
        return "skipped"
    shown = isolated(strip_links(app) or say(player.language, "changed-some-app")) if "grant" in row.payload else ""
    message = account_changed_mail(player, row.payload["what"], shown, context.settings.base_url)
    stamp = Stamp(row.id, context.mailer.mail_from, clock.now())
    context.mailer.send(add_identity_headers(message, stamp, "account", row.payload["player"]))
    return "done"


def _app_of(db: Connection, row: OutboxRow) -> str | None:
    """Return the name of the app that the row is about, '' for a row about anything else, None if it is revoked."""
    if "grant" not in row.payload:
        return ""
    name: str | None = db.execute(_APP, {"grant": UUID(row.payload["grant"])}).scalar_one_or_none()
    return name
