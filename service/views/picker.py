"""The legal actions as a tree, from which a player picks one part after the other.

An action is a list of parts, in the order of its fields: what stands at each JSON pointer into it. Actions that begin
alike share their first parts. A list is a part as long as itself but empty, so that its length is settled before what
is in it; an object likewise.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

Part = tuple[str, Any]
Row = tuple[tuple[Part, ...], dict[str, Any]]


def picker(choices: Sequence[dict[str, Any]]) -> dict[str, Any] | None:
    """Return the step at which all choices (as `table.choices` returns them) part; None if there is no choice."""
    rows = [(tuple(_parts("", choice["action"]))[1:], choice) for choice in choices]
    return _step(rows, 0) if rows else None


def _step(rows: list[Row], depth: int) -> dict[str, Any]:
    """Return the step for actions alike in `depth` parts; they all go on with a part at the same pointer."""
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
    """Return the parts, those that are complete with all that is in them as one; `open_part` is yet to be chosen."""
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
