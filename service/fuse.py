"""Keeps a server that hangs from slowing down everybody who could do without it."""

from __future__ import annotations

from time import monotonic

PATIENCE = 0.02
"""Seconds to wait for a server that one could do without."""
PAUSE = 5.0
"""Seconds for which it is left alone when it has failed."""


class Fuse:
    """Blows when a server fails: only who asks at that moment waits in vain, not everybody until it is back."""

    def __init__(self) -> None:
        self._again_at = 0.0

    @property
    def intact(self) -> bool:
        """Whether the server may be asked."""
        return monotonic() >= self._again_at

    def blow(self) -> None:
        """Note that the server has failed."""
        self._again_at = monotonic() + PAUSE
