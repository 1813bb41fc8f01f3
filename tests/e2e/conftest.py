"""The house, for the tests from end to end."""

from __future__ import annotations

from tests.house import games, runtime, settings

__all__ = ["games", "runtime", "settings"]
