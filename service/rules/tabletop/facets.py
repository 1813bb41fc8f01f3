"""Choosing an action part by part: each part can be picked or changed at any time, the other parts are preselected."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from service.rules.shapes import Choice, Choices, NoSuchChoice, Picks, Prospect

KIND = "kind"


@dataclass(frozen=True, slots=True)
class Row:
    """An action, the values of its parts, what comes of it, and how much is to be said for preselecting it."""

    action: Any
    parts: Mapping[str, Any]
    prospect: Prospect = "open"
    gain: int | None = None
    worth: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Facets:
    """The parts of a kind of action in the order in which they are shown, and the words for them.

    The parts in `asked` the player has to pick; the others are preselected. `show` returns label and place of a value.
    `amount` is the part with numbers for a stepper.
    """

    kind: str
    order: Sequence[str]
    asked: frozenset[str]
    show: Callable[[str, Any], tuple[str, str | None]]
    ask: Callable[[str], str]
    amount: str | None = None


def written(value: Any) -> str:
    """Return a value as it stands in a link; nothing is an empty text."""
    return "" if value is None else str(value)


def picks_of(facets: Facets, row: Row) -> Picks:
    """Return the picks that lead to the action of a row."""
    return {KIND: facets.kind, **{part: written(row.parts.get(part)) for part in facets.order}}


def choose(rows: Sequence[Row], picks: Picks, facets: Facets) -> Choices:
    """Return what can be chosen after the picks; NoSuchChoice if no row has them.

    A part in which there is nothing to choose is left out, unless it is the first one.
    """
    wanted = {part: value for part, value in picks.items() if part != KIND}
    matching = _matching(rows, wanted)
    if not matching or not wanted.keys() <= set(facets.order):
        raise NoSuchChoice(dict(picks))
    pending = _pending(matching, wanted, facets)
    best = None if pending else max(matching, key=lambda row: row.worth)
    settled = wanted if best is None else {part: written(best.parts.get(part)) for part in facets.order}
    choices = [
        choice
        for part in facets.order
        if part == pending or part in wanted or best is not None
        for choice in _of(part, rows, settled, wanted, facets)
    ]
    ask = facets.ask(pending) if pending else ""
    return Choices(ask=ask, choices=tuple(choices), action=best and best.action, amount=facets.amount)


def _pending(matching: Sequence[Row], wanted: Mapping[str, str], facets: Facets) -> str | None:
    """Return the first part that the player has yet to pick."""
    for part in facets.order:
        if part in facets.asked and part not in wanted and len({written(row.parts.get(part)) for row in matching}) > 1:
            return part
    return None


def _of(
    part: str, rows: Sequence[Row], settled: Mapping[str, str], wanted: Mapping[str, str], facets: Facets
) -> list[Choice]:
    """Return the choices for a part, given the parts before it; what is picked after it is kept where it can be."""
    place = list(facets.order).index(part)
    before = {name: settled[name] for name in facets.order[:place] if name in settled}
    found: dict[str, list[Row]] = {}
    for row in _matching(rows, before):
        found.setdefault(written(row.parts.get(part)), []).append(row)
    if len(found) < 2 and part in settled and place:
        return []
    return [_choice(part, value, alike, before, settled, wanted, facets) for value, alike in found.items()]


def _choice(
    part: str,
    value: str,
    alike: Sequence[Row],
    before: Mapping[str, str],
    settled: Mapping[str, str],
    wanted: Mapping[str, str],
    facets: Facets,
) -> Choice:
    picked = {**before, part: value}
    for later in (each for each in facets.order if each in wanted and each not in picked):
        if further := _matching(alike, {later: wanted[later]}):
            alike, picked = further, {**picked, later: wanted[later]}
    best = max(alike, key=lambda row: row.worth)
    label, place = facets.show(part, best.parts.get(part))
    return Choice(
        part=part,
        value=value,
        label=label,
        place=place,
        prospect=best.prospect,
        gain=best.gain,
        picks={KIND: facets.kind, **picked},
        chosen=settled.get(part) == value,
    )


def _matching(rows: Sequence[Row], wanted: Mapping[str, str]) -> list[Row]:
    items = wanted.items()
    return [row for row in rows if all(written(row.parts.get(part)) == value for part, value in items)]
