"""An action picked part by part: which part comes next, what it may be, and what has been picked so far.

Every step is named by the numbers of the answers that led there, so that it has an address of its own. An answer that
is the only one is given without asking. The members of a list may be picked in any order where their order is all one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from service.log.codec import action_json
from service.rules.kernel import Part, Question
from service.store.position import Position

KIND = "/type"
FEW = 12
"""So many answers are shown along with the kind of action that they belong to."""

Path = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PickOption:
    """One answer: what it is called, the way there, how many actions it leaves, the place of the board it names."""

    label: str
    path: Path
    count: int
    place: str | None


@dataclass(frozen=True, slots=True)
class PickStep:
    """A question with its answers, and the labels of earlier answers with the ways back; an action once it is picked.

    `groups` are the answers by the kind of action where that is still open, and else all under the question.
    """

    path: Path
    groups: tuple[tuple[str, tuple[PickOption, ...]], ...]
    trail: tuple[tuple[str, Path], ...]
    action: Any = None


class NoSuchStep(ValueError):
    """No step has this path."""


@dataclass(frozen=True, slots=True)
class _Row:
    """A legal action and its parts; a list of plain values is one part, with a tuple for its value."""

    action: Any
    parts: tuple[tuple[str, Any], ...]


@dataclass(frozen=True, slots=True)
class _Place:
    """Where the picking stands: the actions left, the part that comes next, what of a list is picked already."""

    rows: Sequence[_Row]
    depth: int
    taken: tuple[Any, ...] = ()


def step(position: Position, seat: int, path: Path, language: str) -> PickStep:
    """Return the step at the end of a path for a seat that is to act; Wrong if there is none."""
    walk = _Walk(position, seat, language)
    rows = [
        _Row(action, tuple(_parts("", action_json(action)))) for action in position.ruleset.legal(position.state, seat)
    ]
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
"""Where the answer stands, the answer, and what comes after it."""


class _Walk:
    """The way through the legal actions of a seat."""

    def __init__(self, position: Position, seat: int, language: str) -> None:
        self.ruleset = position.ruleset
        self.seat, self.language, self.names = seat, language, position.names_in(language)
        self.view = position.ruleset.view(position.state, seat)

    def groups(self, place: _Place, ways: Sequence[_Way], path: Path) -> tuple[tuple[str, tuple[PickOption, ...]], ...]:
        """Return the answers at a place, by kind of action while that is open."""
        question = self.question(place, ways)
        if place.depth:
            return ((question.text, self.answers(ways, question, path)),)
        groups = []
        for number, (kind, (_, _, begun)) in enumerate(zip(question.labels, ways, strict=True)):
            (reached, further), way = self.settled(begun), (*path, number)
            if 0 < len(further) <= FEW:
                groups.append((kind, self.answers(further, self.question(reached, further), way)))
            else:
                groups.append((kind, (PickOption(kind, way, len(reached.rows), None),)))
        return tuple(groups)

    def answers(self, ways: Sequence[_Way], question: Question, path: Path) -> tuple[PickOption, ...]:
        """Return the answers to a question as options, each with the path that leads on from it."""
        named = zip(question.labels, question.places, ways, strict=True)
        return tuple(
            PickOption(label, (*path, number), len(reached.rows), place)
            for number, (label, place, (_, _, reached)) in enumerate(named)
        )

    def settled(self, place: _Place) -> tuple[_Place, list[_Way]]:
        """Return the place after all answers that are the only ones, and the answers there: none to a single action."""
        ways = self.ways(place) if len(place.rows) > 1 else []
        while len(ways) == 1:
            place = ways[0][2]
            ways = self.ways(place) if len(place.rows) > 1 else []
        return place, ways

    def ways(self, place: _Place) -> list[_Way]:
        """Return the answers at a place, each with the place that it leads to."""
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
        """Return the question at a place; which kind of action it is to be is asked without words."""
        if not place.depth:
            kinds = [self.ruleset.action_types[value] for _, value, _ in ways]
            labels = [self.ruleset.describe(kind, self.seat, self.language, self.names) for kind in kinds]
            return Question(text="", labels=tuple(labels), places=(None,) * len(labels))
        pointer = max((pointer for pointer, _, _ in ways), key=len)
        part = Part(kind=place.rows[0].parts[0][1], pointer=pointer, values=tuple(value for _, value, _ in ways))
        return self.ruleset.ask(part, self.view, self.language, self.names)


def _after(place: _Place, value: Any, rows: list[_Row]) -> _Place:
    if isinstance(rows[0].parts[place.depth][1], tuple) and value is not None:
        return _Place(rows, place.depth, (*place.taken, value))
    return _Place(rows, place.depth + 1)


def _ordered(place: _Place) -> bool:
    """Return whether the order counts: whether two of the lists differ in nothing else."""
    lists = {row.parts[place.depth][1] for row in place.rows if isinstance(row.parts[place.depth][1], tuple)}
    return any(one == other for one, other in pairwise(sorted(sorted(map(repr, each)) for each in lists)))


def _next_of(values: tuple[Any, ...], taken: tuple[Any, ...], ordered: bool) -> list[Any]:
    """Return what may be picked next of a list; None if it is complete."""
    if len(values) == len(taken):
        return [None]
    if ordered:
        return [values[len(taken)]]
    left = list(values)
    for each in taken:
        left.remove(each)
    return list(dict.fromkeys(left))


def _parts(pointer: str, value: Any) -> list[tuple[str, Any]]:
    if isinstance(value, dict):
        return [part for key, below in value.items() for part in _parts(f"{pointer}/{key}", below)]
    if not isinstance(value, list):
        return [(pointer, value)]
    if not any(isinstance(each, dict) for each in value):
        return [(pointer, tuple(value))]
    # The last one stands where the first part of another member would.
    members = [part for index, below in enumerate(value) for part in _parts(f"{pointer}/{index}", below)]
    return [*members, (pointer, None)]
