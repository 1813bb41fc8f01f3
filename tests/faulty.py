"""A mail server that answers as a test wants it to."""

from __future__ import annotations

import asyncio
from pathlib import Path
from threading import Event
from typing import Any

from aiosmtpd.smtp import SMTP, Envelope, Session

from service.local.servers import MailSink
from service.local.supervisor import wait_until

OK = "250 OK"
DROP = "drop"
HOLD = "hold"
"""The yes that is not said before the test lets go; a mail is taken in before that."""
PATIENCE = 60


class Faulty(MailSink):
    """A mail server that answers as it is told to, each time the next answer of a stage and then the last one."""

    def __init__(self, mailbox: Path, **answers: list[str]) -> None:
        super().__init__(mailbox)
        self.answers = answers
        self.sessions: list[Session] = []
        self.senders: list[str] = []
        self.held = Event()
        self.let_go = Event()
        self._spoken: list[SMTP] = []

    def speak(self, loop: Any) -> SMTP:
        """Return the protocol of a connection, and keep it."""
        self._spoken.append(self.protocol(loop))
        return self._spoken[-1]

    def protocol(self, loop: Any) -> SMTP:
        """Return a protocol."""
        return super().speak(loop)

    @property
    def connections(self) -> int:
        """Number of open connections."""
        return sum(each.transport is not None and not each.transport.is_closing() for each in self._spoken)

    def hang_up(self) -> None:
        """Close all connections without a word."""
        for each in self._spoken:
            each.loop.call_soon_threadsafe(_close, each)
        assert wait_until(lambda: not self.connections, 60)

    def __exit__(self, *error: object) -> None:
        """Hold nobody any longer, and stop."""
        self.let_go.set()
        super().__exit__(*error)

    def _answer(self, stage: str) -> str:
        left = self.answers.get(stage, [OK])
        return left.pop(0) if len(left) > 1 else left[0]

    async def _hold(self, answer: str) -> str:
        if answer != HOLD:
            return answer
        self.held.set()
        await asyncio.get_running_loop().run_in_executor(None, self.let_go.wait, PATIENCE)
        return OK

    async def handle_EHLO(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, hostname: str, responses: list[str]
    ) -> list[str]:
        """Note the connection."""
        session.host_name = hostname
        self.sessions.append(session)
        return responses

    async def handle_MAIL(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Answer to a sender."""
        answer = await self._hold(self._answer("sender"))
        if answer == OK:
            envelope.mail_from = address
            self.senders.append(address)
        return answer

    async def handle_RCPT(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Answer to a recipient."""
        answer = await self._hold(self._answer("recipient"))
        if answer == OK:
            envelope.rcpt_tos.append(address)
        return answer

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        """Answer to a mail, and keep it if the answer is yes, or if it is never given."""
        answer = self._answer("mail")
        if answer in (OK, DROP, HOLD):
            await super().handle_DATA(server, session, envelope)
        if answer == DROP:
            server.transport.close()
        return await self._hold(answer)


def _close(connection: SMTP) -> None:
    """Close a connection, which the client may have closed meanwhile."""
    if connection.transport is not None:
        connection.transport.close()
