"""A mail server whose mood changes; it remembers each mail that it has taken, and in which mood."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from email import message_from_bytes, policy
from threading import Lock
from time import monotonic
from typing import Literal, get_args
from uuid import UUID
from weakref import WeakKeyDictionary

from aiosmtpd.smtp import SMTP, Envelope, Session

from service.inbound.listener import MailListener
from tests.letters import Letter, is_about

Mood = Literal["fine", "refuses", "hangs", "hangs up"]
BAD_MOODS = tuple(each for each in get_args(Mood) if each != "fine")
_REFUSALS = ("421 4.3.2 come again later", "450 4.3.2 not now")
_POLL = 0.1


@dataclass(frozen=True, slots=True)
class Arrival:
    """A mail that was taken: from when to when (seconds of the monotonic clock), its Message-ID, and whether we hung up
    then.
    """

    began: float
    at: float
    id: str
    letter: Letter
    hung_up: bool


class MailServer(MailListener):
    """A mail server in a `mood`: fine, refuses (421 and 450 in turn), hangs at RCPT, or takes a mail and hangs up."""

    def __init__(self) -> None:
        super().__init__()
        self.mood: Mood = "fine"
        self.arrived: list[Arrival] = []
        self._refused = 0
        self._began: WeakKeyDictionary[Envelope, float] = WeakKeyDictionary()
        self._unread: list[Letter] = []
        self._lock = Lock()

    def __enter__(self) -> MailServer:
        """Start listening."""
        super().__enter__()
        return self

    def letters(self, game: UUID) -> list[Letter]:
        """Return the mails about a game that have arrived since this was last asked."""
        with self._lock:
            found = [each for each in self._unread if is_about(each.message, game)]
            self._unread = [each for each in self._unread if not is_about(each.message, game)]
        return found

    async def handle_MAIL(  # noqa: N802 - aiosmtpd's name
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Answer to a sender."""
        if self.mood == "refuses":
            self._refused += 1
            if self._refused % 2:
                return _REFUSALS[0]
        envelope.mail_from = address
        self._began[envelope] = monotonic()
        return "250 OK"

    async def handle_RCPT(  # noqa: N802 - aiosmtpd's name
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Answer to a recipient."""
        if self.mood == "refuses":
            return _REFUSALS[1]
        while self.mood == "hangs":
            await asyncio.sleep(_POLL)
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        """Take a mail, and say so unless we hang up."""
        content = envelope.content or b""
        raw = content.encode() if isinstance(content, str) else content
        letter = Letter(raw, message_from_bytes(raw, policy=policy.default))
        hangs_up = self.mood == "hangs up"
        with self._lock:
            began, name = self._began[envelope], str(letter.message["Message-ID"])
            self.arrived.append(Arrival(began, monotonic(), name, letter, hangs_up))
            self._unread.append(letter)
        if hangs_up and server.transport is not None:
            server.transport.close()
        return "250 OK"
