"""The schema revision that this code was written for, found without importing alembic."""

from __future__ import annotations

from pathlib import Path

NEWEST = max(each.name[:4] for each in (Path(__file__).parent / "migrations" / "versions").glob("[0-9]*.py"))
"""The revision of the last migration; its file name begins with it."""
