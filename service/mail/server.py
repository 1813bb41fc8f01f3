"""The client of the outgoing SMTP server, which keeps one connection while there are mails to send."""

from __future__ import annotations

import smtplib
import ssl
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from email.message import EmailMessage
from email.utils import parseaddr
from functools import partial
from threading import Condition, Thread
from time import monotonic
from typing import Final
from urllib.parse import SplitResult, unquote, urlsplit

import structlog

from service.mail.outage import SILENT, MailOutage, failure
from service.mail.outcomes import Meaning, Stage, answered
from service.mail.pace import NotYet, SendingRate
from service.settings import TLS_TRUSTS
from service.shared import traces

TIMEOUT_SECONDS: Final = 10
TAKEN_TIMEOUT_S: Final = 30
"""Seconds for which a server may take to say that it has a mail. Whoever gives up sooner sends the mail twice, so RFC
5321 (4.5.3.2.6) asks for minutes; but the row of a mail is locked for a minute at most (workers/mail.py).
"""
MOST_MAILS: Final = 100
"""How many mails are sent over one connection at most."""
IDLE_SECONDS: Final = 2.0
"""How long an idle connection is kept."""
LOCAL: Final = ("localhost", "127.0.0.1", "::1")
"""The names of this machine."""
_RISKS: Final = {
    "any": "any certificate of the mail server is taken: mails and password go to anybody who answers in its place",
    "off": "STARTTLS is switched off: everybody on the way to the mail server can read mails and password",
}
log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Greeting:
    """How a server was reached: encrypted or not, and the end of its certificate if that was verified."""

    encrypted: bool
    certified_until: datetime | None


class NotSent(Exception):
    """The server did not accept the mail, or it is unknown whether it did.

    `meaning` says what to do, `code` is the reply code (0 without an answer), `status` the enhanced status code or '',
    `address` the recipient's, `failure` what happened to the connection, in words. The message names no address.
    """

    def __init__(self, meaning: Meaning, address: str, code: int = 0, status: str = "", failure: str = "") -> None:
        super().__init__(" ".join(filter(None, (meaning.outcome, str(code or ""), status))))
        self.meaning = meaning
        self.address = address
        self.code = code
        self.status = status
        self.failure = failure


class Mailer:
    """Sends over `smtp://` or `smtps://` with `[user:password@]host[:port]`, from the address `mail_from`.

    STARTTLS is used where the server offers it. `trust` says what its certificate has to be, as SMTP_TLS does.
    `returns` gives the envelope sender for a recipient, by default `mail_from`; `pace` is the sending rate, by default
    unlimited; `outage` is shared knowledge of the server's outages. Threads may share a mailer; they take turns.
    """

    def __init__(
        self,
        smtp_url: str,
        mail_from: str,
        returns: Callable[[str], str] | None = None,
        pace: SendingRate | None = None,
        outage: MailOutage | None = None,
        trust: str = "verify",
    ) -> None:
        """Store the addresses; the first mail connects."""
        self.mail_from = mail_from
        self.outage = outage or MailOutage()
        self._sender = parseaddr(mail_from)[1]
        self._returns = returns or (lambda _: self._sender)
        self._pace = pace
        self._trust = trust
        # Logged when it connects for the first time.
        self._risk = _RISKS.get(trust)
        self._server: SplitResult = urlsplit(smtp_url)
        self._host = self._server.hostname or "localhost"
        # Without it smtplib looks this machine up in the DNS, which can take as long as the mail itself.
        self._hostname = self._sender.rpartition("@")[2] or "localhost"
        self._free = Condition()
        self._smtp: smtplib.SMTP | None = None
        self._sent = 0
        self._used = 0.0

    def send(self, message: EmailMessage, *, at_once: bool = False) -> None:
        """Hand the message to the server; NotSent, NotYet. Another attempt has to have the same Message-ID.

        A mail that somebody waits for (`at_once`) is counted by the sending rate, and never delayed by it.
        """
        (recipient,) = message["To"].addresses
        address = str(recipient.addr_spec)
        wait = 0.0 if self._pace is None else self._pace.count(recipient.domain)
        if wait and not at_once:
            raise NotYet(wait)
        # An answer that does not arrive must not be answered (RFC 3834, 3.3).
        replied = message["Auto-Submitted"] == "auto-replied"
        try:
            with self._free, traces.span("hand mail over", "client", server__address=self._host):
                self._send(address, "" if replied else self._returns(address), message.as_bytes())
        except NotSent as refusal:
            self._note_outage(refusal)
            raise
        self._note_outage(None)

    def another(self) -> Mailer:
        """Return a mailer with a connection of its own, which does not wait for the mails of this one."""
        return Mailer(self._server.geturl(), self.mail_from, self._returns, self._pace, self.outage, self._trust)

    def close(self) -> None:
        """Close the connection, if there is one."""
        with self._free:
            self._disconnect()

    @property
    def place(self) -> str:
        """The server without user and password, as a log may name it."""
        return f"{self._host}:{self._server.port}" if self._server.port else self._host

    def greet(self) -> Greeting:
        """Connect, log in and name the sender without sending a mail.

        Raises OSError, smtplib.SMTPException, with the step that failed as a note: the greeting, EHLO, STARTTLS, ...
        """
        smtp = self._connected()
        # Empty if it was not verified.
        certificate = smtp.sock.getpeercert() if isinstance(smtp.sock, ssl.SSLSocket) else None
        try:
            with _step("MAIL FROM"):
                code, said = smtp.mail(self._sender)
                if not 200 <= code < 300:
                    raise smtplib.SMTPSenderRefused(code, said, self._sender)
            # By now it has shown that it takes mails.
            with suppress(OSError, smtplib.SMTPException):
                smtp.quit()
        finally:
            smtp.close()
        until = ssl.cert_time_to_seconds(str(certificate["notAfter"])) if certificate else None
        return Greeting(certificate is not None, None if until is None else datetime.fromtimestamp(until, UTC))

    def _note_outage(self, refusal: NotSent | None) -> None:
        """Record whether an attempt shows an outage, or its end."""
        if refusal is not None and (refusal.meaning.outcome == "outage" or refusal.failure == SILENT):
            if self.outage.note():
                log.error("mail server out of reach", server=self.place, why=refusal.failure)
        elif (refusal is None or refusal.code) and self.outage.end():
            log.warning("mail server answers again", server=self.place)

    def _send(self, address: str, sender: str, raw: bytes) -> None:
        try:
            self._deliver(address, sender, raw)
            self._sent += 1
        except BaseException:
            # The state of the session is unknown after an error.
            self._hang_up()
            raise
        finally:
            self._used = monotonic()
        if self._sent >= MOST_MAILS:
            self._disconnect()

    def _deliver(self, address: str, sender: str, raw: bytes) -> None:
        smtp = self._at_sender(address, sender)
        try:
            self._expect(address, "recipient", lambda: smtp.rcpt(address))
        except OSError as error:
            # If the server has worked until now, this recipient may be the cause.
            well = self.outage.left() is None
            raise NotSent(Meaning("again" if well else "outage"), address, failure=failure(error)) from error
        try:
            self._expect(address, "mail", partial(_hand_over, smtp, raw))
        except OSError as error:
            # The server may have accepted the mail before the connection failed.
            raise NotSent(Meaning("unknown"), address, failure=failure(error)) from error

    def _at_sender(self, address: str, sender: str) -> smtplib.SMTP:
        """Return a connection that has accepted the sender: the idle one, or a new one if that is dead."""
        for fresh in (False, True):
            old = None if fresh else self._smtp
            try:
                smtp = old or self._connect()
                self._expect(address, "sender", partial(smtp.mail, sender))
                return smtp
            except smtplib.SMTPResponseException as error:
                raise NotSent(*_meaning("hello", address, error)) from error
            except (OSError, smtplib.SMTPException) as error:
                self._hang_up()
                if old is None:
                    raise NotSent(Meaning("outage"), address, failure=failure(error)) from error
        raise AssertionError("unreachable")

    def _expect(self, address: str, stage: Stage, ask: Callable[[], tuple[int, bytes]]) -> None:
        try:
            code, words = ask()
        except smtplib.SMTPDataError as refusal:
            code, words = refusal.smtp_code, _bytes(refusal.smtp_error)
        if not 200 <= code < 300:
            said, status = answered(stage, code, words.decode("ascii", "replace"))
            raise NotSent(said, address, code, status)

    def _connect(self) -> smtplib.SMTP:
        if self._risk is not None:
            log.warning(self._risk, server=self.place)
            self._risk = None
        self._smtp, self._sent = self._connected(), 0
        Thread(target=self._close_when_idle, args=(self._smtp,), name="mailer", daemon=True).start()
        return self._smtp

    def _connected(self) -> smtplib.SMTP:
        server = self._server
        with _step("the greeting"):
            smtp = self._opened(self._host)
        try:
            with _step("EHLO"):
                smtp.ehlo()
            if server.scheme == "smtp" and self._trust != "off" and smtp.has_extn("starttls"):
                with _step("STARTTLS"):
                    smtp.starttls(context=self._context())
                    smtp.ehlo()
            if server.username:
                with _step("AUTH"):
                    smtp.login(unquote(server.username), unquote(server.password or ""))
        except BaseException:
            smtp.close()
            raise
        return smtp

    def _opened(self, host: str) -> smtplib.SMTP:
        server = self._server
        if server.scheme == "smtps":
            port, context = server.port or smtplib.SMTP_SSL_PORT, self._context()
            return smtplib.SMTP_SSL(host, port, self._hostname, timeout=TIMEOUT_SECONDS, context=context)
        return smtplib.SMTP(host, server.port or smtplib.SMTP_PORT, self._hostname, timeout=TIMEOUT_SECONDS)

    def _context(self) -> ssl.SSLContext:
        if self._trust not in TLS_TRUSTS:
            return ssl.create_default_context(cafile=self._trust)
        context = ssl.create_default_context()
        # A local server usually has a self-signed certificate in the name of the machine.
        if self._trust == "any" or self._host in LOCAL:
            context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        return context

    def _disconnect(self) -> None:
        if self._smtp is not None:
            with suppress(OSError, smtplib.SMTPException):
                self._smtp.quit()
        self._hang_up()

    def _hang_up(self) -> None:
        if self._smtp is not None:
            self._smtp.close()
        self._smtp = None
        self._free.notify_all()

    def _close_when_idle(self, mine: smtplib.SMTP) -> None:
        with self._free:
            while self._smtp is mine:
                left = self._used + IDLE_SECONDS - monotonic()
                if left <= 0:
                    self._disconnect()
                else:
                    self._free.wait(left)


@contextmanager
def _step(name: str) -> Iterator[None]:
    """Note the step of the session at an error that comes out of the block."""
    try:
        yield
    except (OSError, smtplib.SMTPException) as error:
        error.add_note(name)
        raise


def _hand_over(smtp: smtplib.SMTP, raw: bytes) -> tuple[int, bytes]:
    assert smtp.sock is not None  # noqa: S101 # for the type checker: the server has just answered
    smtp.sock.settimeout(TAKEN_TIMEOUT_S)
    answer = smtp.data(raw)
    smtp.sock.settimeout(TIMEOUT_SECONDS)
    return answer


def _bytes(words: bytes | str) -> bytes:
    return words if isinstance(words, bytes) else words.encode()


def _meaning(stage: Stage, address: str, error: smtplib.SMTPResponseException) -> tuple[Meaning, str, int, str, str]:
    said, status = answered(stage, error.smtp_code, _bytes(error.smtp_error).decode("ascii", "replace"))
    return said, address, error.smtp_code, status, failure(error)
