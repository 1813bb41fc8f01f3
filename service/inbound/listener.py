"""Mail listener: a server of SMTP or LMTP on its own thread, and the reasons why an address cannot be bound.

A subclass handles the mails.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import socket
import ssl
import threading
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import AnyStr, Final
from urllib.parse import urlsplit

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP

GREETING_NAME: Final = "Boardroom inbox"
"""Greeting of the inbox; it tells the inbox apart from another program at the address."""
LISTEN_RETRY_S: Final = 2.0
"""Seconds between attempts of an inbox to bind."""
HOST: Final = "127.0.0.1"
ANYWHERE: Final = f"smtp://{HOST}:0"
MOST_AT_ONCE: Final = 4
"""Maximum number of mails received at a time: a mail takes four times its size in memory."""
LONGEST_LINE: Final = 256 * 1024
"""Maximum bytes of a line: RFC 5321, 4.5.3.1.6, says 1000, but some programs write a page as a single line."""
TOO_LARGE: Final = "552 5.3.4 this mail is too large, send it again without attachments and pictures"
LINE_TOO_LONG: Final = "500 5.6.0 a line of this mail is too long, send it again as plain text"
_REFUSALS: Final = {"552 Error": TOO_LARGE, "500 Line too long": LINE_TOO_LONG}


def place_of(listen: str) -> str:
    """Return the host and port of an address as in INBOUND_LISTEN."""
    return urlsplit(listen).netloc


def listen_refusal(listen: str, refusal: OSError) -> str:
    """Return why the address cannot be bound, and the remedy, as sentences for an operator."""
    where = urlsplit(listen)
    if refusal.errno == errno.EADDRINUSE:
        why = "another program has the port"
        todo = f"End that program (`ss -ltnp 'sport = :{where.port}'` names it), or set INBOUND_LISTEN to another port."
    elif refusal.errno in (errno.EACCES, errno.EPERM):
        why = "this account may not use the port"
        todo = "Set INBOUND_LISTEN to a port from 1024 on, and have your mail server deliver there."
    elif refusal.errno == errno.EADDRNOTAVAIL or isinstance(refusal, socket.gaierror):
        why = "this machine has no such address"
        todo = "Set INBOUND_LISTEN to an address that it has, such as lmtp://127.0.0.1:8024."
    else:
        why, todo = refusal.strerror or type(refusal).__name__, "Look at INBOUND_LISTEN."
    return f"{why}. {todo}"


# The library logs recipients. A reply address is a secret and must not be logged, even at level DEBUG.
logging.getLogger("mail.log").setLevel(logging.WARNING)


class _Spoken(SMTP):
    line_length_limit = LONGEST_LINE

    async def smtp_DATA(self, arg: str) -> None:  # noqa: N802 - aiosmtpd's name
        """Receive a mail once a slot is free."""
        async with self.event_handler.room:
            await super().smtp_DATA(arg)

    async def push(self, status: AnyStr) -> None:
        """Send a status to the client; a refusal of a mail is replaced by our text with a remedy."""
        refusal = self._refusal(status)
        await (super().push(status) if refusal is None else super().push(refusal))

    def _refusal(self, status: str | bytes) -> str | None:
        begins = status if isinstance(status, str) else ""
        said = next((ours for theirs, ours in _REFUSALS.items() if begins.startswith(theirs)), None)
        # One answer for each recipient (RFC 2033, 4.2); without recipients, one for the sender.
        recipients = len(self.envelope.rcpt_tos) if isinstance(self, LMTP) and self.envelope else 1
        return None if said is None else "\r\n".join([said] * max(1, recipients))


class _LocallySpoken(_Spoken, LMTP):
    pass


_PROTOCOLS: Final = {"smtp": _Spoken, "lmtp": _LocallySpoken}


class MailListener:
    """Context manager: a server of SMTP or LMTP; subclasses write `handle_..` methods as aiosmtpd calls them.

    `listen` is `smtp://` or `lmtp://` with host:port; port 0 is any free port. `url` is the actual address. Raises
    OSError if the address cannot be bound.
    """

    tls: ssl.SSLContext | None = None
    """TLS context for implicit TLS, if any."""
    name: str | None = None
    """Name in the greeting, after the host name; None for the library's name."""

    def __init__(self, listen: str = ANYWHERE, largest: int | None = None) -> None:
        """Take the address, and the maximum bytes of a mail (None: no limit)."""
        self.url = ""
        self._listen = urlsplit(listen)
        self._largest = largest
        self.room = asyncio.Semaphore(MOST_AT_ONCE)
        """Semaphore for connections that bring a mail."""

    def __enter__(self) -> MailListener:
        """Start listening; after a refusal a retry is possible."""
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name="mail-listener", daemon=True)
        self._listening = threading.Event()
        self._refusal: OSError | None = None
        self._thread.start()
        self._listening.wait()
        if self._refusal is not None:
            self._thread.join()
            raise self._refusal
        return self

    def __exit__(self, *error: object) -> None:
        # A loop that has ended by itself is closed.
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()

    @property
    def listens(self) -> bool:
        """Return whether the thread is alive."""
        return self._thread.is_alive()

    def repeat(self, act: Callable[[], Awaitable[None]], seconds: float) -> None:
        """Repeat a coroutine at an interval in the loop of the listener; call this only while it listens."""

        async def go_on() -> None:
            while True:
                await act()
                await asyncio.sleep(seconds)

        asyncio.run_coroutine_threadsafe(go_on(), self._loop)

    def speak(self, loop: asyncio.AbstractEventLoop) -> SMTP:
        kind = _PROTOCOLS[self._listen.scheme]
        return kind(self, loop=loop, enable_SMTPUTF8=True, data_size_limit=self._largest, ident=self.name)

    def _run(self) -> None:
        loop, where = self._loop, self._listen
        asyncio.set_event_loop(loop)
        try:
            listening = loop.create_server(lambda: self.speak(loop), where.hostname, where.port or 0, ssl=self.tls)
            server = loop.run_until_complete(listening)
        except OSError as refusal:
            self._refusal = refusal
            self._listening.set()
            loop.close()
            return
        self.url = f"{where.scheme}://{where.hostname}:{server.sockets[0].getsockname()[1]}"
        self._listening.set()
        try:
            loop.run_forever()
        finally:
            server.close()
            talks = asyncio.all_tasks(loop)
            for talk in talks:
                talk.cancel()
            loop.run_until_complete(asyncio.gather(*talks, return_exceptions=True))
            loop.run_until_complete(loop.shutdown_default_executor())
            loop.close()
