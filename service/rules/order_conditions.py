"""Conditions of a move given ahead: places of the seat's own view, as JSON pointers (RFC 6901)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from service.rules.kernel import AnyRuleset, Json


class _Nothing:
    """Value of a place that a view does not have."""


NOWHERE: Final = _Nothing()


def value_at(view: Any, pointer: str) -> Any:
    """Return the value at the place of a view, NOWHERE if the view has no such place."""
    if not pointer:
        return view
    if not pointer.startswith("/"):
        return NOWHERE
    found = view
    for part in pointer[1:].split("/"):
        found = _below(found, part.replace("~1", "/").replace("~0", "~"))
    return found


def conditions_of(ruleset: AnyRuleset, view: Json, seat: int, action: Any) -> Sequence[str]:
    """Return the places of the seat's view that an action rests on, by the ruleset or else all of the view (T-31).

    Raises Illegal for an action that no decision of the game could ever be answered with, if the ruleset knows.
    """
    pointers = None if ruleset.relies_on is None else ruleset.relies_on(view, action)
    return _all(view, seat) if pointers is None else pointers


def _all(view: Json, seat: int) -> Sequence[str]:
    """Return all places of a view, but for what the others have in areas of their own.

    Such areas are the members of a list in the view that each have a `seat`. Everything else is shared: a card that is
    turned up in the supply, a round that has begun, or a deck that has become smaller is a change. A player whose order
    is to be played all the same names its conditions.
    """
    places: list[str] = []
    for name, value in view.items():
        place = f"/{name.replace('~', '~0').replace('/', '~1')}"
        if _by_seat(value):
            places += [f"{place}/{number}" for number, each in enumerate(value) if each["seat"] == seat]
        else:
            places.append(place)
    return places


def _by_seat(value: Any) -> bool:
    members = value if isinstance(value, list | tuple) else ()
    return bool(members) and all(isinstance(each, Mapping) and "seat" in each for each in members)


def _below(value: Any, part: str) -> Any:
    if isinstance(value, Mapping):
        return value.get(part, NOWHERE)
    if isinstance(value, Sequence) and not isinstance(value, str) and part.isascii() and part.isdigit():
        place = int(part) if len(part) < 10 else len(value)
        return value[place] if place < len(value) and part == str(place) else NOWHERE
    return NOWHERE
