"""The mail to a person whom the host of a tournament invites."""

from __future__ import annotations

from collections.abc import Iterator
from email.headerregistry import Address
from email.message import EmailMessage
from typing import Any, Final, Literal, NamedTuple
from uuid import UUID

from sqlalchemy import Connection, text

from service.mail import game_blocks, unsubscribe
from service.mail.blocks import Block, Button, Content, Paragraph, Rule
from service.mail.competition import Reader
from service.mail.context import MailContext
from service.mail.message import Stamp, add_identity_headers, compose_message
from service.mail.preferences import IN_DIGEST
from service.mail.sentences import player_name
from service.mail.strip_links import sender_name, strip_links
from service.mail.unsubscribe import with_headers
from service.rules.bidi import isolated
from service.rules.kernel import Meta
from service.shared import clock
from service.store import competition, people
from service.store.competition import Competition
from service.store.outbox import OutboxRow
from service.texts.catalog import say
from service.texts.games import in_language, pace_text

_READER: Final = text("select name, email, language, time_zone from player where id = :player and email is not null")
_HOST: Final = text("select name from player where id = :host and deleted_at is null and blocked is null")
_UNTOLD: Final = text("""
select o.id, o.payload ->> 'competition' as competition from outbox o
 where o.game_id is null and o.kind = 'tournament-invited' and o.payload ->> 'player' = :player
   and o.state = 'skipped' and o.last_error = :untold
 order by o.id
""")


class InvitedToTournament(NamedTuple):
    """A tournament, and the name of its host."""

    tournament: Competition
    host: str


def tournament_invited_mail(invited: InvitedToTournament, meta: Meta, reader: Reader, base: str) -> EmailMessage:
    """Return the mail, without sender, date and Message-ID; `base` is the address of the service."""
    language, found, summary = reader.language, invited.tournament, _sentence(invited, reader.language)
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
        invited = _invited(db, tournament, player)
        found: Any = db.execute(_READER, {"player": player}).one_or_none()
    if context.mailer is None or invited is None or found is None:
        return "skipped"
    fewer = unsubscribe.asked_link(context.settings, player)
    reader = Reader(found.name, found.email, found.language, found.time_zone, fewer)
    meta = context.games.rulesets[invited.tournament.ruleset].meta
    message = tournament_invited_mail(invited, meta, reader, context.settings.base_url)
    about = f"{tournament}:{player}"
    context.mailer.send(
        add_identity_headers(message, Stamp(row.id, context.mailer.mail_from, clock.now()), "challenge", about)
    )
    return "done"


def tournaments_untold(db: Connection, player: UUID, language: str) -> Iterator[tuple[int, str]]:
    """Yield the outbox row and the sentence of each invitation that was left to the next digest."""
    for row in db.execute(_UNTOLD, {"player": str(player), "untold": IN_DIGEST}).all():
        invited = _invited(db, UUID(row.competition), player)
        if invited is not None:
            yield row.id, _sentence(invited, language)


def _invited(db: Connection, tournament: UUID, player: UUID) -> InvitedToTournament | None:
    """Return the invitation of a player; None where it can be accepted no more, or may not reach the player."""
    found = competition.read_competition(db, tournament)
    if found is None or found.host is None or found.state != "entry":
        return None
    host: Any = db.execute(_HOST, {"host": found.host}).one_or_none()
    if host is None or competition.entry_state(db, tournament, player) != "invited":
        return None
    return None if people.either_blocks(db, found.host, player) else InvitedToTournament(found, host.name)


def _sentence(invited: InvitedToTournament, language: str) -> str:
    host = sender_name(invited.host, language)
    return say(language, "tournament-mail", name=host, title=isolated(strip_links(invited.tournament.title)))
