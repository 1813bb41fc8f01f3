"""The clock: the only place that asks for the time."""

from __future__ import annotations

from datetime import UTC, datetime


def now() -> datetime:
    """Return the present moment, aware, in UTC."""
    return datetime.now(UTC)
