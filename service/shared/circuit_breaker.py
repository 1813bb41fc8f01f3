"""Circuit breaker: threads leave a failing server alone for a while."""

from __future__ import annotations

from time import monotonic

OPTIONAL_TIMEOUT_S = 0.02
"""Timeout in seconds of an optional server."""
BREAKER_PAUSE_S = 5.0
"""Default pause in seconds after a failure."""


class CircuitBreaker:
    """Circuit breaker that opens when a server fails: only requests under way wait in vain, not all until recovery.

    The first pause lasts `pause` seconds; each further failure doubles the pause, up to `longest`.
    """

    def __init__(self, pause: float = BREAKER_PAUSE_S, longest: float = BREAKER_PAUSE_S) -> None:
        self._first, self._longest = pause, longest
        self._pause = 0.0
        self._again_at = 0.0

    @property
    def closed(self) -> bool:
        """Return whether the server may be asked."""
        return self.left == 0

    @property
    def left(self) -> float:
        """Return the remaining seconds of the pause."""
        return max(0.0, self._again_at - monotonic())

    @property
    def blown(self) -> bool:
        """Return whether the server has failed and not recovered since."""
        return self._pause > 0

    def trip(self) -> float:
        """Record a failure of the server; return the seconds of the pause."""
        if self.closed:
            self._pause = min(self._pause * 2 or self._first, self._longest)
        # A thread that asked before the pause may learn of the failure only now.
        self._again_at = monotonic() + self._pause
        return self.left

    def reset(self) -> None:
        """Record that the server works."""
        self._pause = self._again_at = 0.0
