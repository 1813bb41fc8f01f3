"""The mails that the local mail sink has caught, for whoever runs the house on one machine."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Final

from flask import Response
from markupsafe import Markup, escape

from service.web.answers import answer, runtime, unknown_page, visitor_language

MOST_LISTED: Final = 200
URL: Final = re.compile(r"https?://[^\s<>\"]+")


@dataclass(frozen=True, slots=True)
class Heading:
    """What the list shows of a mail; `name` is its file's name."""

    name: str
    sender: str
    recipient: str
    subject: str
    date: str


def mailbox() -> Response:
    """List the mails, newest first."""
    folder = runtime().settings.mailbox
    if folder is None:
        return unknown_page()
    mails = [_heading(path.name, _parsed(path)) for path in _newest_first(folder)[:MOST_LISTED]]
    return answer("mailbox.html", visitor_language(), mails=mails)


def mail(name: str) -> Response:
    """Show the text of one mail; its links can be followed."""
    folder = runtime().settings.mailbox
    # Only a name that the folder really holds is opened, so no name leads out of it.
    path = next((path for path in _newest_first(folder) if path.name == name), None) if folder else None
    if path is None:
        return unknown_page()
    message = _parsed(path)
    body = message.get_body(("plain",))
    text = body.get_content() if body else ""
    return answer("mail.html", visitor_language(), mail=_heading(name, message), text=Markup().join(_linked(text)))


def _newest_first(folder: Path) -> list[Path]:
    # The sink names its files by the moment of arrival.
    return sorted(folder.glob("*.eml"), reverse=True)


def _parsed(path: Path) -> EmailMessage:
    return message_from_bytes(path.read_bytes(), policy=policy.default)


def _heading(name: str, message: EmailMessage) -> Heading:
    sender, recipient, subject, date = (str(message.get(key, "")) for key in ("From", "To", "Subject", "Date"))
    return Heading(name, sender, recipient, subject, date)


def _linked(text: str) -> Iterator[Markup]:
    end = 0
    for found in URL.finditer(text):
        yield escape(text[end : found.start()])
        yield Markup('<a href="{0}" rel="noreferrer">{0}</a>').format(found.group())
        end = found.end()
    yield escape(text[end:])
