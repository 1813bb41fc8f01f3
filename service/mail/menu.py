"""Legal actions grouped by kind, and an excerpt of a long list."""

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


def excerpt(groups: Mapping[str, Sequence[Choice]], limit: int) -> dict[str, list[Choice]]:
    """Return at most `limit` choices, but at least one of every kind, spread evenly over each group."""
    shares, left = {}, limit
    for served, name in enumerate(sorted(groups, key=lambda name: len(groups[name]))):
        # Small groups first: the share that they leave over goes to the large ones.
        shares[name] = min(len(groups[name]), max(1, left // (len(groups) - served)))
        left -= shares[name]
    return {name: _spread(group, shares[name]) for name, group in groups.items()}


def _spread(group: Sequence[Choice], count: int) -> list[Choice]:
    if len(group) <= count:
        return list(group)
    return [group[index * len(group) // count] for index in range(count)]
