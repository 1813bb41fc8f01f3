"""The rule for migrations newer than the last release: they add, and what takes away says what had replaced it."""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType


def fault(migration: ModuleType, breaks: Sequence[str], released: str) -> str:
    """Return what is wrong with a migration after the last release, or an empty text.

    `breaks` is what older code cannot live with (catalog.py), `released` the last migration of the last release.
    """
    contracts, relaxes = getattr(migration, "contracts", None), getattr(migration, "relaxes", None)
    name = f"migration {migration.revision}"
    if relaxes is not None:
        # Older code, which does nothing that such a trigger refuses, does not notice that it refuses less.
        relaxed = f"trigger {relaxes} is gone or does something else"
        if relaxed not in breaks:
            return f"{name} says that it relaxes {relaxes}, and leaves it as it was"
        breaks = [each for each in breaks if each != relaxed]
    if contracts is None and breaks:
        return (
            f"{name} breaks the code of the last release: {'; '.join(breaks)}. Add only, and take away a "
            "release later, in a migration with `contracts` (docs/add-a-column.md)"
        )
    if contracts is not None and not breaks:
        return f"{name} says that it contracts {contracts}, and takes nothing away"
    if contracts is not None and contracts > released:
        return f"{name} contracts {contracts}, which is not released: the code of {released} would not live with it"
    return ""
