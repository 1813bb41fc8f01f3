"""The mail to a person whom another player, or a bot, asks to a game."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from email.headerregistry import Address
from email.message import EmailMessage
from typing import Any, Final, Literal
from uuid import UUID

from sqlalchemy import Connection, text

from service.handlers import capability
from service.mail import game_blocks
from service.mail.blocks import Block, Button, Content, Hyperlink, Paragraph, Rule, Small
from service.mail.context import MailContext
from service.mail.message import Stamp, add_identity_headers, compose_message
from service.mail.preferences import IN_DIGEST
from service.mail.sentences import player_name
from service.mail.strip_links import sender_name
from service.mail.unsubscribe import Fewer, with_headers
from service.rules.kernel import Meta
from service.shared import clock
from service.store import lobby
from service.store.lobby import Challenge
from service.store.outbox import OutboxRow
from service.texts.catalog import say
from service.texts.games import in_language, pace_text
from service.texts.when import instant_text

_READER: Final = text("select name, email, language, time_zone from player where id = :player and email is not null")
_SENDER: Final = text("select name, owner is not null as bot from player where id = :player")


_UNTOLD: Final = text("""
select o.id, o.payload ->> 'challenge' as challenge from outbox o
 where o.game_id is null and o.kind = 'challenge' and o.payload ->> 'player' = :player
   and o.state = 'skipped' and o.last_error = :untold
 order by o.id
""")


@dataclass(frozen=True, slots=True)
class Challenged:
    """The recipient of the mail, and the name of the sender, as mails may show it; whether that is a `bot`."""

    name: str
    email: str
    language: str
    time_zone: str
    sender: str
    bot: bool


def challenge_mail(meta: Meta, challenge: Challenge, whom: Challenged, link: str, settings: str) -> EmailMessage:
    """Return the mail, without sender, date and Message-ID; `link` is the address of the challenge's own page."""
    language, pace = whom.language, challenge.terms.pace
    asked = say(language, "challenge-text", name=whom.sender, title=meta.title)
    until = instant_text(language, whom.time_zone, challenge.expires_at, challenge.expires_at)
    blocks: tuple[Block, ...] = (
        *([Paragraph(say(language, "challenge-bot", name=whom.sender))] if whom.bot else []),
        *game_blocks.language_note(meta, language),
        Paragraph(in_language(meta.summary, language)),
        Paragraph(f"{say(language, 'pace')}{say(language, 'colon')} {pace_text(language, pace)}"),
        Button(say(language, "challenge-accept"), link),
        Hyperlink(say(language, "challenge-decline"), f"{link}/decline"),
        Small(say(language, "challenge-until", at=until)),
        Rule(),
        Hyperlink(say(language, "settings-link"), settings, small=True),
        Hyperlink(say(language, "unsubscribe-kind-challenge"), f"{link}/never", small=True),
    )
    subject = say(language, "challenge-subject", name=whom.sender, title=meta.title)
    message = compose_message(
        Address(player_name(whom.name, whom.language), addr_spec=whom.email), Content(language, subject, asked, blocks)
    )
    return with_headers(message, Fewer(f"{link}/never", "challenge"))


def send_challenge_mail(context: MailContext, row: OutboxRow) -> Literal["done", "skipped"]:
    """Send the mail of an outbox row (payload `challenge`, `player`), while the challenge is open.

    Each attempt carries a link of its own and the Message-ID of the row. Raises as `Mailer.send` does.
    """
    now, identity = clock.now(), UUID(row.payload["challenge"])
    with context.games.engine.begin() as db:
        found, whom = _open_challenge(db, identity), None
        if found is not None:
            whom = _challenged(db, found)
        if context.mailer is None or found is None or whom is None:
            return "skipped"
        token = capability.draw()
        lobby.add_challenge_link(db, found.id, capability.stored(token))
    meta, base = context.games.rulesets[found.ruleset].meta, context.settings.base_url
    message = challenge_mail(meta, found, whom, f"{base}/c/{token}", f"{base}/settings/mail")
    context.mailer.send(
        add_identity_headers(message, Stamp(row.id, context.mailer.mail_from, now), "challenge", identity)
    )
    return "done"


def challenges_untold(context: MailContext, db: Connection, player: UUID, language: str) -> Iterator[tuple[int, str]]:
    """Yield the outbox row and the sentence of each open challenge that was left to the next digest."""
    for row in db.execute(_UNTOLD, {"player": str(player), "untold": IN_DIGEST}).all():
        found = _open_challenge(db, UUID(row.challenge))
        if found is not None:
            title = context.games.rulesets[found.ruleset].meta.title
            yield row.id, say(language, "challenge-text", name=_sender_of(db, found, language)[0], title=title)


def _open_challenge(db: Connection, challenge: UUID) -> Challenge | None:
    """Return a challenge that still waits for an answer; None if it does not."""
    found = lobby.read_challenge(db, challenge, clock.now())
    return None if found is None or found.state != "open" else found


def _sender_of(db: Connection, challenge: Challenge, language: str) -> tuple[str, bool]:
    """Return the name of the sender, as mails may show it, and whether that is a bot."""
    row: Any = db.execute(_SENDER, {"player": challenge.sender}).one()
    return sender_name(row.name, language), row.bot


def _challenged(db: Connection, challenge: Challenge) -> Challenged | None:
    row: Any = db.execute(_READER, {"player": challenge.recipient}).one_or_none()
    if row is None:
        return None
    sender, bot = _sender_of(db, challenge, row.language)
    return Challenged(row.name, row.email, row.language, row.time_zone, sender, bot)
