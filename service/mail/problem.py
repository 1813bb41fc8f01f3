"""Tells somebody that nothing comes of a table at which they sat, and what there is to do instead."""

from __future__ import annotations

from typing import Any, Final, Literal
from uuid import UUID

from sqlalchemy import Connection, text

from service.mail import pieces, unsubscribe
from service.mail.blocks import Block, Button, Content, Link, Paragraph, Rule
from service.mail.compose import Addressee, addressed, subject
from service.mail.harmless import harmless, harmless_names, host_name, table_name
from service.mail.house import MailContext
from service.mail.letter import Stamp
from service.mail.pieces import MailLinks
from service.mail.sentences import one_line
from service.rules.isolation import isolated
from service.shared import clock
from service.store.game_row import SeatRow
from service.store.outbox import OutboxRow
from service.store.position import Position
from service.texts.catalog import say
from service.texts.when import listed
from service.views.mail import apart

What = Literal["removed", "called-off"]
"""The host has freed the reader's seat, or has called the whole table off."""

_READER: Final = text("select name, language, email from player where id = :player and email is not null")


def problem_mail(position: Position, reader: SeatRow, what: What, way: MailLinks) -> Content:
    """Return the mail that tells somebody what has become of a table; whoever was removed is not in its seats."""
    language = reader.language
    told = {"name": isolated(one_line(reader.name)), "title": position.ruleset.meta.title}
    if what == "called-off":
        told |= {"host": host_name(position, language), "others": _others(position, reader)}
    table = table_name(position)
    blocks: tuple[Block, ...] = (
        Paragraph(say(language, f"problem-{what}-text", **told)),
        *([Paragraph(say(language, "invite-table", name=table))] if table else []),
        Paragraph(say(language, "problem-next")),
        Button(say(language, "problem-open-tables"), f"{way.base_url}/games/open"),
        Link(say(language, "problem-new-table"), f"{way.base_url}/games/new"),
        Rule(),
        *pieces.less(language, way.settings, way.fewer),
    )
    own = subject(position, language, say(language, f"subject-{what}"))
    return Content(language, subject(position, language), say(language, f"problem-{what}"), blocks, own)


def send_problem_mail(house: MailContext, row: OutboxRow) -> Literal["done", "skipped"]:
    """Send the mail of an outbox row (payload `player`, `what`), unless its reader has a seat at the table again.

    Raises as `Mailer.send` does.
    """
    what: What = row.payload["what"]
    with house.games.engine.begin() as db:
        position = house.games.open(db, row.game_id)
        reader = reader_of(db, UUID(row.payload["player"]))
        if house.mailer is None or reader is None or not still(position, reader.player_id, what):
            return "skipped"
        fewer = unsubscribe.link(house.settings, db, row.game_id, reader.player_id, "problem")
        whom = Addressee(row.game_id, reader, fewer=fewer, apart=apart(db, reader.player_id))
    way = MailLinks(house.settings.base_url, row.game_id, fewer=fewer)
    content = problem_mail(harmless_names(position, reader.language), reader, what, way)
    stamp = Stamp(row.id, house.mailer.mail_from, clock.now())
    house.mailer.send(addressed(content, "problem", whom, stamp))
    return "done"


def still(position: Position, player: UUID, what: What) -> bool:
    """Return whether what the mail says still holds."""
    return what == "called-off" or position.seat_of(player) is None


def reader_of(db: Connection, player: UUID) -> SeatRow | None:
    """Return a player who can be written to, as one who has no seat."""
    found: Any = db.execute(_READER, {"player": player}).one_or_none()
    if found is None:
        return None
    name = harmless(found.name) or say(found.language, "somebody")
    return SeatRow(-1, player, name, found.language, found.email)


def _others(position: Position, reader: SeatRow) -> str:
    names = zip(position.names_in(reader.language), position.seats, strict=True)
    return listed([one_line(name) for name, seat in names if seat.player_id != reader.player_id], reader.language)
