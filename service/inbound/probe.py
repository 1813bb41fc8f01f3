"""Ask the server at the address of INBOUND_LISTEN whether it is the inbox of this service."""

from __future__ import annotations

import smtplib
from urllib.parse import urlsplit

from service.inbound.listener import GREETING_NAME
from service.mail import envelope_sender
from service.settings import Settings
from service.shared import clock


def is_our_inbox(settings: Settings, listen: str, seconds: float) -> bool:
    """Return whether the listener at the address is an inbox that accepts addresses issued by this service.

    No mail is sent. OSError if nobody answers within `seconds` seconds, or not in LMTP or SMTP.
    """
    where = urlsplit(listen)
    kind = smtplib.LMTP if where.scheme == "lmtp" else smtplib.SMTP
    server = kind(timeout=seconds)
    try:
        _, greeting = server.connect(where.hostname or "", where.port or 0)
        if GREETING_NAME.encode() not in greeting:
            return False
        server.ehlo()
        server.mail("")
        return server.rcpt(envelope_sender.bounce_address(settings, "nobody@localhost", clock.now()))[0] == 250
    finally:
        server.close()
