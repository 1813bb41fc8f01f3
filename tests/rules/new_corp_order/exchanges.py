"""Another log that only those may tell from the first who see what was exchanged."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

Log = Sequence[Any]


def exchanged(log: Log, kind: type[Any], change: Callable[[Any], Any]) -> list[Any]:
    """The log with its one event of a kind changed."""
    return [change(event) if isinstance(event, kind) else event for event in log]


def only(log: Log, kind: type[Any]) -> Any:
    """The one event of a kind."""
    (found,) = (event for event in log if isinstance(event, kind))
    return found


def swapped(cards: Sequence[str], place: int, card: str) -> tuple[str, ...]:
    """The cards with another one in a place."""
    return (*cards[:place], card, *cards[place + 1 :])
