"""The generated clients are programs of their own, which hold no tests."""

from __future__ import annotations

# An operation that tests something has a module of that name in the client.
collect_ignore = ["python/generated"]
