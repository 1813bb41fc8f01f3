"""The house, for the programs of others."""

from __future__ import annotations

from tests.house import games, runtime, settings

__all__ = ["games", "runtime", "settings"]

# An operation that tests something has a module of that name in the client.
collect_ignore = ["python/generated"]
