"""The name of an error as logs and metrics have it."""

from __future__ import annotations


def error_class(error: BaseException) -> str:
    """Return the class of an error, of one that SQLAlchemy has wrapped the driver's own (`LockNotAvailable`).

    A message may quote what players have written, and is not for logs.
    """
    return type(getattr(error, "orig", None) or error).__name__
