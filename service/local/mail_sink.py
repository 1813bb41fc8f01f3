"""A mail server that delivers to nobody: it writes each mail as one .eml file into a folder."""

from __future__ import annotations

import asyncio
import os
import re
import smtplib
import time
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from aiosmtpd.smtp import SMTP, Envelope, Session

from service.inbound.listener import ANYWHERE, MailListener

_OURS: Final = re.compile(r"[zb]\+[a-z2-7]+@.*", re.IGNORECASE)
_SECONDS: Final = 10


class MailSink(MailListener):
    """Context manager: an SMTP server on a free port of the loopback; `url` is where it listens.

    The files are named so that their order is that of arrival, and a file that can be seen is whole. Mails to the
    service itself, such as replies and bounces, are forwarded to `inbound` (an address as in INBOUND_LISTEN), if that
    is given, and are not written.
    """

    def __init__(self, mailbox: Path, inbound: str | None = None, listen: str = ANYWHERE) -> None:
        """Take the folder, which is made where it is missing."""
        super().__init__(listen)
        self.mailbox = mailbox
        self._inbound = None if inbound is None else urlsplit(inbound)

    def __enter__(self) -> MailSink:
        """Start listening."""
        self.mailbox.mkdir(mode=0o700, parents=True, exist_ok=True)
        super().__enter__()
        return self

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802 - aiosmtpd's name
        """Write one mail, or forward it; called by the server."""
        content = envelope.content or b""
        raw = content.encode() if isinstance(content, str) else content
        ours = [address for address in envelope.rcpt_tos if _OURS.fullmatch(address)]
        if ours and self._inbound is not None:
            sender = envelope.mail_from or ""
            return await asyncio.get_running_loop().run_in_executor(None, self._forward, sender, ours, raw)
        path = self.mailbox / f"{time.time_ns():020d}.eml"
        unfinished = path.with_suffix(".part")
        # Only its owner may read it: its links make moves.
        with os.fdopen(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as written:
            written.write(raw)
        os.replace(unfinished, path)
        return "250 OK"

    def _forward(self, sender: str, recipients: list[str], raw: bytes) -> str:
        assert self._inbound is not None  # noqa: S101 # for the type checker
        kind = smtplib.LMTP if self._inbound.scheme == "lmtp" else smtplib.SMTP
        try:
            with kind(self._inbound.hostname or "", self._inbound.port or 0, timeout=_SECONDS) as door:
                door.sendmail(sender, recipients, raw)
        except smtplib.SMTPRecipientsRefused as refused:
            code, words = next(iter(refused.recipients.values()))
            return f"{code} {words.decode('ascii', 'replace')}"
        except smtplib.SMTPResponseException as refused:
            return f"{refused.smtp_code} not taken"
        except OSError:
            return "451 4.4.1 the service does not answer, please try again"
        return "250 OK"
