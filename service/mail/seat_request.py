"""The mail to the players of a running game about a person who asks to take over a seat of it."""

from __future__ import annotations

from typing import Final, Literal
from uuid import UUID

from sqlalchemy import Connection, text

from service.mail import game_blocks, unsubscribe
from service.mail.blocks import Block, Button, Content, Paragraph, Rule
from service.mail.context import MailContext
from service.mail.game_blocks import MailLinks
from service.mail.message import Addressee, Stamp, address_game_mail
from service.mail.strip_links import strip_links, with_safe_names
from service.mail.subject_line import subject_line
from service.rules.bidi import isolated
from service.shared import clock
from service.store import lobby
from service.store.games import Position
from service.store.lobby import SeatRequest
from service.store.outbox import OutboxRow
from service.texts.catalog import say
from service.texts.names import display_name
from service.views.mail import apart

_NAME: Final = text("select name from player where id = :player")


def seat_request_mail(position: Position, reader: int, asked: int, name: str, urls: MailLinks) -> Content:
    """Return the mail to the seat `reader` about a request of a person, by `name`, for the seat `asked`."""
    language = position.seats[reader].language
    summary = say(language, "request-headline", name=name)
    whose = position.names_in(language)[asked]
    blocks: tuple[Block, ...] = (
        Paragraph(say(language, "request-text", name=name, whose=whose, number=asked + 1)),
        Paragraph(say(language, "request-why")),
        Button(say(language, "request-button"), urls.table),
        Rule(),
        *game_blocks.fewer_mails(language, urls.settings, urls.fewer),
    )
    own = subject_line(position, reader, language, "request")
    return Content(language, own, summary, blocks, own)


def send_seat_request_mail(context: MailContext, row: OutboxRow) -> Literal["done", "skipped"]:
    """Send the mail of an outbox row (payload `seat`, `request`), while the request waits for an answer of that seat.

    Raises as `Mailer.send` does.
    """
    with context.games.engine.begin() as db:
        position = context.games.open(db, row.game_id)
        asked, reader = open_request(db, position, row.payload["request"]), position.seats[row.payload["seat"]]
        if context.mailer is None or asked is None or reader.email is None or reader.seat in position.unattended:
            return "skipped"
        name = name_of(db, asked, reader.language)
        fewer = unsubscribe.link(context.settings, db, row.game_id, reader.player_id, "problem")
        whom = Addressee(row.game_id, reader, fewer=fewer, apart=apart(db, reader.player_id))
    urls = MailLinks(context.settings.base_url, row.game_id, fewer=fewer)
    content = seat_request_mail(with_safe_names(position, reader.language), reader.seat, asked.seat, name, urls)
    stamp = Stamp(row.id, context.mailer.mail_from, clock.now())
    context.mailer.send(address_game_mail(content, "problem", whom, stamp))
    return "done"


def open_request(db: Connection, position: Position, request: str) -> SeatRequest | None:
    """Return a request that is still to be answered; None if it was, or if the seat's player is there."""
    asked = lobby.read_seat_request(db, position.game.id, UUID(request))
    return None if asked is None or asked.answer or asked.seat not in position.unattended else asked


def name_of(db: Connection, asked: SeatRequest, language: str) -> str:
    """Return the name of the person who asks, as mails may show it."""
    name = display_name(db.execute(_NAME, {"player": asked.player_id}).scalar_one(), language)
    return isolated(strip_links(name) or say(language, "somebody"))
