"""The mail with a link to sign in."""

from __future__ import annotations

from email.headerregistry import Address
from email.message import EmailMessage

from service.handlers.sign_in import MINUTES, Asked
from service.mail.letter import letter, wrapped
from service.mail.texts import say


def sign_in_mail(asked: Asked, url: str) -> EmailMessage:
    """Return the mail, still without a stamp.

    It repeats nothing that whoever asked has written: anybody can have it sent to anybody.
    """
    language = asked.language
    parts = [
        wrapped(say(language, "sign-in-asked")),
        f"{say(language, 'sign-in-link')}\n{url}",
        wrapped(say(language, "sign-in-once", minutes=MINUTES)),
        wrapped(say(language, "sign-in-not-you")),
    ]
    return letter(Address(addr_spec=asked.email), say(language, "sign-in-title"), parts, language)
