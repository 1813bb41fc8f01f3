"""Client of the outgoing SMTP server, its outages and the sending rate.

The client keeps one connection while there are mails to send. After a failure the server is tried again at growing
intervals, by one process at a time. Mails above the sending rate wait.
"""

from __future__ import annotations

import smtplib
import socket
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
from redis import Redis, RedisError

from service.mail.smtp_replies import Meaning, Stage, reply_meaning
from service.settings import TLS_TRUSTS
from service.shared import clock, traces
from service.shared.circuit_breaker import CircuitBreaker
from service.shared.counters import Counters

SMTP_TIMEOUT_S: Final = 10
DATA_TIMEOUT_S: Final = 30
"""Seconds that a server may take to confirm a mail. A client that gives up sooner sends the mail twice, so RFC 5321
(4.5.3.2.6) asks for minutes; but the row of a mail is locked for a minute at most (workers/mail.py).
"""
MAX_MAILS_PER_CONNECTION: Final = 100
IDLE_TIMEOUT_S: Final = 2.0
LOCAL_HOSTS: Final = ("localhost", "127.0.0.1", "::1")
_TRUST_WARNINGS: Final = {
    "any": "any certificate of the mail server is taken: mails and password go to anybody who answers in its place",
    "off": "STARTTLS is switched off: everybody on the way to the mail server can read mails and password",
}
FIRST_RETRY_S: Final = 2.0
"""Seconds until the first retry. Each further interval is twice as long."""
MAX_RETRY_S: Final = 60.0
SILENT: Final = "it does not answer in time"
_OUTAGE_KEY: Final = "boardroom:mail:outage"
_OUTAGE_MEMORY_S: Final = 300
"""Seconds after an interval for which Redis keeps the outage; then the next mail finds out."""
MINUTE_S: Final = 60
_ALL_DOMAINS: Final = "all"
log = structlog.get_logger()


class MailOutage:
    """Outage of the mail server, shared by all processes with the same Redis.

    Never fails: without Redis, each process knows its own attempts only.
    """

    def __init__(self, redis: Redis | None = None) -> None:
        self._redis = redis
        self._own = CircuitBreaker(FIRST_RETRY_S, MAX_RETRY_S)

    def left(self) -> float | None:
        """Return the seconds until the next try, 0 to try now, None without an outage."""
        if self._redis is not None:
            try:
                known = int(self._redis.pttl(_OUTAGE_KEY)) / 1000
            except RedisError:
                pass
            else:
                if known > 0:
                    return max(0.0, known - _OUTAGE_MEMORY_S)
                # Another process has delivered a mail, or Redis was emptied: the next mail finds out.
                self._own.reset()
        return self._own.left if self._own.blown else None

    def note(self) -> bool:
        """Record a failed attempt; return whether the outage is new."""
        before = self.left()
        pause = self._own.trip()
        if self._redis is not None and not before:
            with suppress(RedisError):
                self._redis.set(_OUTAGE_KEY, "", px=round((pause + _OUTAGE_MEMORY_S) * 1000))
        return before is None

    def end(self) -> bool:
        """Record an answer of the server; return whether an outage ends."""
        new = self._own.blown
        self._own.reset()
        if self._redis is not None:
            with suppress(RedisError):
                new = bool(self._redis.delete(_OUTAGE_KEY))
        return new


_FAILURES: Final[tuple[tuple[type[BaseException], str], ...]] = (
    (TimeoutError, SILENT),
    (smtplib.SMTPServerDisconnected, "it hangs up"),
    (ConnectionRefusedError, "the connection is refused"),
    (socket.gaierror, "its name is unknown"),
)


def describe_failure(error: BaseException) -> str:
    """Describe a failure of the mail server in a few words without any address."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"its certificate is refused: {error.verify_message} (SMTP_TLS says which are good)"
    if isinstance(error, smtplib.SMTPResponseException):
        return f"it answers {error.smtp_code}"
    # smtplib raises an error of its own; that it was a timeout is in the error that it was handling.
    silent = isinstance(error.__context__, TimeoutError)
    words = (said for kind, said in _FAILURES if isinstance(error, kind))
    return SILENT if silent else next(words, type(error).__name__)


class NotYet(Exception):
    """Raised for a mail above the sending rate, which may be sent in `seconds`."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"to be sent in {seconds:.0f} s")
        self.seconds = seconds


@dataclass(frozen=True, slots=True)
class SendingRate:
    """Mails a minute `to_a_domain` and `in_all`, counted by all processes that share the counters.

    Mails above the rate are spread over the following minutes.
    """

    counters: Counters
    to_a_domain: int
    in_all: int

    def count(self, domain: str) -> float:
        """Count a mail to a domain; return the seconds that it has to wait, 0 for none."""
        now = clock.now().timestamp()
        return self._wait(domain.lower(), self.to_a_domain, now) or self._wait(_ALL_DOMAINS, self.in_all, now)

    def _wait(self, name: str, most: int, now: float) -> float:
        minute = now // MINUTE_S
        minutes, before = divmod(self.counters.add(f"mails:{name}:{minute:.0f}", 2 * MINUTE_S) - 1, most)
        return max(0.0, (minute + minutes + before / most) * MINUTE_S - now) if minutes else 0.0


@dataclass(frozen=True, slots=True)
class Greeting:
    """Result of a connection: encrypted or not, and the end of the certificate if verified."""

    encrypted: bool
    certified_until: datetime | None


class NotSent(Exception):
    """Raised if the server did not accept the mail, or may not have.

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
        self.mail_from = mail_from
        self.outage = outage or MailOutage()
        self._sender = parseaddr(mail_from)[1]
        self._returns = returns or (lambda _: self._sender)
        self._pace = pace
        self._trust = trust
        # Logged when it connects for the first time.
        self._risk = _TRUST_WARNINGS.get(trust)
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
        """Return a mailer to the same server with a connection of its own."""
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
        if self._sent >= MAX_MAILS_PER_CONNECTION:
            self._disconnect()

    def _deliver(self, address: str, sender: str, raw: bytes) -> None:
        smtp = self._at_sender(address, sender)
        try:
            self._expect(address, "recipient", lambda: smtp.rcpt(address))
        except OSError as error:
            # If the server has worked until now, this recipient may be the cause.
            well = self.outage.left() is None
            raise NotSent(Meaning("again" if well else "outage"), address, failure=describe_failure(error)) from error
        try:
            self._expect(address, "mail", partial(_hand_over, smtp, raw))
        except OSError as error:
            # The server may have accepted the mail before the connection failed.
            raise NotSent(Meaning("unknown"), address, failure=describe_failure(error)) from error

    def _at_sender(self, address: str, sender: str) -> smtplib.SMTP:
        """Return a connection that has accepted the sender: the idle one, or a new one if that is dead."""
        for fresh in (False, True):
            old = None if fresh else self._smtp
            try:
                smtp = old or self._connect()
                self._expect(address, "sender", partial(smtp.mail, sender))
                return smtp
            except smtplib.SMTPResponseException as error:
                raise NotSent(*_not_sent_by("hello", address, error)) from error
            except (OSError, smtplib.SMTPException) as error:
                self._hang_up()
                if old is None:
                    raise NotSent(Meaning("outage"), address, failure=describe_failure(error)) from error
        raise AssertionError("unreachable")

    def _expect(self, address: str, stage: Stage, ask: Callable[[], tuple[int, bytes]]) -> None:
        try:
            code, words = ask()
        except smtplib.SMTPDataError as refusal:
            code, words = refusal.smtp_code, _bytes(refusal.smtp_error)
        if not 200 <= code < 300:
            said, status = reply_meaning(stage, code, words.decode("ascii", "replace"))
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
            return smtplib.SMTP_SSL(host, port, self._hostname, timeout=SMTP_TIMEOUT_S, context=context)
        return smtplib.SMTP(host, server.port or smtplib.SMTP_PORT, self._hostname, timeout=SMTP_TIMEOUT_S)

    def _context(self) -> ssl.SSLContext:
        if self._trust not in TLS_TRUSTS:
            return ssl.create_default_context(cafile=self._trust)
        context = ssl.create_default_context()
        # A local server usually has a self-signed certificate in the name of the machine.
        if self._trust == "any" or self._host in LOCAL_HOSTS:
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
                left = self._used + IDLE_TIMEOUT_S - monotonic()
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
    smtp.sock.settimeout(DATA_TIMEOUT_S)
    answer = smtp.data(raw)
    smtp.sock.settimeout(SMTP_TIMEOUT_S)
    return answer


def _bytes(words: bytes | str) -> bytes:
    return words if isinstance(words, bytes) else words.encode()


def _not_sent_by(
    stage: Stage, address: str, error: smtplib.SMTPResponseException
) -> tuple[Meaning, str, int, str, str]:
    said, status = reply_meaning(stage, error.smtp_code, _bytes(error.smtp_error).decode("ascii", "replace"))
    return said, address, error.smtp_code, status, describe_failure(error)
