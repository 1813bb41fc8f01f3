"""How long a server asks to be left alone (Retry-After, RFC 9110, section 10.2.3)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Final

LONGEST_WAIT: Final = timedelta(days=1)
"""Nobody keeps a message waiting for longer."""
_STATUSES: Final = frozenset({429, 503})
_MOST_DIGITS: Final = 9


def asked_wait(status: int | None, headers: Mapping[str, str], now: datetime) -> timedelta:
    """Return how long the answer of this status asks to wait, LONGEST_WAIT at most; nothing if it does not ask."""
    said = next((value.strip() for name, value in headers.items() if name.lower() == "retry-after"), "")
    if status not in _STATUSES or not said:
        return timedelta()
    if said.isascii() and said.isdigit():
        return min(timedelta(seconds=int(said[:_MOST_DIGITS])), LONGEST_WAIT)
    try:
        until = parsedate_to_datetime(said)
    except ValueError:
        return timedelta()
    if until.tzinfo is None:
        until = until.replace(tzinfo=UTC)
    return max(timedelta(), min(until - now, LONGEST_WAIT))
