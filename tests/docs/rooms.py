"""The rooms of the code: their floors from the import contracts, the imports between them from the code itself."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import grimp

ROOT = Path(__file__).parents[2]
PACKAGES = ("service", "schemas", "workers")

Arrow = tuple[str, str]
"""The room that imports, and the room that it imports."""


def contracts() -> list[Mapping[str, Any]]:
    """Return the import contracts of pyproject.toml, in its order."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        found: list[Mapping[str, Any]] = tomllib.load(file)["tool"]["importlinter"]["contracts"]
    return found


def floors() -> list[list[str]]:
    """Return the rooms of each floor, the top floor first.

    The contract with a container orders the rooms of `service`; the other layers contract says at which floor the
    packages outside it stand.
    """
    layers = [contract for contract in contracts() if contract["type"] == "layers"]
    inside = next(contract for contract in layers if "containers" in contract)
    outside = next(contract for contract in layers if "containers" not in contract)
    found = [_names(layer) for layer in inside["layers"]]
    for layer in outside["layers"]:
        rooms = [name.removeprefix("service.") for name in _names(layer)]
        for floor in found:
            if any(room in floor for room in rooms):
                floor += [room for room in rooms if room not in floor]
    return found


def pure() -> set[str]:
    """Return the rooms that a contract keeps from SQL, the web and mail."""
    found: set[str] = set()
    for contract in contracts():
        if {"sqlalchemy", "flask"} <= set(contract.get("forbidden_modules", ())):
            found |= {name.removeprefix("service.") for name in contract["source_modules"]}
    return found


def arrows() -> set[Arrow]:
    """Return every import from one room to another that the code has today; `service` itself is no room."""
    graph = grimp.build_graph(*PACKAGES, cache_dir=None)
    found = set()
    for module in graph.modules:
        for imported in graph.find_modules_directly_imported_by(module):
            here, there = _room(module), _room(imported)
            if here != there and "service" not in (here, there):
                found.add((here, there))
    return found


def thinned(drawn: Iterable[Arrow]) -> set[Arrow]:
    """Return the arrows that no others imply: the transitive reduction of a graph without circles."""
    below: dict[str, set[str]] = {}
    for here, there in drawn:
        below.setdefault(here, set()).add(there)
    return {
        (here, there)
        for here, direct in below.items()
        for there in direct
        if not any(there in _reached(other, below) for other in direct - {there})
    }


def _reached(start: str, below: Mapping[str, set[str]]) -> set[str]:
    found: set[str] = set()
    waiting = [start]
    while waiting:
        for room in below.get(waiting.pop(), set()) - found:
            found.add(room)
            waiting.append(room)
    return found


def _names(layer: str) -> list[str]:
    return [name.strip() for name in layer.split("|")]


def _room(module: str) -> str:
    package, *rest = module.split(".")
    return rest[0] if package == "service" and rest else package
