"""The house, for the programs of others."""

from __future__ import annotations

from tests.house import games, runtime, settings

__all__ = ["games", "runtime", "settings"]
