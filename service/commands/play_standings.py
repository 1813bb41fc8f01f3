"""The standings of any game as lines of a terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from service.commands.terminal import say


def print_standings(value: Any, names: Mapping[int, str], indent: str = "  ") -> None:
    """Print a part of the standings, which each game has in its own shape, under the names of the seats."""
    for key, below in value.items() if isinstance(value, dict) else enumerate(value):
        if key == "seat":
            continue
        label = names.get(below["seat"], f"seat {below['seat']}") if _is_seat(below) else key
        if any(isinstance(each, dict | list) for each in _values(below)):
            say(f"{indent}{label}:")
            print_standings(below, names, indent + "  ")
        else:
            say(f"{indent}{label}: {_inline(below)}")


def _is_seat(value: Any) -> bool:
    return isinstance(value, dict) and isinstance(value.get("seat"), int)


def _values(value: Any) -> Sequence[Any]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else ()


def _inline(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {below}" for key, below in value.items()) or "-"
    return (", ".join(map(str, value)) or "-") if isinstance(value, list) else str(value)
