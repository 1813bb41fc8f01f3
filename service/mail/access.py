"""Mails about access to an account: sign-in links, confirmation of addresses, changes of the account."""

from __future__ import annotations

from collections.abc import Mapping
from email.headerregistry import Address
from email.message import EmailMessage
from types import SimpleNamespace
from typing import Any, Final, Literal
from uuid import UUID

import structlog
from sqlalchemy import Connection, text

from service.handlers import reply_addresses, sign_in
from service.handlers.consent import prepare
from service.handlers.sign_in import MINUTES, SignInRequest
from service.mail.blocks import Button, Content, Hyperlink, Paragraph, Rule, Small
from service.mail.compose import Stamp, add_identity_headers, compose_message
from service.mail.context import MailContext
from service.mail.send import Sent
from service.mail.sentences import player_name
from service.mail.strip_links import strip_links
from service.mail.unsubscribe import Fewer, with_headers
from service.rules.bidi import isolated
from service.shared import clock
from service.store.notices import AccountChange
from service.store.outbox import OutboxRow
from service.texts.catalog import say

log = structlog.get_logger()
_PLAYER_TO_CONFIRM: Final = text("select id, email, language from player where id = :player and email is not null")
_ACCOUNT_OWNER: Final = text("select name, email, language from player where id = :player and email is not null")
_APP: Final = text("select a.name from app_grant g join app a on a.id = g.app_id where g.id = :grant")
_CHANGE_PAGES: Final[Mapping[AccountChange, str]] = {
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
"""Page that shows the change, and undoes it where possible."""
_OTHER_PAGES: Final = {"settings": "/settings", "start": ""}
"""Paths of pages outside of the settings."""
_NOT_YOU_SENTENCES: Final = ("passkey-added", "passkey-removed", "app-granted", "account-deleted")
"""Changes with a sentence of their own for the case that somebody else made them."""


def sign_in_mail(asked: SignInRequest, url: str) -> EmailMessage:
    """Return the mail, without sender, date and Message-ID.

    Nothing of the request is quoted, since anybody can request a link for any address.
    """
    language = asked.language
    blocks = (
        Paragraph(say(language, "sign-in-asked")),
        Button(say(language, "sign-in-button"), url),
        Paragraph(say(language, "sign-in-once")),
        Small(say(language, "sign-in-not-you")),
    )
    content = Content(language, say(language, "sign-in-title"), say(language, "sign-in-link", minutes=MINUTES), blocks)
    return compose_message(Address(addr_spec=asked.email), content)


def send_sign_in_mail(context: MailContext, row: OutboxRow) -> Sent:
    """Send the mail of an outbox row (payload `sign_in`) with a link to sign in. Raises as `Mailer.send` does."""
    if context.mailer is None:
        return "skipped"
    now = clock.now()
    with context.games.engine.begin() as db:
        asked = sign_in.prepare(db, UUID(row.payload["sign_in"]), now)
    if asked is None:
        return "skipped"
    url = f"{context.settings.base_url}/sign-in/{asked.secret}"
    if context.settings.mailbox is not None and context.settings.private:
        # Only this machine can read the mail and use the link.
        log.info("sign-in link", url=url)
    stamp = Stamp(row.id, context.mailer.mail_from, now)
    message = add_identity_headers(sign_in_mail(asked, url), stamp, "sign-in", row.payload["sign_in"])
    context.mailer.send(message, at_once=True)
    return "done"


def confirmation_mail(language: str, address: str, link: str) -> EmailMessage:
    """Return the mail, without sender, date and Message-ID; `link` is the address of the page that asks.

    No player is quoted, since the reader may not know the person who gave the address.
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
        player: Any = db.execute(_PLAYER_TO_CONFIRM, {"player": UUID(row.payload["player"])}).one_or_none()
        if context.mailer is None or player is None:
            return "skipped"
        secret = prepare(db, player.id, player.email, now)
    message = confirmation_mail(player.language, player.email, f"{context.settings.base_url}/confirm/{secret}")
    stamp = Stamp(row.id, context.mailer.mail_from, now)
    context.mailer.send(add_identity_headers(message, stamp, "confirmation", row.payload["player"]))
    return "done"


def reply_address_mail(language: str, address: str, link: str, never: str) -> EmailMessage:
    """Return the mail, without sender, date and Message-ID; `link` and `never` are the addresses of its two pages.

    No player is quoted, since the reader may not know the person who gave the address.
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


def account_changed_mail(player: Any, what: AccountChange, app: str, base_url: str) -> EmailMessage:
    """Return the mail to a player (`name`, `email`, `language`), without sender, date and Message-ID.

    `app` is the name of the app as mails may show it, '' for all others.
    """
    language = player.language
    told = say(language, f"changed-{what}", name=app)
    page = _CHANGE_PAGES[what]
    address = base_url + _OTHER_PAGES.get(page, f"/settings/{page}")
    not_you = say(language, f"changed-not-you-{what}" if what in _NOT_YOU_SENTENCES else "changed-not-you")
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

    A row about an app that has been revoked is skipped. Raises as `Mailer.send` does.
    """
    who = {"player": UUID(row.payload["player"])}
    with context.games.engine.connect() as db:
        gone = row.payload.get("farewell")
        player: Any = SimpleNamespace(**gone) if gone else db.execute(_ACCOUNT_OWNER, who).one_or_none()
        app = _app_name(db, row)
    if context.mailer is None or player is None or app is None:
        return "skipped"
    shown = isolated(strip_links(app) or say(player.language, "changed-some-app")) if "grant" in row.payload else ""
    message = account_changed_mail(player, row.payload["what"], shown, context.settings.base_url)
    stamp = Stamp(row.id, context.mailer.mail_from, clock.now())
    context.mailer.send(add_identity_headers(message, stamp, "account", row.payload["player"]))
    return "done"


def _app_name(db: Connection, row: OutboxRow) -> str | None:
    """Return the name of the row's app; '' for a row without one, None if the app is revoked."""
    if "grant" not in row.payload:
        return ""
    name: str | None = db.execute(_APP, {"grant": UUID(row.payload["grant"])}).scalar_one_or_none()
    return name
