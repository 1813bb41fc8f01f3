"""Sends the mails of outbox rows over SMTP; every row is checked against the game once more before."""

from __future__ import annotations

import smtplib
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from email.message import EmailMessage
from email.utils import parseaddr
from typing import Final, Literal, Protocol
from urllib.parse import SplitResult, unquote, urlsplit
from uuid import UUID

import structlog

from service import clock
from service.handlers import links, sign_in
from service.mail.compose import game_over_mail, stamped, turn_mail
from service.mail.letter import Stamp, sealed
from service.mail.sign_in import sign_in_mail
from service.settings import Settings
from service.store.games import Games, Position
from service.store.outbox import OutboxRow
from service.views.history import recap
from service.views.table import choices, spoken

TIMEOUT_SECONDS: Final = 10
log = structlog.get_logger()


class Undeliverable(Exception):
    """The recipient's server refuses the address for good; `code` is its SMTP status (5xx)."""

    def __init__(self, code: int) -> None:
        super().__init__(f"the address was refused with status {code}")
        self.code = code


class Mailer:
    """A way out for mails: `smtp://` or `smtps://` with `[user:password@]host[:port]`, and our own address.

    STARTTLS is used wherever the server offers it; certificates are verified.
    """

    def __init__(self, smtp_url: str, mail_from: str) -> None:
        self.mail_from = mail_from
        self._server: SplitResult = urlsplit(smtp_url)
        # smtplib would ask the name service who we are, which can take as long as the mail itself.
        self._hostname = parseaddr(mail_from)[1].rpartition("@")[2] or "localhost"

    def send(self, message: EmailMessage) -> None:
        """Hand the message to the server.

        Raises Undeliverable where the recipient is refused for good; any other smtplib.SMTPException or OSError is
        worth another attempt with the same Message-ID.
        """
        with self._connected() as smtp:
            try:
                smtp.send_message(message)
            except smtplib.SMTPRecipientsRefused as refused:
                code = max(status for status, _ in refused.recipients.values())
                if code >= 500:
                    raise Undeliverable(code) from None
                raise

    @contextmanager
    def _connected(self) -> Iterator[smtplib.SMTP]:
        server = self._server
        with self._opened(server.hostname or "localhost") as smtp:
            smtp.ehlo()
            if server.scheme == "smtp" and smtp.has_extn("starttls"):
                smtp.starttls(context=ssl.create_default_context())
            if server.username:
                smtp.login(unquote(server.username), unquote(server.password or ""))
            yield smtp

    def _opened(self, host: str) -> smtplib.SMTP:
        server = self._server
        if server.scheme == "smtps":
            port, context = server.port or smtplib.SMTP_SSL_PORT, ssl.create_default_context()
            return smtplib.SMTP_SSL(host, port, self._hostname, timeout=TIMEOUT_SECONDS, context=context)
        return smtplib.SMTP(host, server.port or smtplib.SMTP_PORT, self._hostname, timeout=TIMEOUT_SECONDS)


class House(Protocol):
    """What sending needs of the runtime."""

    @property
    def settings(self) -> Settings:
        """Where our pages are."""

    @property
    def games(self) -> Games:
        """The shelf of games."""

    @property
    def mailer(self) -> Mailer | None:
        """The way out, if there is one."""


def send_turn_mail(house: House, row: OutboxRow) -> Literal["done", "skipped"]:
    """Send the mail of an outbox row (payload `decision`, `seat`), if the seat still faces the decision.

    Each attempt carries a link of its own and the Message-ID of the row. Raises as `Mailer.send` does.
    """
    seat, decision = row.payload["seat"], row.payload["decision"]
    now = clock.now()
    # The link has to be stored before the mail can be read, and no lock is held while a mail server makes us wait.
    with house.games.engine.begin() as db:
        position = house.games.open(db, row.game_id)
        if house.mailer is None or not _is_due(position, seat, decision):
            return "skipped"
        language = spoken(position, position.seats[seat].language)
        url = f"{house.settings.base_url}/t/{links.issue(db, row.game_id, seat, decision, now)}"
        sentences = recap(db, house.games, position, seat, language)
    message = turn_mail(position, seat, sentences, choices(position, seat, language), url)
    house.mailer.send(stamped(message, position, seat, Stamp(row.id, house.mailer.mail_from, now)))
    return "done"


def send_game_over_mail(house: House, row: OutboxRow) -> Literal["done", "skipped"]:
    """Send the mail of an outbox row (payload `seat`) that tells how the game ended. Raises as `Mailer.send` does."""
    seat = row.payload["seat"]
    with house.games.engine.connect() as db:
        position = house.games.open(db, row.game_id)
        if house.mailer is None or position.game.status != "finished" or position.seats[seat].email is None:
            return "skipped"
        sentences = recap(db, house.games, position, seat, spoken(position, position.seats[seat].language))
    stamp = Stamp(row.id, house.mailer.mail_from, clock.now())
    house.mailer.send(stamped(game_over_mail(position, seat, sentences), position, seat, stamp))
    return "done"


def send_sign_in_mail(house: House, row: OutboxRow) -> Literal["done", "skipped"]:
    """Send the mail of an outbox row (payload `sign_in`) with a link to sign in. Raises as `Mailer.send` does."""
    if house.mailer is None:
        return "skipped"
    now = clock.now()
    with house.games.engine.begin() as db:
        asked = sign_in.prepare(db, UUID(row.payload["sign_in"]), now)
    if asked is None:
        return "skipped"
    url = f"{house.settings.base_url}/sign-in/{asked.secret}"
    if house.settings.mailbox is not None:
        # The mail does not leave this machine either: whoever reads the log may read the mailbox.
        log.info("sign-in link", url=url)
    stamp = Stamp(row.id, house.mailer.mail_from, now)
    house.mailer.send(sealed(sign_in_mail(asked, url), stamp, row.payload["sign_in"]))
    return "done"


def _is_due(position: Position, seat: int, decision: int) -> bool:
    if seat not in position.awaited or position.seats[seat].email is None:
        return False
    return position.decision == decision
