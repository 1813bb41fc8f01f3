"""The house, for the tests of the service."""

from __future__ import annotations

from tests.house import games, runtime, settings
from tests.rest import api, app
from tests.superuser import as_superuser

__all__ = ["api", "app", "as_superuser", "games", "runtime", "settings"]
