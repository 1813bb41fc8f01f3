"""The house, for the tests of the service."""

from __future__ import annotations

from tests.house import games, runtime, settings
from tests.rest import api, app

__all__ = ["api", "app", "games", "runtime", "settings"]
