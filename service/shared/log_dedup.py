"""Deduplication of log lines: a repeated line is written once a minute."""

from __future__ import annotations

from collections.abc import Hashable
from time import monotonic
from typing import Final

REPEAT_AFTER_S: Final = 60.0
"""Seconds until a repeated line is written again, with the number of dropped ones."""
_MAX_LINES: Final = 1000


class LogDedup:
    """Repeated lines, with the time each was written last."""

    def __init__(self) -> None:
        self._written: dict[Hashable, tuple[float, int]] = {}

    def count(self, line: Hashable) -> int | None:
        """Return the number of lines dropped before if the line is to be written now; None to drop it."""
        now = monotonic()
        at, dropped = self._written.get(line, (0.0, 0))
        if line in self._written and now - at < REPEAT_AFTER_S:
            self._written[line] = at, dropped + 1
            return None
        if len(self._written) >= _MAX_LINES:
            self._written.clear()
        self._written[line] = now, 0
        return dropped
