"""Inbox: receive answers to our mails, and bounces, in a separate process.

It speaks LMTP or SMTP to one's own mail server, which has done all checks. Never put it on the internet itself.
"""

from __future__ import annotations

import asyncio
import ipaddress
import sys
from collections.abc import Callable, Mapping
from email.utils import parseaddr
from threading import Event
from typing import Any, Final, TypeVar

import structlog
from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Session
from aiosmtpd.smtp import Envelope as Delivery

from service.handlers.refusals import Unavailable
from service.inbound.ingest import LARGEST, Envelope, Taken, has_form, ingest, knows
from service.inbound.listener import GREETING_NAME, LISTEN_RETRY_S, TOO_LARGE, MailListener, listen_refusal, place_of
from service.runtime import Runtime
from service.settings import Settings, ended_by_bad_settings
from service.shared.error_class import error_class
from service.store.heartbeats import EVERY
from workers.begin import begin_part
from workers.drain import SIGNAL_POLL_S, run_until_signal

LATER: Final = "451 4.3.0 not at the moment, please try again"
UNKNOWN: Final = "550 5.1.1 there is no such address here"
UNREAD: Final = (
    "550 5.7.1 nobody reads mail to this address: answer the mail of your game with Reply, which writes to its "
    "Reply-To address, or play by its links"
)
_SAYS: Final[Mapping[Taken, str]] = {
    "stored": "250 2.0.0 taken in",
    "known": "250 2.0.0 taken in before",
    "bounce": "250 2.0.0 taken in",
    "unknown-address": UNKNOWN,
    "too-large": TOO_LARGE,
}
Answer = TypeVar("Answer")
log = structlog.get_logger()


class Inbox(MailListener):
    """Mail server that takes in mail for the service, and answers 250 only for stored mail."""

    name = GREETING_NAME

    def __init__(self, runtime: Runtime, listen: str) -> None:
        """Take the runtime, and the address to listen on."""
        super().__init__(listen, LARGEST)
        self._runtime = runtime
        self._place = listen
        self._over = Event()

    def begin(self, part: str) -> None:
        """Send heartbeats from now on, under the name of the part."""
        self._runtime.heart.begin(part)

    def run(self) -> None:
        """Take mails in until stopped. If it cannot listen, log the reason, send no heartbeats, and retry."""
        while not self._over.is_set():
            try:
                self._listen_until_stopped()
            except OSError as refusal:
                reason = listen_refusal(self._place, refusal)
                log.error("the inbox cannot listen, and tries again", at=place_of(self._place), reason=reason)
                self._over.wait(LISTEN_RETRY_S)

    def _listen_until_stopped(self) -> None:
        with self:
            log.info("the inbox listens", at=self.url)
            self.repeat(lambda: _aside(self._runtime.heart.beat), EVERY)
            while not self._over.wait(SIGNAL_POLL_S):
                pass

    def stop(self, *_signal: Any) -> None:
        """Make `run` return after the mails in hand; a signal handler."""
        self._over.set()

    async def handle_RCPT(  # noqa: N802 - aiosmtpd's name
        self, server: SMTP, session: Session, envelope: Delivery, address: str, options: list[str]
    ) -> str:
        """Accept or refuse a recipient; called by the server."""
        if not has_form(address):
            ours = parseaddr(self._runtime.settings.mail_from)[1]
            return UNREAD if address.lower() == ours.lower() else UNKNOWN
        try:
            if not await _aside(lambda: knows(self._runtime, address)):
                return UNKNOWN
        except Unavailable:
            return LATER
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Delivery) -> str:  # noqa: N802 - aiosmtpd's name
        """Take a mail in for each of its recipients; called by the server."""
        content = envelope.content or b""
        raw = content.encode() if isinstance(content, str) else content
        own = _is_loopback(session.peer) and self._runtime.settings.mailbox is not None
        answers = [await self._take(Envelope(envelope.mail_from or "", each, own), raw) for each in envelope.rcpt_tos]
        if isinstance(server, LMTP):
            # One answer for each recipient (RFC 2033, 4.2).
            return "\r\n".join(answers)
        # A repetition is harmless for recipients who have the mail.
        return max(answers)

    async def _take(self, envelope: Envelope, raw: bytes) -> str:
        if self._runtime.mode.read_only:
            return LATER
        try:
            taken = await _aside(lambda: ingest(self._runtime, envelope, raw))
        except Exception as error:
            # After any error the mail must come again. Log only the class: a message may quote the mail.
            log.warning("mail not taken in", error=error_class(error))
            return LATER
        log.info("mail came in", outcome=taken)
        return _SAYS[taken]


async def _aside(question: Callable[[], Answer]) -> Answer:
    """Run a blocking function in a thread, and return its result."""
    return await asyncio.get_running_loop().run_in_executor(None, question)


def _is_loopback(peer: Any) -> bool:
    try:
        return ipaddress.ip_address(peer[0]).is_loopback
    except (ValueError, TypeError, IndexError):
        return False


def address_of(settings: Settings) -> str:
    """Return the address for an inbox to listen on; SystemExit if the settings have none."""
    if settings.inbound_listen is None or not settings.mail_keys:
        sys.exit("workers.inbox needs INBOUND_LISTEN, such as lmtp://127.0.0.1:8024, and MAIL_KEY")
    return settings.inbound_listen


def open_inbox(runtime: Runtime) -> Inbox:
    """Return the inbox of the settings; SystemExit if they have none."""
    return Inbox(runtime, address_of(runtime.settings))


@ended_by_bad_settings()
def main() -> None:
    """Take mails in until SIGTERM or SIGINT."""
    settings = Settings.from_env()
    begin_part(settings, settings.part or "inbox")
    runtime = Runtime.build(settings)
    runtime.mode.watch()
    run_until_signal(open_inbox(runtime), settings.part or "inbox")


if __name__ == "__main__":
    main()
