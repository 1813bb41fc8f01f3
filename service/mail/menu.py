"""Legal actions grouped by kind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Choice = Mapping[str, Any]


def by_kind(choices: Sequence[Choice]) -> dict[str, list[Choice]]:
    """Return the choices by the name of their kind, in the order of appearance."""
    groups: dict[str, list[Choice]] = {}
    for choice in choices:
        groups.setdefault(choice["kind"], []).append(choice)
    return groups
