"""The house, for the tests of games in the database."""

from __future__ import annotations

from tests.house import games, runtime, settings
from tests.superuser import as_superuser

__all__ = ["as_superuser", "games", "runtime", "settings"]
