"""Keeps a process from filling its log with one line that it says over and over."""

from __future__ import annotations

import logging
from collections.abc import Hashable
from time import monotonic
from typing import Any, Final

import structlog

AGAIN: Final = 60.0
"""Seconds after which a line is said again, with how often it would have been said meanwhile."""
_MOST: Final = 1000


class Repeats:
    """Counts what is said over and over."""

    def __init__(self) -> None:
        self._said: dict[Hashable, tuple[float, int]] = {}

    def count(self, line: Hashable) -> int | None:
        """Return how often the line was kept back before, if it is to be said now; None if it is kept back too."""
        now = monotonic()
        at, kept_back = self._said.get(line, (0.0, 0))
        if line in self._said and now - at < AGAIN:
            self._said[line] = at, kept_back + 1
            return None
        if len(self._said) >= _MOST:
            self._said.clear()
        self._said[line] = now, 0
        return kept_back


class OfLibrary(logging.Filter, Repeats):
    """Keeps back what RQ says over and over; it is known by its form, since its words hold the worker's name."""

    def __init__(self) -> None:
        logging.Filter.__init__(self)
        Repeats.__init__(self)

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether the record is to be said."""
        count = self.count(record.msg)
        if count:
            record.msg = f"{record.msg} (and {count} times since)"
        return count is not None


class OfOurs(Repeats):
    """Keeps back what we say over and over, in the same words and about the same."""

    def __call__(self, logger: object, method: str, line: structlog.typing.EventDict) -> structlog.typing.EventDict:
        """Return the line as it is to be said; DropEvent when it is not."""
        count = self.count(tuple((name, str(value)) for name, value in line.items()))
        if count is None:
            raise structlog.DropEvent
        return {**line, "since": count} if count else line


def say_once() -> None:
    """Have this process say no line over and over."""
    processors: list[Any] = structlog.get_config()["processors"]
    structlog.configure(processors=[OfOurs(), *processors])
    logging.getLogger("rq.worker").addFilter(OfLibrary())
