"""Mails about seasons and tournaments: begun, over, entry ends soon, invitations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from email.headerregistry import Address
from email.message import EmailMessage
from typing import Any, Final, Literal, NamedTuple
from uuid import UUID

from sqlalchemy import Connection, text

from service.mail import game_blocks, unsubscribe
from service.mail.blocks import Block, Bullets, Button, Content, Grid, Hyperlink, Paragraph, Rule
from service.mail.compose import MailReader, Stamp, add_identity_headers, compose_message
from service.mail.context import MailContext
from service.mail.preferences import IN_DIGEST
from service.mail.sentences import player_name
from service.mail.strip_links import sender_name, strip_links
from service.mail.unsubscribe import with_headers
from service.rules.bidi import isolated
from service.rules.kernel import Meta
from service.shared import clock
from service.store import people
from service.store.competition import Competition, entry_state, read_competition
from service.store.outbox import OutboxRow
from service.texts.catalog import count, say
from service.texts.games import in_language, pace_text
from service.texts.names import display_name
from service.texts.when import instant_text
from service.views.leagues import group_of, lines

CompetitionNews = Literal["competition-begun", "competition-over", "entry-reminder"]

_READER: Final = text("select name, email, language, time_zone from player where id = :player and email is not null")
_SLUG: Final = text("select slug from league where id = :league")
MAX_TABLE_LINES: Final = 8


@dataclass(frozen=True, slots=True)
class CompetitionStanding:
    """A competition with its page, the table of the reader's group, and the reader's line."""

    competition: Competition
    page: str
    table: Sequence[Any]
    line: Any


def competition_mail(
    what: CompetitionNews, told: CompetitionStanding, reader: MailReader, base: str, game: UUID
) -> EmailMessage:
    """Return the mail, without sender, date and Message-ID; `base` is the address of the service."""
    language, summary = reader.language, headline(what, told.competition, reader.language, reader.time_zone)
    body = {"competition-begun": _begun_blocks, "competition-over": _over_blocks, "entry-reminder": _reminder_blocks}[
        what
    ]
    blocks: tuple[Block, ...] = (
        *body(told, language, f"{base}/games/{game}"),
        Rule(),
        *game_blocks.fewer_mails(language, f"{base}/settings/mail", reader.fewer),
    )
    content = Content(language, summary, summary, blocks)
    message = compose_message(Address(player_name(reader.name, reader.language), addr_spec=reader.email), content)
    return with_headers(message, reader.fewer)


def headline(what: CompetitionNews, found: Competition, language: str, time_zone: str) -> str:
    """Return the subject of a mail, which is its line in the digest, too."""
    kind = "tournament" if found.number is None else "season"
    ends = found.entry_until
    until = "" if ends is None else instant_text(language, time_zone, ends, ends)
    values = {"title": isolated(strip_links(found.title)), "number": found.number, "until": until}
    return say(language, f"news-{what}-{kind}", **values)


def digest_news(db: Connection, row: Any, language: str, time_zone: str) -> Iterator[str]:
    """Yield the line of an outbox row in the digest, if still true."""
    told = standing_for(db, row.kind, UUID(row.payload["competition"]), row.player_id, "")
    if told is not None:
        yield headline(row.kind, told.competition, language, time_zone)


def send_competition_mail(context: MailContext, row: OutboxRow) -> Literal["done", "skipped"]:
    """Send the mail of an outbox row (payload `competition`, `player`), if still true. Raises as `Mailer.send` does."""
    player, what = UUID(row.payload["player"]), row.kind
    with context.games.engine.begin() as db:
        told = standing_for(db, what, UUID(row.payload["competition"]), player, context.settings.base_url)
        found: Any = db.execute(_READER, {"player": player}).one_or_none()
        if context.mailer is None or told is None or found is None:
            return "skipped"
        fewer = unsubscribe.link(context.settings, db, row.game_id, player, "league")
    reader = MailReader(found.name, found.email, found.language, found.time_zone, fewer)
    message = competition_mail(what, told, reader, context.settings.base_url, row.game_id)  # type: ignore[arg-type] # a row is of one of these kinds
    about = f"{told.competition.id}:{player}"
    context.mailer.send(
        add_identity_headers(message, Stamp(row.id, context.mailer.mail_from, clock.now()), "league", about)
    )
    return "done"


def standing_for(db: Connection, what: str, competition: UUID, player: UUID, base: str) -> CompetitionStanding | None:
    """Return the standing of a player for a mail; None if the mail is no longer true."""
    found = read_competition(db, competition)
    if found is None:
        return None
    state = entry_state(db, competition, player)
    if what == "entry-reminder":
        return (
            CompetitionStanding(found, _page_of(db, found, base), (), None)
            if found.state == "entry" and state is None
            else None
        )
    if state != "entered" or (what == "competition-begun" and found.state != "running"):
        return None
    group = None if found.league is None else group_of(db, competition, player)
    table = lines(db, competition, None if group is None else [group])
    own = next(line for line in table if line.player_id == player)
    return CompetitionStanding(found, _page_of(db, found, base), table, own)


def _page_of(db: Connection, found: Competition, base: str) -> str:
    if found.league is None:
        return f"{base}/tournaments/{found.id}"
    slug: str = db.execute(_SLUG, {"league": found.league}).scalar_one()
    return f"{base}/leagues/{slug}/{found.number}"


def _begun_blocks(told: CompetitionStanding, language: str, game: str) -> Iterator[Block]:
    found = told.competition
    if told.line.tier is not None:
        yield Paragraph(say(language, "competition-group", tier=told.line.tier, group=told.line.group_number))
        yield Bullets(tuple(_entrant_name(line, language) for line in told.table))
    yield Paragraph(count(language, "competition-rounds", found.rounds or 1))
    yield Button(say(language, "competition-game"), game)
    yield Hyperlink(say(language, "competition-table"), told.page)


def _over_blocks(told: CompetitionStanding, language: str, _: str) -> Iterator[Block]:
    yield Paragraph(say(language, "competition-place", place=told.line.place))
    head = (say(language, "league-player"), say(language, "league-points"))
    table = told.table[:MAX_TABLE_LINES]
    yield Grid(head, tuple((f"{line.place}. {_entrant_name(line, language)}", str(line.points)) for line in table))
    if told.line.moves:
        yield Paragraph(say(language, "competition-up" if told.line.moves > 0 else "competition-down"))
    yield Button(say(language, "competition-table"), told.page)
    if told.competition.league is not None:
        yield Paragraph(say(language, "competition-next"))
        yield Hyperlink(say(language, "competition-enter"), told.page.rpartition("/")[0])


def _reminder_blocks(told: CompetitionStanding, language: str, _: str) -> Iterator[Block]:
    yield Paragraph(say(language, "entry-reminder-text"))
    yield Button(say(language, "competition-enter"), told.page.rpartition("/")[0])


def _entrant_name(line: Any, language: str) -> str:
    return isolated(strip_links(display_name(line.name, language))) or say(language, "somebody")


_INVITED_PLAYER: Final = text(
    "select name, email, language, time_zone from player where id = :player and email is not null"
)
_HOST: Final = text("select name from player where id = :host and deleted_at is null and blocked is null")
_UNTOLD_INVITATIONS: Final = text("""
select o.id, o.payload ->> 'competition' as competition from outbox o
 where o.game_id is null and o.kind = 'tournament-invited' and o.payload ->> 'player' = :player
   and o.state = 'skipped' and o.last_error = :untold
 order by o.id
""")


class InvitedToTournament(NamedTuple):
    tournament: Competition
    host: str


def tournament_invited_mail(invited: InvitedToTournament, meta: Meta, reader: MailReader, base: str) -> EmailMessage:
    """Return the mail, without sender, date and Message-ID; `base` is the address of the service."""
    language, found, summary = reader.language, invited.tournament, _invitation_sentence(invited, reader.language)
    content: tuple[Block, ...] = (
        Paragraph(f"{meta.title}{say(language, 'colon')} {in_language(meta.summary, language)}"),
        *game_blocks.language_note(meta, language),
        Paragraph(f"{say(language, f'tournament-{found.system}')}. {say(language, 'tournament-entry')}."),
        Paragraph(f"{say(language, 'pace')}{say(language, 'colon')} {pace_text(language, found.pace)}"),
        Button(say(language, "tournament-mail-look"), f"{base}/tournaments/mine"),
        Rule(),
        *game_blocks.fewer_mails(language, f"{base}/settings/mail", reader.fewer),
    )
    whom = Address(player_name(reader.name, reader.language), addr_spec=reader.email)
    return with_headers(compose_message(whom, Content(language, summary, summary, content)), reader.fewer)


def send_tournament_invited_mail(context: MailContext, row: OutboxRow) -> Literal["done", "skipped"]:
    """Send the mail of an outbox row (payload `competition`, `player`), while the invitation can be accepted.

    Raises as `Mailer.send` does.
    """
    player, tournament = UUID(row.payload["player"]), UUID(row.payload["competition"])
    with context.games.engine.begin() as db:
        invited = _open_invitation(db, tournament, player)
        found: Any = db.execute(_INVITED_PLAYER, {"player": player}).one_or_none()
    if context.mailer is None or invited is None or found is None:
        return "skipped"
    fewer = unsubscribe.asked_link(context.settings, player)
    reader = MailReader(found.name, found.email, found.language, found.time_zone, fewer)
    meta = context.games.rulesets[invited.tournament.ruleset].meta
    message = tournament_invited_mail(invited, meta, reader, context.settings.base_url)
    about = f"{tournament}:{player}"
    context.mailer.send(
        add_identity_headers(message, Stamp(row.id, context.mailer.mail_from, clock.now()), "challenge", about)
    )
    return "done"


def tournaments_untold(db: Connection, player: UUID, language: str) -> Iterator[tuple[int, str]]:
    """Yield the outbox row and the sentence of each invitation that was left to the next digest."""
    for row in db.execute(_UNTOLD_INVITATIONS, {"player": str(player), "untold": IN_DIGEST}).all():
        invited = _open_invitation(db, UUID(row.competition), player)
        if invited is not None:
            yield row.id, _invitation_sentence(invited, language)


def _open_invitation(db: Connection, tournament: UUID, player: UUID) -> InvitedToTournament | None:
    """Return the open invitation of a player; None if it is closed or one of the two blocks the other."""
    found = read_competition(db, tournament)
    if found is None or found.host is None or found.state != "entry":
        return None
    host: Any = db.execute(_HOST, {"host": found.host}).one_or_none()
    if host is None or entry_state(db, tournament, player) != "invited":
        return None
    return None if people.either_blocks(db, found.host, player) else InvitedToTournament(found, host.name)


def _invitation_sentence(invited: InvitedToTournament, language: str) -> str:
    host = sender_name(invited.host, language)
    return say(language, "tournament-mail", name=host, title=isolated(strip_links(invited.tournament.title)))
