"""Checks the mail server that takes the mails of the service: whether it does, and how sure its certificate is."""

from __future__ import annotations

import smtplib
import ssl
from datetime import timedelta
from typing import Final, Literal
from urllib.parse import urlsplit

from service.mail.outage import SILENT, failure
from service.mail.server import LOCAL, TIMEOUT_SECONDS, Greeting, Mailer
from service.shared import clock

SOON: Final = timedelta(days=14)
"""A certificate that ends earlier than that should have been renewed."""
Found = tuple[Literal["ok", "warn", "fail"], str, str]
"""The result, what was found, and what to do."""
_ADVICE: Final = "Look at SMTP_URL: its host and port, its user and password, and the server's certificate."


def look_at_server(smtp_url: str, mail_from: str, trust: str) -> Found:
    """Return what is found when the server is greeted; `trust` is as SMTP_TLS has it."""
    try:
        greeting = Mailer(smtp_url, mail_from, trust=trust).greet()
    except smtplib.SMTPAuthenticationError as refusal:
        return "fail", f"refuses the login with {refusal.smtp_code}", _ADVICE
    except ssl.SSLCertVerificationError as error:
        todo = "Name the server in SMTP_URL as its certificate does, or the file of its own certificate in SMTP_TLS."
        return "fail", f"cannot be used, its certificate is refused: {error.verify_message}", todo
    except smtplib.SMTPSenderRefused as refusal:
        todo = "Set MAIL_FROM to an address that the server lets this account send from."
        return "fail", f"refuses the sender of MAIL_FROM with {refusal.smtp_code}", todo
    except (smtplib.SMTPException, OSError) as error:
        return _of_failure(error)
    return _of_greeting(greeting, near=urlsplit(smtp_url).hostname in LOCAL)


def _of_failure(error: OSError | smtplib.SMTPException) -> Found:
    step = next(iter(getattr(error, "__notes__", ())), "the greeting")
    if isinstance(error, TimeoutError) and step == "the greeting" and "handshake" not in str(error):
        todo = "Look at host and port in SMTP_URL, at a firewall between, and whether the server runs."
        return "fail", f"takes no connection within {TIMEOUT_SECONDS} s", todo
    if failure(error) == SILENT:
        todo = (
            "User and password are not the matter: look at the mail server itself, at its load, its disks and its log."
        )
        return "fail", f"hangs: it takes the connection and says nothing for {TIMEOUT_SECONDS} s at {step}", todo
    if isinstance(error, smtplib.SMTPServerDisconnected):
        return "fail", f"hangs up at {step}", "Look at its log, and whether SMTP_URL has to be smtps:// or smtp://."
    return "fail", f"cannot be used: {getattr(error, 'strerror', None) or failure(error)}", _ADVICE


def _of_greeting(greeting: Greeting, *, near: bool) -> Found:
    if greeting.certified_until is not None:
        left = greeting.certified_until - clock.now()
        said = f"takes mails, encrypted, with a certificate that is good for {left.days} days"
        return ("ok", said, "") if left >= SOON else ("warn", said, "Have the certificate renewed.")
    if near:
        return "ok", "takes mails" + (", encrypted" if greeting.encrypted else ", on this machine"), ""
    if greeting.encrypted:
        todo = "Set SMTP_TLS to verify, or to the file of the server's own certificate."
        return "warn", "takes mails, encrypted, but any certificate is taken", todo
    return "warn", "takes mails, but not encrypted", "Use smtps://, or switch STARTTLS on there and SMTP_TLS to verify."
