"""Name of an error in logs and metrics."""

from __future__ import annotations


def error_class(error: BaseException) -> str:
    """Return the class name of an error; for errors wrapped by SQLAlchemy the driver's (`LockNotAvailable`).

    Messages may quote players, and are not for logs.
    """
    return type(getattr(error, "orig", None) or error).__name__
