"""The mails in the local mail sink, shown only on the machine on which the server runs."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import make_msgid
from pathlib import Path
from typing import Final

from flask import Response, make_response, request
from markupsafe import Markup, escape

from service.mail.policy import POLICY
from service.mail.server import NotSent
from service.web.blueprint import web
from service.web.hosts import local_mailbox
from service.web.local_time import shown_moment
from service.web.page import current_runtime, render, unknown_page
from service.web.session import current_visitor, is_cross_site, language

MOST_LISTED: Final = 200
LONGEST_REPLY: Final = 10_000
URL: Final = re.compile(r"https?://[^\s<>\"]+")
PAGE_POLICY: Final = (
    "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self' data:; manifest-src 'self'; "
    "frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""The policy of all pages, which allows here the frame with the mail as its reader sees it."""
MAIL_POLICY: Final = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; frame-ancestors 'self'; "
    "sandbox allow-top-navigation-by-user-activation"
)
"""Mails carry their styles on their elements. Scripts and forms in them do nothing, as in a mail program."""


@dataclass(frozen=True, slots=True)
class MailHeading:
    """What the list shows of a mail; `name` is the name of its file."""

    name: str
    sender: str
    recipient: str
    subject: str
    date: datetime | None


@web.get("/mailbox")
def list_mails() -> Response:
    """List the mails, the newest first."""
    folder = local_mailbox()
    if folder is None:
        return unknown_page()
    mails = [_heading(path.name, _parsed(path)) for path in _newest_first(folder)[:MOST_LISTED]]
    return render("mailbox.html", language(), mails=mails, moment=_moment)


@web.get("/mailbox/<name>")
def show_mail(name: str) -> Response:
    """Show one mail as HTML and as text, with working links, and with a form if it can be answered."""
    message = _kept(name)
    return unknown_page() if message is None else _mail_page(name, message)


@web.get("/mailbox/<name>/html")
def show_mail_html(name: str) -> Response:
    """Show the HTML part of a mail as its reader sees it, for the frame of its page; 404 if it has none."""
    message = _kept(name)
    part = message.get_body(("html",)) if message else None
    if message is None or part is None:
        return unknown_page()
    # Its links lead out of the frame.
    html = part.get_content().replace("<head>", '<head><base target="_top">', 1)
    for picture in message.walk():
        if picture.get_content_maintype() == "image" and "Content-ID" in picture:
            place = f"cid:{str(picture['Content-ID']).strip('<> ')}"
            data = b64encode(picture.get_content()).decode()
            html = html.replace(place, f"data:{picture.get_content_type()};base64,{data}")
    response = make_response(html)
    response.headers["Content-Security-Policy"] = MAIL_POLICY
    response.headers["X-Frame-Options"] = "SAMEORIGIN"
    return response


@web.post("/mailbox/<name>")
def answer_mail(name: str) -> Response:
    """Send the `text` of the form as a reply: from the recipient of the mail shown to its Reply-To."""
    message, mailer = _kept(name), current_runtime().mailer
    if message is None or mailer is None or not _answerable(message):
        return unknown_page()
    if is_cross_site():
        return render("notice.html", language(), 403, notice="form-refused")
    try:
        mailer.send(_reply(message, request.form.get("text", "")[:LONGEST_REPLY]), at_once=True)
    except NotSent:
        return _mail_page(name, message, 503, "mailbox-reply-refused")
    return _mail_page(name, message, 200, "mailbox-reply-sent")


def _mail_page(name: str, message: EmailMessage, status: int = 200, notice: str | None = None) -> Response:
    body = message.get_body(("plain",))
    text = Markup().join(_linked(body.get_content() if body else ""))
    shown = {"mail": _heading(name, message), "text": text, "answerable": _answerable(message), "notice": notice}
    framed = message.get_body(("html",)) is not None
    response = render("mail.html", language(), status, action=request.path, framed=framed, moment=_moment, **shown)
    response.headers["Content-Security-Policy"] = PAGE_POLICY
    return response


def _kept(name: str) -> EmailMessage | None:
    folder = local_mailbox()
    # Only a name that the folder really holds is opened, so no name leads out of it.
    path = next((path for path in _newest_first(folder) if path.name == name), None) if folder else None
    return None if path is None else _parsed(path)


def _answerable(message: EmailMessage) -> bool:
    return all(len(message[each].addresses) == 1 if message[each] else False for each in ("To", "Reply-To"))


def _reply(message: EmailMessage, text: str) -> EmailMessage:
    reply = EmailMessage(policy=POLICY)
    reply["From"] = message["To"].addresses[0]
    reply["To"] = message["Reply-To"].addresses[0]
    reply["Subject"] = f"Re: {message['Subject']}"
    reply["In-Reply-To"] = message["Message-ID"]
    reply["Message-ID"] = make_msgid(domain="mailbox.invalid")
    reply.set_content(text)
    return reply


def _newest_first(folder: Path) -> list[Path]:
    # The sink names its files by the moment of arrival.
    return sorted(folder.glob("*.eml"), reverse=True)


def _parsed(path: Path) -> EmailMessage:
    return message_from_bytes(path.read_bytes(), policy=policy.default)


def _heading(name: str, message: EmailMessage) -> MailHeading:
    sender, recipient, subject = (str(message.get(key, "")) for key in ("From", "To", "Subject"))
    return MailHeading(name, sender, recipient, subject, getattr(message["Date"], "datetime", None))


def _moment(at: datetime) -> Markup:
    visitor = current_visitor()
    return shown_moment(at, language(), "UTC" if visitor is None else visitor.time_zone)


def _linked(text: str) -> Iterator[Markup]:
    end = 0
    for match in URL.finditer(text):
        yield escape(text[end : match.start()])
        yield Markup('<a href="{0}" rel="noreferrer">{0}</a>').format(match.group())
        end = match.end()
    yield escape(text[end:])
