"""Repeated log lines, written once."""

from __future__ import annotations

import logging
from typing import Any

import structlog

from service.shared.log_dedup import LogDedup


class OfLibrary(logging.Filter, LogDedup):
    """Drop repeated lines of RQ by their template: their text holds the worker's name."""

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
    """Drop repeated lines of ours with the same values."""

    def __call__(self, logger: object, method: str, line: structlog.typing.EventDict) -> structlog.typing.EventDict:
        """Return the line to be written; raise DropEvent for a repeated line."""
        count = self.count(tuple((name, str(value)) for name, value in line.items()))
        if count is None:
            raise structlog.DropEvent
        return {**line, "since": count} if count else line


def say_once() -> None:
    """Drop repeated lines in this process."""
    processors: list[Any] = structlog.get_config()["processors"]
    structlog.configure(processors=[OfOurs(), *processors])
    logging.getLogger("rq.worker").addFilter(OfLibrary())
