"""Invites by mail: a stranger learns who asks, and to what, and how never to be asked again."""

from __future__ import annotations

import re
import unicodedata
from datetime import datetime
from email.headerregistry import Address
from email.message import EmailMessage
from typing import Final, Literal
from uuid import UUID

from service import clock
from service.mail.letter import Stamp, letter, sealed, wrapped
from service.mail.send import House
from service.mail.texts import moment, say
from service.store import invitations
from service.store.games import Position, SeatRow
from service.store.outbox import OutboxRow

_ADDRESSES: Final = re.compile(r"\S*(://|www\.)\S*|(?<=\S)[.](?=\S)|@", re.IGNORECASE)


def harmless(name: str) -> str:
    """Return a name as it may stand in a mail to a stranger: nothing in it can be followed or written to."""
    return " ".join(_ADDRESSES.sub(" ", unicodedata.normalize("NFKC", name).replace("\u3002", ".")).split())


def host_of(position: Position) -> SeatRow:
    """Return the seat of the host."""
    return next(seat for seat in position.seats if seat.player_id == position.game.host)


def host_name(position: Position, language: str) -> str:
    """Return the host's name for strangers."""
    return harmless(host_of(position).name) or say(language, "somebody")


def invitation_mail(position: Position, language: str, until: datetime, address: str, link: str) -> EmailMessage:
    """Return the mail that invites an address to an open game, still without a stamp; `link` is the page's URL."""
    title, host = position.ruleset.meta.title, host_name(position, language)
    table = harmless(position.game.terms.name or "")
    seated = ", ".join(harmless(name) or say(language, "somebody") for name in position.names_in(language))
    free = position.game.seats - len(position.seats)
    parts = [
        wrapped(say(language, "invite-greeting", host=host, title=title)),
        *([wrapped(say(language, "invite-table", name=table))] if table else []),
        wrapped(say(language, "invite-seated", names=seated, free=free)),
        wrapped(say(language, "invite-how")),
        f"{say(language, 'invite-link')}\n{link}",
        wrapped(say(language, "invite-until", at=moment(until))),
        f"{wrapped(say(language, 'invite-never'))}\n{link}/never",
    ]
    subject = say(language, "invite-subject", host=host, title=title)
    message = letter(Address(addr_spec=address), subject, parts, language)
    message["List-Unsubscribe"] = f"<{link}/never>"
    message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    return message


def send_invitation_mail(house: House, row: OutboxRow) -> Literal["done", "skipped"]:
    """Send the mail of an outbox row (payload `invitation`), if it is still good and its address wants such mails.

    It is in the language of the host, or of the player whom it is for. Each attempt carries a link of its own and the
    Message-ID of the row. Raises as `Mailer.send` does.
    """
    now = clock.now()
    with house.games.engine.begin() as db:
        invitation = invitations.read(db, UUID(row.payload["invitation"]))
        position = house.games.open(db, row.game_id)
        guest = invitations.guest_of(db, invitation.id)
        due = position.game.status == "open" and invitation.is_good(now)
        if house.mailer is None or guest.address is None or not due or invitations.is_refused(db, guest.address):
            return "skipped"
        token = invitations.new_token()
        invitations.add_link(db, invitation.id, token)
    language = guest.language or host_of(position).language
    link = f"{house.settings.base_url}/join/{token}"
    message = invitation_mail(position, language, invitation.expires_at, guest.address, link)
    house.mailer.send(sealed(message, Stamp(row.id, house.mailer.mail_from, now), row.game_id))
    return "done"
