"""The mail to a player for whom the stand-in has played, since the player's time had lapsed (T-13, T-14)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from sqlalchemy import Connection

from service.log.recorded import Recorded, instant
from service.mail import game_blocks
from service.mail.blocks import Bullets, Button, Content, Heading, Paragraph
from service.mail.game_blocks import MailLinks, others_time
from service.mail.message import numbered_content
from service.mail.sentences import Times, greeting
from service.mail.subject_line import subject_line
from service.rules.shared_events import SeatHandedOver, SharedEvent, TimeLapsed
from service.store import events
from service.store.games import Position
from service.texts.catalog import say
from service.texts.when import instant_text
from service.views.history import recap_of
from service.views.table import spoken

Then = Literal["goes-on", "absent", "resigned", "over"]
"""What follows: the seat's player goes on, or the stand-in does (T-14); the seat has resigned; the game is over."""


@dataclass(frozen=True, slots=True)
class PlayedFor:
    """What was played for a seat after its deadline, in sentences, and what follows from that."""

    deadline: datetime
    sentences: tuple[str, ...]
    then: Then


def what_was_played(db: Connection, position: Position, seat: int, version: int) -> PlayedFor | None:
    """Return what was played for a seat up to a version since its time lapsed; None if another has the seat now."""
    log = events.read(db, position.codec, position.game.id)
    lapse = next((each for each in reversed(log[:version]) if _is_of(each, TimeLapsed, seat)), None)
    if lapse is None or any(_is_of(each, SeatHandedOver, seat) for each in log[lapse.seq :]):
        return None
    since = (each for each in log[lapse.seq : version] if not isinstance(each.event, SharedEvent))
    made = [each for each in since if each.seat == seat and each.door == "timeout"]
    return PlayedFor(instant(lapse.event.deadline), played_sentences(position, seat, made), _then(position, seat))


def played_sentences(position: Position, seat: int, made: Sequence[Recorded]) -> tuple[str, ...]:
    """Return what was played for a seat in sentences, without what the log of the table does not tell either."""
    table = game_blocks.table_of(position, seat)
    told = [each for each in made if table.story([(each.event, each.seat)])]
    return recap_of(position, told, seat, spoken(position, position.seats[seat].language)).sentences


def lapsed_mail(position: Position, seat: int, played: PlayedFor, urls: MailLinks, times: Times) -> Content:
    """Return the mail that tells a seat what was played for it, why, and how to go on."""
    row, then = position.seats[seat], played.then
    language = row.language
    at = instant_text(language, row.time_zone, played.deadline, played.deadline)
    blocks = [
        Paragraph(greeting(position, seat, "lapsed-greeting")),
        Paragraph(f"{say(language, 'lapsed-why', at=at)} {say(language, f'lapsed-then-{then}')}"),
        *((Heading(say(language, "lapsed-played")), Bullets(played.sentences)) if played.sentences else ()),
        Button(say(language, "lapsed-back" if then == "absent" else "said-table"), urls.table),
        *game_blocks.language_note(position.ruleset.meta, language),
        game_blocks.board(game_blocks.table_of(position, seat), url=urls.table),
        *others_time(times),
        *game_blocks.footer(position, seat, urls, table_link=False),
    ]
    summary = say(language, f"lapsed-headline-{then}")
    own = subject_line(position, seat, language, "lapsed")
    return numbered_content(position, seat, summary, blocks, own, position.decision)


def _then(position: Position, seat: int) -> Then:
    if seat in position.resigned:
        return "resigned"
    if position.game.status != "running":
        return "over"
    return "absent" if position.clocks is not None and seat in position.clocks.absent else "goes-on"


def _is_of(recorded: Recorded, kind: type[TimeLapsed | SeatHandedOver], seat: int) -> bool:
    return isinstance(recorded.event, kind) and recorded.event.seat == seat
