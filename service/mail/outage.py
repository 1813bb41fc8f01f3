"""Outages of the mail server: once it has failed, it is tried again at growing intervals, by one process at a time."""

from __future__ import annotations

import smtplib
import socket
import ssl
from contextlib import suppress
from typing import Final

from redis import Redis, RedisError

from service.shared.circuit_breaker import CircuitBreaker

FIRST: Final = 2.0
"""Seconds until the server is tried again for the first time. Each further interval is twice as long."""
LONGEST: Final = 60.0
SILENT: Final = "it does not answer in time"
_KEY: Final = "boardroom:mail:outage"
_KNOWN_SECONDS: Final = 300
"""How long after an interval the outage is remembered in Redis; then the next mail finds out."""


class MailOutage:
    """Whether the mail server is out of reach, shared by all processes with the same Redis.

    Never fails: without Redis it is what this process has seen itself.
    """

    def __init__(self, redis: Redis | None = None) -> None:
        """Begin without an outage."""
        self._redis = redis
        self._own = CircuitBreaker(FIRST, LONGEST)

    def left(self) -> float | None:
        """Return how many seconds to wait before the server is tried again; 0 to try it now, None without an outage."""
        if self._redis is not None:
            try:
                known = int(self._redis.pttl(_KEY)) / 1000
            except RedisError:
                pass
            else:
                if known > 0:
                    return max(0.0, known - _KNOWN_SECONDS)
                # Another process has delivered a mail, or Redis was emptied: the next mail finds out.
                self._own.reset()
        return self._own.left if self._own.blown else None

    def note(self) -> bool:
        """Record a failed attempt; return whether the outage is new."""
        before = self.left()
        pause = self._own.trip()
        if self._redis is not None and not before:
            with suppress(RedisError):
                self._redis.set(_KEY, "", px=round((pause + _KNOWN_SECONDS) * 1000))
        return before is None

    def end(self) -> bool:
        """Record that the server answers; return whether that ends an outage."""
        new = self._own.blown
        self._own.reset()
        if self._redis is not None:
            with suppress(RedisError):
                new = bool(self._redis.delete(_KEY))
        return new


_WORDS: Final[tuple[tuple[type[BaseException], str], ...]] = (
    (TimeoutError, SILENT),
    (smtplib.SMTPServerDisconnected, "it hangs up"),
    (ConnectionRefusedError, "the connection is refused"),
    (socket.gaierror, "its name is unknown"),
)


def failure(error: BaseException) -> str:
    """Return in a few words, without any address, why a mail server could not be used."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"its certificate is refused: {error.verify_message} (SMTP_TLS says which are good)"
    if isinstance(error, smtplib.SMTPResponseException):
        return f"it answers {error.smtp_code}"
    # smtplib raises an error of its own; that it was a timeout is in the error that it was handling.
    silent = isinstance(error.__context__, TimeoutError)
    words = (said for kind, said in _WORDS if isinstance(error, kind))
    return SILENT if silent else next(words, type(error).__name__)
