"""The endpoint at which a mail provider delivers mails by HTTP.

It is not part of the documented API: only the mail provider of the operator calls it.
"""

from __future__ import annotations

from hmac import compare_digest
from typing import Final

from flask import Response, make_response, request
from werkzeug.exceptions import RequestEntityTooLarge

from service.inbound.headers import IncomingMail, read
from service.inbound.ingest import LARGEST, Envelope, Taken, has_form, ingest
from service.inbound.structured import address
from service.web.blueprint import web
from service.web.page import current_runtime, unknown_page

SECRET: Final = "X-Inbound-Secret"  # noqa: S105 - the name of a header
MOST_RECIPIENTS: Final = 10
_CODES: Final[dict[Taken, int]] = {"too-large": 413, "unknown-address": 422}


@web.post("/inbound/mail")
def receive_mail() -> Response:
    """Receive the mail in the body (message/rfc822), for each `recipient` of the query, or else of its headers.

    Answers 204 if the mail is stored, or was before. After 503 the provider has to deliver it again.
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
    """Return the address to which a bounce would go; empty if there is none."""
    named = request.args.get("sender")
    back = letter.every("return-path")
    return named if named is not None else back[0].strip("<> ") if back else letter.sender or ""


def _recipients(letter: IncomingMail) -> list[str]:
    named = request.args.getlist("recipient")
    if not named:
        headers = ("delivered-to", "x-original-to", "to", "cc")
        lists = [value.split(",") for header in headers for value in letter.every(header)]
        named = [recipient for each in lists for part in each if (recipient := address(part))]
    return [each for each in dict.fromkeys(named) if has_form(each)][:MOST_RECIPIENTS]


def _text(status: int, words: str) -> Response:
    response = make_response(f"{words}\n" if words else "", status)
    response.mimetype = "text/plain"
    return response
