"""What is known of a mail server that does not answer: since it has failed it is asked now and then, and not by all."""

from __future__ import annotations

import smtplib
import socket
import ssl
from contextlib import suppress
from typing import Final

from redis import Redis, RedisError

from service.shared.circuit_breaker import CircuitBreaker

FIRST: Final = 2.0
"""Seconds until the server is tried again for the first time; each time after that it is twice as long."""
LONGEST: Final = 60.0
SILENT: Final = "it does not answer in time"
_KEY: Final = "boardroom:mail:outage"
_KNOWN_SECONDS: Final = 300
"""For how long after a pause it is still known that there was an outage; then the next mail finds out."""


class Outage:
    """Whether the mail server is out of reach, as all processes know it that share a Redis; without it, as this one.

    Never fails: what Redis does not say is taken from what the process has seen itself.
    """

    def __init__(self, redis: Redis | None = None) -> None:
        """Begin with a server that is well."""
        self._redis = redis
        self._own = CircuitBreaker(FIRST, LONGEST)

    def left(self) -> float | None:
        """Return for how many seconds the server is to be left alone; 0 if a mail is to try it, None if all is well."""
        if self._redis is not None:
            try:
                known = int(self._redis.pttl(_KEY)) / 1000
            except RedisError:
                pass
            else:
                if known > 0:
                    return max(0.0, known - _KNOWN_SECONDS)
                # Another process has got a mail through, or Redis was emptied: the next mail finds out.
                self._own.reset()
        return self._own.left if self._own.blown else None

    def note(self) -> bool:
        """Note that the server was asked in vain; return whether that is new."""
        before = self.left()
        pause = self._own.trip()
        if self._redis is not None and not before:
            with suppress(RedisError):
                self._redis.set(_KEY, "", px=round((pause + _KNOWN_SECONDS) * 1000))
        return before is None

    def end(self) -> bool:
        """Note that the server answers; return whether that is new."""
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
    """Return in a few words why a mail server could not be used; no address is among them."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"its certificate is refused: {error.verify_message}"
    if isinstance(error, smtplib.SMTPResponseException):
        return f"it answers {error.smtp_code}"
    # smtplib says only that nothing came; that it was not in time is in the error which it was dealing with.
    silent = isinstance(error.__context__, TimeoutError)
    words = (said for kind, said in _WORDS if isinstance(error, kind))
    return SILENT if silent else next(words, type(error).__name__)
