"""Legal actions as a tree, picked part by part.

An action is a list of parts in the order of its fields. A part is a JSON pointer into the action and the value there.
Actions that begin alike share their first parts. A list's part is a list of nulls of its length: the length is chosen
before the members. An object's part is an empty object.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from service.log.codec import action_json
from service.rules.kernel import Part as kernel_Part
from service.rules.kernel import Question
from service.store.games import Position

Part = tuple[str, Any]
Row = tuple[tuple[Part, ...], dict[str, Any]]


def picker(choices: Sequence[dict[str, Any]]) -> dict[str, Any] | None:
    """Return the first step of the tree for the choices of `table.choices`; None if there are no choices."""
    rows = [(tuple(_parts("", choice["action"]))[1:], choice) for choice in choices]
    return _step(rows, 0) if rows else None


def _step(rows: list[Row], depth: int) -> dict[str, Any]:
    """Return the step of actions that share their first `depth` parts; their next pointer is the same."""
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
    """Return the settled parts, complete lists and objects as one part; `open_part` is the next pointer."""
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


# Picking step by step. A path has the numbers of the earlier answers, so every step has an address. A question with a
# single answer is skipped. Members of a list may be picked in any order if their order does not matter.

FEW = 12
"""Limit of answers shown together with their kind of action."""

Path = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PickOption:
    """An answer: its label, its path, the number of actions left, and its place on the board."""

    label: str
    path: Path
    count: int
    place: str | None


@dataclass(frozen=True, slots=True)
class PickStep:
    """A question with its answers, the trail of earlier answers with paths back, and the action once picked.

    `groups` has the answers by kind of action while the kind is open, then all answers under the question. Kinds with
    too many answers, or none, are answers themselves, together without a title.
    """

    path: Path
    groups: tuple[tuple[str, tuple[PickOption, ...]], ...]
    trail: tuple[tuple[str, Path], ...]
    action: Any = None


class NoSuchStep(ValueError):
    """No step has this path."""


@dataclass(frozen=True, slots=True)
class _Row:
    """A legal action and its parts (pointer, value); a list of plain values is one part, whose value is a tuple."""

    action: Any
    parts: tuple[tuple[str, Any], ...]


@dataclass(frozen=True, slots=True)
class _Place:
    """A place in the tree: the actions left, the index of the next part, the picked members of a list."""

    rows: Sequence[_Row]
    depth: int
    taken: tuple[Any, ...] = ()


def next_step(
    position: Position, seat: int, path: Path, language: str, actions: Sequence[Any] | None = None
) -> PickStep:
    """Return the step at a path among `actions` (None: the legal ones); NoSuchStep."""
    walk = _Walk(position, seat, language)
    offered = position.ruleset.legal(position.state, seat) if actions is None else actions
    rows = [_Row(action, tuple(_step_parts("", action_json(action)))) for action in offered]
    (place, ways), trail = walk.settled(_Place(rows, 0)), []
    for done, number in enumerate(path):
        if not 0 <= number < len(ways):
            raise NoSuchStep(path)
        trail.append((walk.question(place, ways).labels[number], path[:done]))
        place, ways = walk.settled(ways[number][2])
    if len(place.rows) == 1:
        return PickStep(path, (), tuple(trail), place.rows[0].action)
    return PickStep(path, walk.groups(place, ways, path), tuple(trail))


_Way = tuple[str, Any, _Place]
"""A part's pointer and value, and the place after this answer."""


class _Walk:
    def __init__(self, position: Position, seat: int, language: str) -> None:
        self.ruleset = position.ruleset
        self.seat, self.language, self.names = seat, language, position.names_in(language)
        self.view = position.ruleset.view(position.state, seat)

    def groups(self, place: _Place, ways: Sequence[_Way], path: Path) -> tuple[tuple[str, tuple[PickOption, ...]], ...]:
        """Return the answers at a place, grouped by kind of action while the kind is open."""
        question = self.question(place, ways)
        if place.depth:
            return ((question.text, self.answers(ways, question, path)),)
        groups, kinds = [], []
        for number, (kind, (_, _, begun)) in enumerate(zip(question.labels, ways, strict=True)):
            (reached, further), way = self.settled(begun), (*path, number)
            if 0 < len(further) <= FEW:
                groups.append((kind, self.answers(further, self.question(reached, further), way)))
            else:
                kinds.append(PickOption(kind, way, len(reached.rows), None))
        return (*groups, *([("", tuple(kinds))] if kinds else []))

    def answers(self, ways: Sequence[_Way], question: Question, path: Path) -> tuple[PickOption, ...]:
        """Return the answers to a question as options with their paths."""
        named = zip(question.labels, question.places, ways, strict=True)
        return tuple(
            PickOption(label, (*path, number), len(reached.rows), place)
            for number, (label, place, (_, _, reached)) in enumerate(named)
        )

    def settled(self, place: _Place) -> tuple[_Place, list[_Way]]:
        """Return the next place with several answers, and the answers; none if only one action is left."""
        ways = self.ways(place) if len(place.rows) > 1 else []
        while len(ways) == 1:
            place = ways[0][2]
            ways = self.ways(place) if len(place.rows) > 1 else []
        return place, ways

    def ways(self, place: _Place) -> list[_Way]:
        """Return the answers at a place, each with the place after it."""
        found: dict[tuple[str, Any], tuple[str, Any, list[_Row]]] = {}
        as_they_stand = _ordered(place)
        for row in place.rows:
            pointer, value = row.parts[place.depth]
            if isinstance(value, tuple):
                pointer = f"{pointer}/{len(place.taken)}"
                values = _next_of(value, place.taken, as_they_stand)
            else:
                values = [value]
            for each in values:
                found.setdefault((pointer if each is not None else "", repr(each)), (pointer, each, []))[2].append(row)
        return [(pointer, value, _after(place, value, rows)) for pointer, value, rows in found.values()]

    def question(self, place: _Place, ways: Sequence[_Way]) -> Question:
        """Return the question at a place; for the kind of action only labels, without text."""
        if not place.depth:
            kinds = [self.ruleset.action_types[value] for _, value, _ in ways]
            labels = [self.ruleset.describe(kind, self.seat, self.language, self.names) for kind in kinds]
            return Question(text="", labels=tuple(labels), places=(None,) * len(labels))
        pointer = max((pointer for pointer, _, _ in ways), key=len)
        part = kernel_Part(kind=place.rows[0].parts[0][1], pointer=pointer, values=tuple(value for _, value, _ in ways))
        return self.ruleset.ask(part, self.view, self.language, self.names)


def _after(place: _Place, value: Any, rows: list[_Row]) -> _Place:
    if isinstance(rows[0].parts[place.depth][1], tuple) and value is not None:
        return _Place(rows, place.depth, (*place.taken, value))
    return _Place(rows, place.depth + 1)


def _ordered(place: _Place) -> bool:
    """Return whether a list's order matters: two legal lists differ only in order."""
    lists = {row.parts[place.depth][1] for row in place.rows if isinstance(row.parts[place.depth][1], tuple)}
    return any(one == other for one, other in pairwise(sorted(sorted(map(repr, each)) for each in lists)))


def _next_of(values: tuple[Any, ...], taken: tuple[Any, ...], ordered: bool) -> list[Any]:
    """Return the next possible members of a list; [None] if complete."""
    if len(values) == len(taken):
        return [None]
    if ordered:
        return [values[len(taken)]]
    left = list(values)
    for each in taken:
        left.remove(each)
    return list(dict.fromkeys(left))


def _step_parts(pointer: str, value: Any) -> list[tuple[str, Any]]:
    if isinstance(value, dict):
        return [part for key, below in value.items() for part in _step_parts(f"{pointer}/{key}", below)]
    if not isinstance(value, list):
        return [(pointer, value)]
    if not any(isinstance(each, dict) for each in value):
        return [(pointer, tuple(value))]
    # The final None marks the end of the list, where a further member would begin.
    members = [part for index, below in enumerate(value) for part in _step_parts(f"{pointer}/{index}", below)]
    return [*members, (pointer, None)]
