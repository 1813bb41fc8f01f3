"""Log lines that come over and over, written once."""

from __future__ import annotations

import logging
from typing import Any

import structlog

from service.shared.log_dedup import LogDedup


class OfLibrary(logging.Filter, LogDedup):
    """Drops a line of RQ's that comes over and over, by its template: its text holds the worker's name."""

    def __init__(self) -> None:
        logging.Filter.__init__(self)
        LogDedup.__init__(self)

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether the record is to be written."""
        count = self.count(record.msg)
        if count:
            record.msg = f"{record.msg} (and {count} times since)"
        return count is not None


class OfOurs(LogDedup):
    """Drops a line of ours that comes over and over with the same values."""

    def __call__(self, logger: object, method: str, line: structlog.typing.EventDict) -> structlog.typing.EventDict:
        """Return the line as it is to be written; raises DropEvent where it is not."""
        count = self.count(tuple((name, str(value)) for name, value in line.items()))
        if count is None:
            raise structlog.DropEvent
        return {**line, "since": count} if count else line


def say_once() -> None:
    """Have this process drop repeated lines."""
    processors: list[Any] = structlog.get_config()["processors"]
    structlog.configure(processors=[OfOurs(), *processors])
    logging.getLogger("rq.worker").addFilter(OfLibrary())
