"""The mail by which a player sees whether mails arrive."""

from __future__ import annotations

from email.headerregistry import Address
from typing import Literal
from uuid import UUID

from sqlalchemy import text

from service import clock
from service.mail.blocks import Paragraph
from service.mail.compose import problem_mail
from service.mail.letter import Stamp, letter, sealed
from service.mail.send import House
from service.mail.texts import say
from service.store.outbox import OutboxRow

_PLAYER = text("select name, email, language from player where id = :player and email is not null")


def send_trial_mail(house: House, row: OutboxRow) -> Literal["done", "skipped"]:
    """Send the mail of an outbox row (payload `player`), which says that mails arrive. Raises as `Mailer.send` does."""
    with house.games.engine.connect() as db:
        player = db.execute(_PLAYER, {"player": UUID(row.payload["player"])}).one_or_none()
    if house.mailer is None or player is None:
        return "skipped"
    recipient, language = Address(" ".join(player.name.split()), addr_spec=player.email), player.language
    sentences = (Paragraph(say(language, "trial-arrived")), Paragraph(say(language, "trial-go-on")))
    message = letter(
        recipient, problem_mail(player.name, language, say(language, "trial-subject"), sentences), "problem"
    )
    stamp = Stamp(row.id, house.mailer.mail_from, clock.now())
    house.mailer.send(sealed(message, stamp, "problem", row.payload["player"]))
    return "done"
