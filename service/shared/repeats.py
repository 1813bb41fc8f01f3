"""Counts what comes over and over, so that a log has one line a minute for it."""

from __future__ import annotations

from collections.abc import Hashable
from time import monotonic
from typing import Final

AGAIN: Final = 60.0
"""Seconds after which a repeated line is written again, with the number of those dropped meanwhile."""
_MOST: Final = 1000


class Repeats:
    """Decides which of the lines that come over and over are written."""

    def __init__(self) -> None:
        self._written: dict[Hashable, tuple[float, int]] = {}

    def count(self, line: Hashable) -> int | None:
        """Return how often the line was dropped before, if it is to be written now; None if it is dropped too."""
        now = monotonic()
        at, dropped = self._written.get(line, (0.0, 0))
        if line in self._written and now - at < AGAIN:
            self._written[line] = at, dropped + 1
            return None
        if len(self._written) >= _MOST:
            self._written.clear()
        self._written[line] = now, 0
        return dropped
