"""The mail to a player whose table was called off, or who was removed from it before the game began."""

from __future__ import annotations

from typing import Any, Final, Literal
from uuid import UUID

from sqlalchemy import Connection, text

from service.mail import game_blocks, unsubscribe
from service.mail.blocks import Block, Button, Content, Hyperlink, Paragraph, Rule
from service.mail.context import MailContext
from service.mail.game_blocks import MailLinks
from service.mail.message import Addressee, Stamp, address_game_mail
from service.mail.sentences import one_line, player_name
from service.mail.strip_links import host_name, strip_links, table_name, with_safe_names
from service.mail.subject_line import subject_line
from service.rules.bidi import isolated
from service.shared import clock
from service.store.game_row import SeatRow
from service.store.games import Position
from service.store.outbox import OutboxRow
from service.texts.catalog import say
from service.texts.locales import listed
from service.views.mail import apart

What = Literal["removed", "called-off"]
"""The host has freed the recipient's seat, or has called the table off."""

_READER: Final = text("select name, language, email from player where id = :player and email is not null")


def problem_mail(position: Position, reader: SeatRow, what: What, urls: MailLinks) -> Content:
    """Return the mail about a table; a player who was removed is no longer among its seats."""
    language = reader.language
    values = {"name": isolated(player_name(reader.name, reader.language)), "title": position.ruleset.meta.title}
    if what == "called-off":
        values |= {"host": host_name(position, language), "others": _others(position, reader)}
    table = table_name(position)
    blocks: tuple[Block, ...] = (
        Paragraph(say(language, f"problem-{what}-text", **values)),
        *([Paragraph(say(language, "invite-table", name=table))] if table else []),
        Paragraph(say(language, "problem-next")),
        Button(say(language, "problem-open-tables"), f"{urls.base_url}/games/open"),
        Hyperlink(say(language, "problem-new-table"), f"{urls.base_url}/games/new"),
        Rule(),
        *game_blocks.fewer_mails(language, urls.settings, urls.fewer),
    )
    own = subject_line(position, None, language, what)
    return Content(language, own, say(language, f"problem-{what}"), blocks, own)


def send_problem_mail(context: MailContext, row: OutboxRow) -> Literal["done", "skipped"]:
    """Send the mail of an outbox row (payload `player`, `what`), unless the recipient has a seat at the table again.

    Raises as `Mailer.send` does.
    """
    what: What = row.payload["what"]
    with context.games.engine.begin() as db:
        position = context.games.open(db, row.game_id)
        reader = reader_of(db, UUID(row.payload["player"]))
        if context.mailer is None or reader is None or not still(position, reader.player_id, what):
            return "skipped"
        fewer = unsubscribe.link(context.settings, db, row.game_id, reader.player_id, "problem")
        whom = Addressee(row.game_id, reader, fewer=fewer, apart=apart(db, reader.player_id))
    urls = MailLinks(context.settings.base_url, row.game_id, fewer=fewer)
    content = problem_mail(with_safe_names(position, reader.language), reader, what, urls)
    stamp = Stamp(row.id, context.mailer.mail_from, clock.now())
    context.mailer.send(address_game_mail(content, "problem", whom, stamp))
    return "done"


def still(position: Position, player: UUID, what: What) -> bool:
    """Return whether the content of the mail is still true."""
    return what == "called-off" or position.seat_of(player) is None


def reader_of(db: Connection, player: UUID) -> SeatRow | None:
    """Return a player who has an address, as a seat with number -1; None if there is no address."""
    found: Any = db.execute(_READER, {"player": player}).one_or_none()
    if found is None:
        return None
    name = strip_links(found.name) or say(found.language, "somebody")
    return SeatRow(-1, player, name, found.language, found.email)


def _others(position: Position, reader: SeatRow) -> str:
    names = zip(position.names_in(reader.language), position.seats, strict=True)
    return listed([one_line(name) for name, seat in names if seat.player_id != reader.player_id], reader.language)
