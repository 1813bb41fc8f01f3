"""The mails about seasons and tournaments: one has begun, one is over, and entry into a season ends soon."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from email.headerregistry import Address
from email.message import EmailMessage
from typing import Any, Final, Literal
from uuid import UUID

from sqlalchemy import Connection, text

from service.mail import game_blocks, unsubscribe
from service.mail.blocks import Block, Bullets, Button, Content, Grid, Hyperlink, Paragraph, Rule
from service.mail.context import MailContext
from service.mail.message import Stamp, add_identity_headers, compose_message
from service.mail.sentences import player_name
from service.mail.strip_links import strip_links
from service.mail.unsubscribe import Fewer, with_headers
from service.rules.bidi import isolated
from service.shared import clock
from service.store.competition import Competition, entry_state, read_competition
from service.store.outbox import OutboxRow
from service.texts.catalog import count, say
from service.texts.names import display_name
from service.texts.when import instant_text
from service.views.competitions import group_of, lines

What = Literal["competition-begun", "competition-over", "entry-reminder"]

_READER: Final = text("select name, email, language, time_zone from player where id = :player and email is not null")
_SLUG: Final = text("select slug from league where id = :league")
MOST_LINES: Final = 8
"""The most lines of a table in a mail."""


@dataclass(frozen=True, slots=True)
class CompetitionStanding:
    """A competition as a mail tells of it: its page, the table of the reader's group, and the reader's line in it."""

    competition: Competition
    page: str
    table: Sequence[Any]
    line: Any


@dataclass(frozen=True, slots=True)
class Reader:
    """The recipient of a mail that is not about one game alone, and the link for fewer mails."""

    name: str
    email: str
    language: str
    time_zone: str
    fewer: Fewer | None = None


def competition_mail(what: What, told: CompetitionStanding, reader: Reader, base: str, game: UUID) -> EmailMessage:
    """Return the mail, without sender, date and Message-ID; `base` is the address of the service."""
    language, summary = reader.language, headline(what, told.competition, reader.language, reader.time_zone)
    body = {"competition-begun": _begun, "competition-over": _over, "entry-reminder": _reminder}[what]
    blocks: tuple[Block, ...] = (
        *body(told, language, f"{base}/games/{game}"),
        Rule(),
        *game_blocks.fewer_mails(language, f"{base}/settings/mail", reader.fewer),
    )
    content = Content(language, summary, summary, blocks)
    message = compose_message(Address(player_name(reader.name, reader.language), addr_spec=reader.email), content)
    return with_headers(message, reader.fewer)


def headline(what: What, found: Competition, language: str, time_zone: str) -> str:
    """Return the sentence that is the subject of a mail, and its line in the digest."""
    kind = "tournament" if found.number is None else "season"
    ends = found.entry_until
    until = "" if ends is None else instant_text(language, time_zone, ends, ends)
    values = {"title": isolated(strip_links(found.title)), "number": found.number, "until": until}
    return say(language, f"news-{what}-{kind}", **values)


def news(db: Connection, row: Any, language: str, time_zone: str) -> Iterator[str]:
    """Yield the sentence that the digest has of an outbox row, unless it is true no more."""
    told = told_of(db, row.kind, UUID(row.payload["competition"]), row.player_id, "")
    if told is not None:
        yield headline(row.kind, told.competition, language, time_zone)


def send_competition_mail(context: MailContext, row: OutboxRow) -> Literal["done", "skipped"]:
    """Send the mail of an outbox row (payload `competition`, `player`), while it is true; as `Mailer.send` raises."""
    player, what = UUID(row.payload["player"]), row.kind
    with context.games.engine.begin() as db:
        told = told_of(db, what, UUID(row.payload["competition"]), player, context.settings.base_url)
        found: Any = db.execute(_READER, {"player": player}).one_or_none()
        if context.mailer is None or told is None or found is None:
            return "skipped"
        fewer = unsubscribe.link(context.settings, db, row.game_id, player, "league")
    reader = Reader(found.name, found.email, found.language, found.time_zone, fewer)
    message = competition_mail(what, told, reader, context.settings.base_url, row.game_id)  # type: ignore[arg-type] # a row is of one of these kinds
    about = f"{told.competition.id}:{player}"
    context.mailer.send(
        add_identity_headers(message, Stamp(row.id, context.mailer.mail_from, clock.now()), "league", about)
    )
    return "done"


def told_of(db: Connection, what: str, competition: UUID, player: UUID, base: str) -> CompetitionStanding | None:
    """Return a competition as a mail tells a player of it; None where the mail would not be true any more."""
    found = read_competition(db, competition)
    if found is None:
        return None
    state = entry_state(db, competition, player)
    if what == "entry-reminder":
        return (
            CompetitionStanding(found, _page(db, found, base), (), None)
            if found.state == "entry" and state is None
            else None
        )
    if state != "entered" or (what == "competition-begun" and found.state != "running"):
        return None
    group = None if found.league is None else group_of(db, competition, player)
    table = lines(db, competition, None if group is None else [group])
    own = next(line for line in table if line.player_id == player)
    return CompetitionStanding(found, _page(db, found, base), table, own)


def _page(db: Connection, found: Competition, base: str) -> str:
    if found.league is None:
        return f"{base}/tournaments/{found.id}"
    slug: str = db.execute(_SLUG, {"league": found.league}).scalar_one()
    return f"{base}/leagues/{slug}/{found.number}"


def _begun(told: CompetitionStanding, language: str, game: str) -> Iterator[Block]:
    found = told.competition
    if told.line.tier is not None:
        yield Paragraph(say(language, "competition-group", tier=told.line.tier, group=told.line.group_number))
        yield Bullets(tuple(_name(line, language) for line in told.table))
    yield Paragraph(count(language, "competition-rounds", found.rounds or 1))
    yield Button(say(language, "competition-game"), game)
    yield Hyperlink(say(language, "competition-table"), told.page)


def _over(told: CompetitionStanding, language: str, _: str) -> Iterator[Block]:
    yield Paragraph(say(language, "competition-place", place=told.line.place))
    head = (say(language, "league-player"), say(language, "league-points"))
    table = told.table[:MOST_LINES]
    yield Grid(head, tuple((f"{line.place}. {_name(line, language)}", str(line.points)) for line in table))
    if told.line.moves:
        yield Paragraph(say(language, "competition-up" if told.line.moves > 0 else "competition-down"))
    yield Button(say(language, "competition-table"), told.page)
    if told.competition.league is not None:
        yield Paragraph(say(language, "competition-next"))
        yield Hyperlink(say(language, "competition-enter"), told.page.rpartition("/")[0])


def _reminder(told: CompetitionStanding, language: str, _: str) -> Iterator[Block]:
    yield Paragraph(say(language, "entry-reminder-text"))
    yield Button(say(language, "competition-enter"), told.page.rpartition("/")[0])


def _name(line: Any, language: str) -> str:
    return isolated(strip_links(display_name(line.name, language))) or say(language, "somebody")
