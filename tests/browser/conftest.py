"""The house, for the tests in a browser."""

from __future__ import annotations

from tests.house import runtime, settings

__all__ = ["runtime", "settings"]
