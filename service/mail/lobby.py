"""Mails about tables: invitations, challenges, requests for a seat, tables called off."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from email.headerregistry import Address
from email.message import EmailMessage
from typing import Any, Final, Literal
from uuid import UUID

from sqlalchemy import Connection, text

from service.handlers import capability
from service.mail import game_blocks, unsubscribe
from service.mail.blocks import Block, Button, Content, Hyperlink, Paragraph, Quote, Rule, Small
from service.mail.compose import Addressee, Stamp, add_identity_headers, address_game_mail, compose_message
from service.mail.context import MailContext
from service.mail.game_blocks import MailLinks, first_board
from service.mail.preferences import IN_DIGEST
from service.mail.sentences import one_line, player_name
from service.mail.strip_links import host_name, host_of, sender_name, strip_links, table_name, with_safe_names
from service.mail.subject_line import subject_line
from service.mail.unsubscribe import Fewer, with_headers
from service.rules.bidi import isolated
from service.rules.kernel import Meta
from service.rules.pace import Pace
from service.shared import clock
from service.store import lobby, mail
from service.store.game_row import SeatRow
from service.store.games import Position
from service.store.lobby import Challenge, SeatRequest
from service.store.outbox import OutboxRow
from service.texts.catalog import count, say
from service.texts.games import full_title, in_language, pace_text
from service.texts.locales import listed
from service.texts.names import display_name
from service.texts.when import instant_text, length_text
from service.views.lobby import UsualLengths, usual_lengths
from service.views.messages import apart
from service.views.table import spoken, view_of_game

_CHALLENGED_PLAYER: Final = text(
    "select name, email, language, time_zone from player where id = :player and email is not null"
)
_CHALLENGER: Final = text("select name, owner is not null as bot from player where id = :player")
_UNTOLD_CHALLENGES: Final = text("""
select o.id, o.payload ->> 'challenge' as challenge from outbox o
 where o.game_id is null and o.kind = 'challenge' and o.payload ->> 'player' = :player
   and o.state = 'skipped' and o.last_error = :untold
 order by o.id
""")
_PLAYER_NAME: Final = text("select name from player where id = :player")
TableProblem = Literal["removed", "called-off"]
"""The host has freed the recipient's seat, or has called the table off."""

_PLAYER_WITH_ADDRESS: Final = text("select name, language, email from player where id = :player and email is not null")


@dataclass(frozen=True, slots=True)
class Invited:
    """The recipient of an invitation, and until when it is valid.

    `words` are the host's message; it is sent only to an address that is `known`, because somebody has confirmed it.
    """

    address: str
    language: str
    until: datetime
    known: bool
    words: str = ""
    seat: int | None = None
    """The seat of a running game that the recipient may take over; None for a free seat of an open game."""


def invitation_mail(position: Position, whom: Invited, link: str, lengths: UsualLengths) -> EmailMessage:
    """Return the mail that invites to a game, without sender, date and Message-ID; `link` is the page's URL.

    Times are in the host's zone, since the recipient's is unknown. A mail to an unconfirmed address quotes the names of
    host and players, and no other words of a player.
    """
    language, meta, game = whom.language, position.ruleset.meta, position.game
    safe, host = with_safe_names(position, language), host_name(position, language)
    table = table_name(position) if whom.known else ""
    words = strip_links(whom.words) if whom.known else ""
    at = instant_text(language, host_of(position).time_zone, whom.until, whom.until)

    # A free seat: the board as it may look at the beginning. The seat of a running game: the board as a spectator sees
    # it, since the link alone lets its holder take the seat over and see more.
    if whom.seat is None:
        places = count(language, "invite-free", game.seats - len(position.seats))
        until = say(language, "invite-until", at=at)
        board = first_board(position.ruleset, game.seats, game.options, spoken(position, language))
        known = lengths.of(meta, game.seats, game.options, game.terms.pace)
    else:
        places = say(language, "substitute-seat", number=whom.seat + 1)
        until = say(language, "substitute-until", at=at)
        board = game_blocks.board(view_of_game(safe, None, language), words="none")
        known = None

    length = "" if known is None else say(language, "length", length=length_text(language, known))
    pace = game.terms.pace
    seated = say(language, "invite-seated", names=listed(list(safe.names_in(language)), language))
    seats = Paragraph(f"{seated} {places}")
    button = Button(say(language, "invite-link"), link)
    blocks: tuple[Block, ...] = (
        *([Quote(say(language, "invite-message", host=host), words)] if words else []),
        *([Paragraph(say(language, "invite-table", name=table))] if table else []),
        *game_blocks.language_note(meta, language),
        Paragraph(in_language(meta.summary, language)),
        # A running game is drawn as text, too, which is too long to stand before the link.
        *((board, button, seats) if whom.seat is None else (seats, button, board)),
        Paragraph(f"{say(language, 'invite-how')} {length}".rstrip()),
        *([] if pace is None else [_pace_paragraph(pace, language)]),
        Small(until),
        Rule(),
        Hyperlink(say(language, "invite-never"), f"{link}/never", small=True),
    )
    title = full_title(meta, position.game.options, language)
    subject = say(language, "invite-subject", host=host, title=title)
    content = Content(language, subject, say(language, "invite-greeting", host=host, title=title), blocks)
    message = compose_message(Address(addr_spec=whom.address), content)
    # Spam filters mistrust a picture that goes to an address without a name and without brackets.
    message.replace_header("To", f"<{whom.address}>")
    return with_headers(message, Fewer(f"{link}/never", "invitation"))


def send_invitation_mail(context: MailContext, row: OutboxRow) -> Literal["done", "skipped"]:
    """Send the mail of an outbox row (payload `invitation`), if the invitation is still valid.

    Its language is that of the invited player, else the host's choice, else the host's own. Each attempt has a link of
    its own and the Message-ID of the row. Raises as `Mailer.send` does.
    """
    now = clock.now()
    with context.games.engine.begin() as db:
        invitation = lobby.read_invitation(db, UUID(row.payload["invitation"]))
        position = context.games.open(db, row.game_id)
        guest = lobby.guest_of(db, invitation.id)
        is_open = position.game.status == "open" if invitation.seat is None else invitation.seat in position.unattended
        due = is_open and invitation.is_good(now)
        if context.mailer is None or guest.address is None or not due:
            return "skipped"
        token = lobby.new_invitation_token()
        lobby.add_invitation_link(db, invitation.id, token)
        known, lengths = mail.is_address_confirmed(db, guest.address), usual_lengths(db)
    language = guest.language or host_of(position).language
    link = f"{context.settings.base_url}/join/{token}"
    whom = Invited(guest.address, language, invitation.expires_at, known, invitation.message or "", invitation.seat)
    message = invitation_mail(position, whom, link, lengths)
    context.mailer.send(
        add_identity_headers(message, Stamp(row.id, context.mailer.mail_from, now), "invitation", row.game_id)
    )
    return "done"


@dataclass(frozen=True, slots=True)
class Challenged:
    """Recipient of a challenge, the name of its sender without links, and whether the sender is a `bot`."""

    name: str
    email: str
    language: str
    time_zone: str
    sender: str
    bot: bool


def challenge_mail(meta: Meta, challenge: Challenge, whom: Challenged, link: str, settings: str) -> EmailMessage:
    """Return the mail, without sender, date and Message-ID; `link` is the address of the challenge's own page."""
    language = whom.language
    asked = say(language, "challenge-text", name=whom.sender, title=meta.title)
    until = instant_text(language, whom.time_zone, challenge.expires_at, challenge.expires_at)
    blocks: tuple[Block, ...] = (
        *([Paragraph(say(language, "challenge-bot", name=whom.sender))] if whom.bot else []),
        *game_blocks.language_note(meta, language),
        Paragraph(in_language(meta.summary, language)),
        _pace_paragraph(challenge.terms.pace, language),
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
            whom = _read_challenged(db, found)
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
    for row in db.execute(_UNTOLD_CHALLENGES, {"player": str(player), "untold": IN_DIGEST}).all():
        found = _open_challenge(db, UUID(row.challenge))
        if found is not None:
            title = context.games.rulesets[found.ruleset].meta.title
            yield row.id, say(language, "challenge-text", name=_challenger_name(db, found, language)[0], title=title)


def _open_challenge(db: Connection, challenge: UUID) -> Challenge | None:
    """Return a challenge without an answer; None for any other."""
    found = lobby.read_challenge(db, challenge, clock.now())
    return None if found is None or found.state != "open" else found


def _challenger_name(db: Connection, challenge: Challenge, language: str) -> tuple[str, bool]:
    """Return the name of the sender without links, and whether the sender is a bot."""
    row: Any = db.execute(_CHALLENGER, {"player": challenge.sender}).one()
    return sender_name(row.name, language), row.bot


def _read_challenged(db: Connection, challenge: Challenge) -> Challenged | None:
    row: Any = db.execute(_CHALLENGED_PLAYER, {"player": challenge.recipient}).one_or_none()
    if row is None:
        return None
    sender, bot = _challenger_name(db, challenge, row.language)
    return Challenged(row.name, row.email, row.language, row.time_zone, sender, bot)


def seat_request_mail(position: Position, reader: int, asked: int, name: str, urls: MailLinks) -> Content:
    """Return the mail to the seat `reader` about the request of `name` for the seat `asked`."""
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
    """Send the mail of an outbox row (payload `seat`, `request`), while the request waits for that seat's answer.

    Raises as `Mailer.send` does.
    """
    with context.games.engine.begin() as db:
        position = context.games.open(db, row.game_id)
        asked, reader = open_seat_request(db, position, row.payload["request"]), position.seats[row.payload["seat"]]
        if context.mailer is None or asked is None or reader.email is None or reader.seat in position.unattended:
            return "skipped"
        name = asker_name(db, asked, reader.language)
        fewer = unsubscribe.link(context.settings, db, row.game_id, reader.player_id, "problem")
        whom = Addressee(row.game_id, reader, fewer=fewer, apart=apart(db, reader.player_id))
    urls = MailLinks(context.settings.base_url, row.game_id, fewer=fewer)
    content = seat_request_mail(with_safe_names(position, reader.language), reader.seat, asked.seat, name, urls)
    stamp = Stamp(row.id, context.mailer.mail_from, clock.now())
    context.mailer.send(address_game_mail(content, "problem", whom, stamp))
    return "done"


def open_seat_request(db: Connection, position: Position, request: str) -> SeatRequest | None:
    """Return a request without an answer; None if it has one, or if the seat's player is back."""
    asked = lobby.read_seat_request(db, position.game.id, UUID(request))
    return None if asked is None or asked.answer or asked.seat not in position.unattended else asked


def asker_name(db: Connection, asked: SeatRequest, language: str) -> str:
    """Return the name of the asking person without links."""
    name = display_name(db.execute(_PLAYER_NAME, {"player": asked.player_id}).scalar_one(), language)
    return isolated(strip_links(name) or say(language, "somebody"))


def problem_mail(position: Position, reader: SeatRow, what: TableProblem, urls: MailLinks) -> Content:
    """Return the mail to a player who has been removed, or whose table has been called off."""
    language = reader.language
    values = {"name": isolated(player_name(reader.name, reader.language)), "title": position.ruleset.meta.title}
    if what == "called-off":
        values |= {"host": host_name(position, language), "others": _other_names(position, reader)}
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
    what: TableProblem = row.payload["what"]
    with context.games.engine.begin() as db:
        position = context.games.open(db, row.game_id)
        reader = reader_of(db, UUID(row.payload["player"]))
        if context.mailer is None or reader is None or not problem_stands(position, reader.player_id, what):
            return "skipped"
        fewer = unsubscribe.link(context.settings, db, row.game_id, reader.player_id, "problem")
        whom = Addressee(row.game_id, reader, fewer=fewer, apart=apart(db, reader.player_id))
    urls = MailLinks(context.settings.base_url, row.game_id, fewer=fewer)
    content = problem_mail(with_safe_names(position, reader.language), reader, what, urls)
    stamp = Stamp(row.id, context.mailer.mail_from, clock.now())
    context.mailer.send(address_game_mail(content, "problem", whom, stamp))
    return "done"


def problem_stands(position: Position, player: UUID, what: TableProblem) -> bool:
    """Return whether the mail is still true."""
    return what == "called-off" or position.seat_of(player) is None


def reader_of(db: Connection, player: UUID) -> SeatRow | None:
    """Return a player with an address as a seat with number -1; None without an address."""
    found: Any = db.execute(_PLAYER_WITH_ADDRESS, {"player": player}).one_or_none()
    if found is None:
        return None
    name = strip_links(found.name) or say(found.language, "somebody")
    return SeatRow(-1, player, name, found.language, found.email)


def _other_names(position: Position, reader: SeatRow) -> str:
    names = zip(position.names_in(reader.language), position.seats, strict=True)
    return listed([one_line(name) for name, seat in names if seat.player_id != reader.player_id], reader.language)


def _pace_paragraph(pace: Pace | None, language: str) -> Paragraph:
    return Paragraph(f"{say(language, 'pace')}{say(language, 'colon')} {pace_text(language, pace)}")
