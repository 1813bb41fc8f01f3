"""Keeps a server that hangs from slowing down threads that could do without it."""

from __future__ import annotations

from time import monotonic

PATIENCE = 0.02
"""Seconds to wait for a server that is not indispensable."""
PAUSE = 5.0
"""Seconds for which it is left alone when it has failed, by default."""


class CircuitBreaker:
    """Opens when a server fails: only the threads that ask at that moment wait in vain, not all until it is back.

    It is left alone for `pause` seconds, and each time that it has failed again for twice as long, up to `longest`.
    """

    def __init__(self, pause: float = PAUSE, longest: float = PAUSE) -> None:
        """Begin with a server that is well."""
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
