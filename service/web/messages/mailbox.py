"""Mail on this machine: the local mail sink, shown to loopback addresses, and the webhook of a mail provider."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import make_msgid
from hmac import compare_digest
from pathlib import Path
from typing import Final

from flask import Response, make_response, request
from markupsafe import Markup, escape
from werkzeug.exceptions import RequestEntityTooLarge

from service.inbound.headers import IncomingMail, address, read
from service.inbound.ingest import LARGEST, Envelope, Taken, has_form, ingest
from service.mail.header_policy import POLICY
from service.mail.smtp import NotSent
from service.web.blueprint import web
from service.web.local_time import shown_moment
from service.web.page import current_runtime, local_mailbox, render, unknown_page
from service.web.session import current_visitor, is_cross_site, language

MAX_LISTED: Final = 200
MAX_REPLY_LENGTH: Final = 10_000
URL: Final = re.compile(r"https?://[^\s<>\"]+")
PAGE_POLICY: Final = (
    "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self' data:; manifest-src 'self'; "
    "frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""Content-Security-Policy of all pages, plus the frame with the HTML mail."""
MAIL_POLICY: Final = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; frame-ancestors 'self'; "
    "sandbox allow-top-navigation-by-user-activation"
)
"""Policy of a mail, which has inline styles. Scripts and forms are disabled, as in a mail program."""


@dataclass(frozen=True, slots=True)
class MailHeading:
    """Headers of a mail in the list; `name` is the name of its file."""

    name: str
    sender: str
    recipient: str
    subject: str
    date: datetime | None


@web.get("/mailbox")
def list_mails() -> Response:
    """List the mails, newest first."""
    folder = local_mailbox()
    if folder is None:
        return unknown_page()
    mails = [_heading(path.name, _parsed(path)) for path in _newest_first(folder)[:MAX_LISTED]]
    return render("messages/mailbox.html", language(), mails=mails, moment=_moment)


@web.get("/mailbox/<name>")
def show_mail(name: str) -> Response:
    """Show a mail as HTML and as text, with working links, and with a form if the mail can be answered."""
    message = _kept(name)
    return unknown_page() if message is None else _mail_page(name, message)


@web.get("/mailbox/<name>/html")
def show_mail_html(name: str) -> Response:
    """Show the HTML part of a mail, for the frame of its page; 404 if there is none."""
    message = _kept(name)
    part = message.get_body(("html",)) if message else None
    if message is None or part is None:
        return unknown_page()
    # Links open outside the frame.
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
    """Send the `text` of the form as a reply, from the recipient of the mail to its Reply-To."""
    message, mailer = _kept(name), current_runtime().mailer
    if message is None or mailer is None or not _answerable(message):
        return unknown_page()
    if is_cross_site():
        return render("notice.html", language(), 403, notice="form-refused")
    try:
        mailer.send(_reply(message, request.form.get("text", "")[:MAX_REPLY_LENGTH]), at_once=True)
    except NotSent:
        return _mail_page(name, message, 503, "mailbox-reply-refused")
    return _mail_page(name, message, 200, "mailbox-reply-sent")


def _mail_page(name: str, message: EmailMessage, status: int = 200, notice: str | None = None) -> Response:
    body = message.get_body(("plain",))
    text = Markup().join(_linked(body.get_content() if body else ""))
    shown = {"mail": _heading(name, message), "text": text, "answerable": _answerable(message), "notice": notice}
    framed = message.get_body(("html",)) is not None
    response = render(
        "messages/mail.html", language(), status, action=request.path, framed=framed, moment=_moment, **shown
    )
    response.headers["Content-Security-Policy"] = PAGE_POLICY
    return response


def _kept(name: str) -> EmailMessage | None:
    folder = local_mailbox()
    # Only a name found in the folder is opened, against path traversal.
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
    # The sink names its files by time of arrival.
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


# Webhook of the operator's mail provider; not part of the documented API.

SECRET: Final = "X-Inbound-Secret"  # noqa: S105 - the name of a header
MAX_RECIPIENTS: Final = 10
_CODES: Final[dict[Taken, int]] = {"too-large": 413, "unknown-address": 422}


@web.post("/inbound/mail")
def receive_mail() -> Response:
    """Receive the mail in the body (message/rfc822), for each `recipient` of the query, or else of its headers.

    Answers 204 if the mail is stored, or was stored before. After 503 the provider has to deliver the mail again.
    """
    settings = current_runtime().settings
    if settings.inbound_secret is None or not settings.mail_keys:
        return unknown_page()
    if not compare_digest(request.headers.get(SECRET, "").encode(), settings.inbound_secret.encode()):
        return _text(401, f"{SECRET} is not the secret that INBOUND_SECRET names.")
    if request.mimetype != "message/rfc822":
        return _text(415, "Send the mail itself, as message/rfc822.")
    request.max_content_length = LARGEST
    try:
        raw = request.get_data()
    except RequestEntityTooLarge:
        return _text(413, f"A mail has at most {LARGEST} bytes. Send it again without attachments and pictures.")
    letter = read(raw)
    taken = [ingest(current_runtime(), Envelope(_sender(letter), each), raw) for each in _recipients(letter)]
    if any(each not in _CODES for each in taken):
        return _text(204, "")
    return _text(_CODES[taken[0]] if taken else 422, "The mail is for none of our addresses.")


def _sender(letter: IncomingMail) -> str:
    """Return the envelope sender (the address for bounces); empty if there is none."""
    named = request.args.get("sender")
    back = letter.every("return-path")
    return named if named is not None else back[0].strip("<> ") if back else letter.sender or ""


def _recipients(letter: IncomingMail) -> list[str]:
    named = request.args.getlist("recipient")
    if not named:
        headers = ("delivered-to", "x-original-to", "to", "cc")
        lists = [value.split(",") for header in headers for value in letter.every(header)]
        named = [recipient for each in lists for part in each if (recipient := address(part))]
    return [each for each in dict.fromkeys(named) if has_form(each)][:MAX_RECIPIENTS]


def _text(status: int, words: str) -> Response:
    response = make_response(f"{words}\n" if words else "", status)
    response.mimetype = "text/plain"
    return response
