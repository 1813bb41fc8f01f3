"""The house, for the tests of games in the database."""

from __future__ import annotations

from tests.house import games, runtime, settings

__all__ = ["games", "runtime", "settings"]
