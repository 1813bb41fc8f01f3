"""Circuit breaker: threads leave a failing server alone for a while."""

from __future__ import annotations

from time import monotonic

OPTIONAL_TIMEOUT_S = 0.02
"""Timeout of a server that callers can do without."""
BREAKER_PAUSE_S = 5.0
"""Default pause in seconds after a failure."""


class CircuitBreaker:
    """Opens when a server fails: only the threads that ask at that moment wait in vain, not all until it is back.

    It is left alone for `pause` seconds, and each time that it has failed again for twice as long, up to `longest`.
    """

    def __init__(self, pause: float = BREAKER_PAUSE_S, longest: float = BREAKER_PAUSE_S) -> None:
        self._first, self._longest = pause, longest
        self._pause = 0.0
        self._again_at = 0.0

    @property
    def closed(self) -> bool:
        """Whether the server may be asked."""
        return self.left == 0

    @property
    def left(self) -> float:
        """For how many seconds it is to be left alone."""
        return max(0.0, self._again_at - monotonic())

    @property
    def blown(self) -> bool:
        """Whether the server has failed and not been well since."""
        return self._pause > 0

    def trip(self) -> float:
        """Note that the server has failed; return for how many seconds it is to be left alone."""
        if self.closed:
            self._pause = min(self._pause * 2 or self._first, self._longest)
        # A thread that asked before the pause may hear of the failure only now.
        self._again_at = monotonic() + self._pause
        return self.left

    def reset(self) -> None:
        """Note that the server is well."""
        self._pause = self._again_at = 0.0
