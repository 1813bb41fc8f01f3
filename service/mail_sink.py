"""A mail server that delivers to nobody: it writes each mail as one .eml file into a folder."""

from __future__ import annotations

import asyncio
import os
import ssl
import threading
import time
from pathlib import Path

from aiosmtpd.smtp import SMTP, Envelope, Session

HOST = "127.0.0.1"


class MailSink:
    """Context manager: an SMTP server on a free port of the loopback; `url` is where it listens.

    The files are named so that their order is that of arrival, and a file that can be seen is whole.
    """

    tls: ssl.SSLContext | None = None
    """What connections are encrypted with from the start, if anything."""

    def __init__(self, mailbox: Path) -> None:
        """Take the folder, which is made where it is missing."""
        self.mailbox = mailbox
        self.url = ""
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name="mail-sink", daemon=True)
        self._listening = threading.Event()

    def __enter__(self) -> MailSink:
        """Start listening."""
        self.mailbox.mkdir(parents=True, exist_ok=True)
        self._thread.start()
        self._listening.wait()
        return self

    def __exit__(self, *error: object) -> None:
        """Stop listening."""
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        """Write one mail; called by the server."""
        content = envelope.content or b""
        raw = content.encode() if isinstance(content, str) else content
        path = self.mailbox / f"{time.time_ns():020d}.eml"
        unfinished = path.with_suffix(".part")
        unfinished.write_bytes(raw)
        os.replace(unfinished, path)
        return "250 OK"

    def speak(self, loop: asyncio.AbstractEventLoop) -> SMTP:
        """Return the protocol of a new connection."""
        return SMTP(self, loop=loop, enable_SMTPUTF8=True)

    def _run(self) -> None:
        loop = self._loop
        asyncio.set_event_loop(loop)
        listening = loop.create_server(lambda: self.speak(loop), HOST, 0, ssl=self.tls)
        server = loop.run_until_complete(listening)
        self.url = f"smtp://{HOST}:{server.sockets[0].getsockname()[1]}"
        self._listening.set()
        try:
            loop.run_forever()
        finally:
            server.close()
            talks = asyncio.all_tasks(loop)
            for talk in talks:
                talk.cancel()
            loop.run_until_complete(asyncio.gather(*talks, return_exceptions=True))
            loop.close()
