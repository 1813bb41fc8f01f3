"""The mail with a link to sign in."""

from __future__ import annotations

from email.headerregistry import Address
from email.message import EmailMessage

from service.handlers.sign_in import MINUTES, SignInRequest
from service.mail.blocks import Button, Content, Paragraph, Small
from service.mail.message import compose_message
from service.texts.catalog import say


def sign_in_mail(asked: SignInRequest, url: str) -> EmailMessage:
    """Return the mail, without sender, date and Message-ID.

    It quotes nothing from the request, because anybody can request it for any address.
    """
    language = asked.language
    blocks = (
        Paragraph(say(language, "sign-in-asked")),
        Button(say(language, "sign-in-button"), url),
        Paragraph(say(language, "sign-in-once")),
        Small(say(language, "sign-in-not-you")),
    )
    content = Content(language, say(language, "sign-in-title"), say(language, "sign-in-link", minutes=MINUTES), blocks)
    return compose_message(Address(addr_spec=asked.email), content)
