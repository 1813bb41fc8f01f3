"""The revision of the tables that this code was written for, found without loading what brings them there."""

from __future__ import annotations

from pathlib import Path

NEWEST = max(each.name[:4] for each in (Path(__file__).parent / "migrations" / "versions").glob("[0-9]*.py"))
"""That of the last migration, whose file begins with it."""
