"""The mail to whoever runs the house: as long as it comes every day, mails leave."""

from __future__ import annotations

from email.headerregistry import Address
from typing import Final, Literal

from service.mail.blocks import Content, Paragraph
from service.mail.house import MailContext
from service.mail.letter import Stamp, letter, sealed
from service.shared import clock
from service.store.outbox import OutboxRow

# In the language of the log and of the commands, which is what its reader works with.
_LANGUAGE: Final = "en"
_SUBJECT: Final = "Mails leave Boardroom"
_TODO: Final = "One like it leaves once a day. When none comes, run `boardroom doctor`: it says what is wrong."


def send_canary(house: MailContext, row: OutboxRow) -> Literal["done", "skipped"]:
    """Send the mail of an outbox row (payload `day`), if it is known to whom. Raises as `Mailer.send` does."""
    operator, mailer = house.settings.operator_email, house.mailer
    if mailer is None or operator is None:
        return "skipped"
    said = f"This is the mail of {row.payload['day']} from Boardroom at {house.settings.base_url}."
    content = Content(_LANGUAGE, _SUBJECT, said, (Paragraph(said), Paragraph(_TODO)))
    stamp = Stamp(row.id, mailer.mail_from, clock.now())
    mailer.send(sealed(letter(Address(addr_spec=operator), content), stamp, "canary", row.dedupe_key))
    return "done"
