"""The mail that invites somebody to a game: who invites, to which game, and how to refuse all further invitations."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from email.headerregistry import Address
from email.message import EmailMessage
from typing import Literal
from uuid import UUID

from service.mail import game_blocks
from service.mail.blocks import Block, BoardPicture, Button, Content, Hyperlink, Paragraph, Quote, Rule, Small
from service.mail.context import MailContext
from service.mail.game_blocks import first_board
from service.mail.message import Stamp, add_identity_headers, compose_message
from service.mail.strip_links import host_name, host_of, strip_links, table_name, with_safe_names
from service.mail.unsubscribe import Fewer, with_headers
from service.shared import clock
from service.store import lobby, mail
from service.store.games import Position
from service.store.lobby import Invitation
from service.store.outbox import OutboxRow
from service.texts.catalog import count, say
from service.texts.games import full_title, in_language, pace_text
from service.texts.locales import listed
from service.texts.when import instant_text, length_text
from service.views.seen import seen
from service.views.table import spoken
from service.views.usual_length import UsualLengths, usual_lengths


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

    The time zone is the host's, because the recipient's is unknown. At an unconfirmed address the mail quotes the names
    of the host and the players, and nothing else that a player has written.
    """
    language, meta, host = whom.language, position.ruleset.meta, host_name(position, whom.language)
    table = table_name(position) if whom.known else ""
    words = strip_links(whom.words) if whom.known else ""
    seated = listed(list(with_safe_names(position, language).names_in(language)), language)
    seats = Paragraph(f"{say(language, 'invite-seated', names=seated)} {_places(position, whom)}")
    board = _board(position, whom)
    button = Button(say(language, "invite-link"), link)
    blocks: tuple[Block, ...] = (
        *([Quote(say(language, "invite-message", host=host), words)] if words else []),
        *([Paragraph(say(language, "invite-table", name=table))] if table else []),
        *game_blocks.language_note(meta, language),
        Paragraph(in_language(meta.summary, language)),
        # A running game is drawn as text, too, which is too long to stand before the link.
        *((board, button, seats) if whom.seat is None else (seats, button, board)),
        Paragraph(f"{say(language, 'invite-how')} {_length(position, whom, lengths)}".rstrip()),
        *_pace(position, language),
        Small(_until(position, whom)),
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


def _board(position: Position, whom: Invited) -> BoardPicture:
    """Return the board: as a spectator would see it now if the game is running, else as one may look in the beginning.

    Who has the link may take the seat over, and so see more.
    """
    game, language = position.game, whom.language
    if whom.seat is None:
        return first_board(position.ruleset, game.seats, game.options, spoken(position, language))
    return game_blocks.board(seen(with_safe_names(position, language), None, language), words="none")


def _places(position: Position, whom: Invited) -> str:
    """Return the sentence that says where the recipient would sit."""
    if whom.seat is not None:
        return say(whom.language, "substitute-seat", number=whom.seat + 1)
    return count(whom.language, "invite-free", position.game.seats - len(position.seats))


def _pace(position: Position, language: str) -> list[Block]:
    """Return the sentence about the pace of the game, if one is agreed on."""
    pace = position.game.terms.pace
    if pace is None:
        return []
    return [Paragraph(f"{say(language, 'pace')}{say(language, 'colon')} {pace_text(language, pace)}")]


def _until(position: Position, whom: Invited) -> str:
    """Return the sentence that says until when the invitation is valid."""
    at = instant_text(whom.language, host_of(position).time_zone, whom.until, whom.until)
    return say(whom.language, "invite-until" if whom.seat is None else "substitute-until", at=at)


def _length(position: Position, whom: Invited, lengths: UsualLengths) -> str:
    """Return the sentence that says how long a whole game takes, '' if it has begun or nothing is known."""
    game = position.game
    known = lengths.of(position.ruleset.meta, game.seats, game.options, game.terms.pace)
    if whom.seat is not None or known is None:
        return ""
    return say(whom.language, "length", length=length_text(whom.language, known))


def _is_due(position: Position, invitation: Invitation) -> bool:
    if invitation.seat is None:
        return position.game.status == "open"
    return invitation.seat in position.unattended


def send_invitation_mail(context: MailContext, row: OutboxRow) -> Literal["done", "skipped"]:
    """Send the mail of an outbox row (payload `invitation`), if the invitation is still valid.

    It is in the language of the invited player, or else in the one that the host has chosen, or in the host's own.
    Each attempt carries a link of its own and the Message-ID of the row. Raises as `Mailer.send` does.
    """
    now = clock.now()
    with context.games.engine.begin() as db:
        invitation = lobby.read_invitation(db, UUID(row.payload["invitation"]))
        position = context.games.open(db, row.game_id)
        guest = lobby.guest_of(db, invitation.id)
        due = _is_due(position, invitation) and invitation.is_good(now)
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
