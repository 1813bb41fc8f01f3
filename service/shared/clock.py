"""The clock: the only place that asks for the time."""

from __future__ import annotations

from datetime import UTC, datetime


def now() -> datetime:
    """Return the present moment, aware, in UTC."""
    return datetime.now(UTC)


def to_the_millisecond(moment: datetime) -> datetime:
    """Return a moment without what is finer than a millisecond, of which hash chains and seals know nothing."""
    return moment.replace(microsecond=moment.microsecond // 1000 * 1000)
