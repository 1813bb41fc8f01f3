"""Messages in channels beside mail, and the test mail that a player sends to their own address."""

from __future__ import annotations

from email.headerregistry import Address
from email.message import EmailMessage
from typing import Final, Literal
from uuid import UUID

from sqlalchemy import Connection, text

from service.mail.blocks import Content, Hyperlink, Paragraph, Rule
from service.mail.compose import Stamp, add_identity_headers, compose_message
from service.mail.context import MailContext
from service.mail.lobby import problem_stands
from service.mail.sentences import player_name
from service.messages.channels import Message
from service.rules.bidi import isolated
from service.settings import Settings
from service.shared import clock
from service.store import lobby
from service.store.games import Games, Position
from service.store.messages import TRIAL_MESSAGE, DueMessage
from service.store.outbox import OutboxRow
from service.texts.catalog import say

_PLAYER: Final = text("select name, email, language from player where id = :player and email is not null")


def chat_message(db: Connection, games: Games, settings: Settings, due: DueMessage) -> Message | None:
    """Return the message that is due, in its player's language; None if no longer true.

    The game is named by its ruleset and the end of its id, since the name of a table is the words of a player.
    """
    base, language = settings.base_url, due.language
    if due.message == TRIAL_MESSAGE:
        return Message(say(language, "channel-trial"), say(language, "channel-works"), f"{base}/games", TRIAL_MESSAGE)
    if due.game is None:
        return None
    position = games.open(db, due.game)
    if not _chat_message_stands(db, position, due):
        return None
    what = f"channel-{due.payload['what']}" if due.message == "problem" else f"channel-{due.message}"
    title, mark = position.ruleset.meta.title, due.game.hex[-6:]
    mine = position.seat_of(due.player) is not None
    return Message(
        title=say(language, what),
        text=f"{title} (#{mark})",
        url=f"{base}/games/{due.game}/open" if mine else f"{base}/games",
        tag=f"{due.game.hex}-{due.message}",
    )


def _chat_message_stands(db: Connection, position: Position, due: DueMessage) -> bool:
    """Return whether the message is still true, by the same rules as the mail of its kind."""
    if due.message == "invitation":
        invitation = lobby.read_invitation(db, UUID(due.payload["invitation"]))
        return position.game.status == "open" and invitation.is_good(clock.now())
    if due.message == "problem":
        return problem_stands(position, due.player, due.payload["what"])
    seat = position.seat_of(due.player)
    if seat is None or seat != due.payload["seat"]:
        return False
    if due.message in ("turn", "reminder"):
        return seat in position.awaited and position.decision == due.payload["decision"]
    if due.message == "started":
        return position.game.status == "running" and seat not in position.awaited | frozenset(position.resigned)
    if due.message == "over":
        return position.game.status == "finished"
    return due.message == "lapsed" or seat not in position.resigned


def send_address_test_mail(context: MailContext, row: OutboxRow) -> Literal["done", "skipped"]:
    """Send the mail of an outbox row (payload `player`), to test their address. Raises as `Mailer.send` does."""
    with context.games.engine.connect() as db:
        player = db.execute(_PLAYER, {"player": UUID(row.payload["player"])}).one_or_none()
    if context.mailer is None or player is None:
        return "skipped"
    message = address_test_mail(
        player_name(player.name, player.language),
        player.email,
        player.language,
        f"{context.settings.base_url}/settings/mail",
    )
    stamp = Stamp(row.id, context.mailer.mail_from, clock.now())
    context.mailer.send(add_identity_headers(message, stamp, "trial", row.payload["player"]))
    return "done"


def address_test_mail(name: str, email: str, language: str, settings: str) -> EmailMessage:
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
