"""The legal actions as a tree, from which a client picks one part after the other.

An action is a list of parts in the order of its fields; a part is a JSON pointer into the action and the value there.
Actions that begin alike share their first parts. The part of a list is a list of nulls of the same length, so that its
length is chosen before its members; the part of an object is an empty object.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

Part = tuple[str, Any]
Row = tuple[tuple[Part, ...], dict[str, Any]]


def picker(choices: Sequence[dict[str, Any]]) -> dict[str, Any] | None:
    """Return the first step of the tree for the choices of `table.choices`; None if there are no choices."""
    rows = [(tuple(_parts("", choice["action"]))[1:], choice) for choice in choices]
    return _step(rows, 0) if rows else None


def _step(rows: list[Row], depth: int) -> dict[str, Any]:
    """Return the step for actions whose first `depth` parts are equal; the next part of all has the same pointer."""
    values: dict[str, list[Row]] = {}
    for row in rows:
        values.setdefault(repr(row[0][depth][1]), []).append(row)
    return {"pointer": rows[0][0][depth][0], "options": [_way(alike, depth) for alike in values.values()]}


def _way(rows: list[Row], depth: int) -> dict[str, Any]:
    parts, choice = rows[0]
    pointer, value = parts[depth]
    settled = depth + 1
    while settled < len(parts) and _alike(rows, settled):
        settled += 1
    alone = len(rows) == 1
    way = {
        "value": value,
        "label": choice["text"] if alone else choice["kind"] if pointer == "/type" else None,
        "count": len(rows),
        "follows": _joined(parts[depth + 1 : settled], parts[settled][0] if settled < len(parts) else ""),
        "notation": choice["notation"] if alone else None,
        "next": None if alone else _step(rows, settled),
    }
    return {name: each for name, each in way.items() if name in ("value", "count") or each}


def _joined(parts: Sequence[Part], open_part: str) -> list[dict[str, Any]]:
    """Return the settled parts, with complete lists and objects as one part; `open_part` is the pointer of the next."""
    whole: list[dict[str, Any]] = []
    inside: dict[str, Any] = {}
    for pointer, empty in parts:
        value = empty.copy() if isinstance(empty, dict | list) else empty
        above, _, key = pointer.rpartition("/")
        if above in inside:
            around = inside[above]
            around[int(key) if isinstance(around, list) else key] = value
        else:
            whole.append({"pointer": pointer, "value": value})
        if isinstance(value, dict | list) and not open_part.startswith(f"{pointer}/"):
            inside[pointer] = value
    return whole


def _alike(rows: list[Row], depth: int) -> bool:
    return len({repr(parts[depth]) for parts, _ in rows}) == 1


def _parts(pointer: str, value: Any) -> Iterator[Part]:
    if isinstance(value, dict):
        yield pointer, {}
        for key, below in value.items():
            yield from _parts(f"{pointer}/{key}", below)
    elif isinstance(value, list):
        yield pointer, [None] * len(value)
        for index, below in enumerate(value):
            yield from _parts(f"{pointer}/{index}", below)
    else:
        yield pointer, value
