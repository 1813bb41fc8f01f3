"""Secret fields of states and events: the type of a field says who sees it; views, redaction and new deals follow."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cache
from itertools import product
from typing import Annotated, Any, Literal, TypeVar, cast, get_type_hints

from service.rules.kernel import Dice, Seat
from service.rules.permutations import sample_permutations

Value = TypeVar("Value")
Owner = Literal["seat", "seats", "nobody"]


@dataclass(frozen=True, slots=True)
class Secret:
    """A field that not everybody sees: `Annotated[tuple[int, ...], Secret("seats")]`.

    The owner `seat` is the one in the record's field `seat`. With `seats` the field is a tuple or a mapping with a
    member for each seat, and each seat sees its own. `nobody` is for decks. How many members a tuple has, and which
    seats a mapping has, everybody sees.

    In a state, hidden things of one `pool` may lie in each other's place: together they are known, as the cards of a
    deck are. A choice that a player keeps secret is one `among` the values given. A secret is one `until` the record's
    field or property of that name is true.
    """

    owner: Owner
    pool: str = ""
    among: tuple[Any, ...] = ()
    until: str = ""


PUBLIC = "public"
Public = Annotated[Value, PUBLIC]
"""A field that everybody sees: `points: Public[tuple[int, ...]]`."""


def marks(kind: type[Any]) -> Mapping[str, Secret | None]:
    """Return for each field of a dataclass who sees it, None for public; TypeError for a field that does not say."""
    return _marks(cast("Hashable", kind))


@cache
def _marks(kind: Any) -> Mapping[str, Secret | None]:
    hints, found = get_type_hints(kind, include_extras=True), {}
    for name in (field.name for field in fields(kind)):
        said = [each for each in getattr(hints[name], "__metadata__", ()) if each == PUBLIC or isinstance(each, Secret)]
        if len(said) != 1:
            raise TypeError(f"{kind.__name__}.{name} has to say who sees it: Public[..] or Annotated[.., Secret(..)]")
        found[name] = None if said[0] == PUBLIC else said[0]
    return found


def told(record: Any, viewer: Seat | None) -> dict[str, Any]:
    """Return the fields of a record as JSON, with None for each thing that the viewer may not see."""
    return {name: _told(getattr(record, name), mark, record, viewer) for name, mark in now_marked(record).items()}


def now_marked(record: Any) -> Mapping[str, Secret | None]:
    """Return for each field of a record who sees it now, None for public."""
    said = marks(type(record))
    return {
        name: None if mark is not None and mark.until and getattr(record, mark.until) else mark
        for name, mark in said.items()
    }


def sees(record: Any, viewer: Seat | None) -> bool:
    """Return whether a secret of the record is the viewer's."""
    owners = {mark.owner for mark in marks(type(record)).values() if mark is not None}
    return viewer is not None and ("seats" in owners or ("seat" in owners and viewer == record.seat))


def by_seat(value: Any) -> Iterator[tuple[Seat, Any]]:
    """Yield the seats that have a member in a tuple or a mapping, and these members."""
    yield from sorted(value.items()) if isinstance(value, Mapping) else enumerate(value)


def plain(value: Any) -> Any:
    """Return a value as JSON."""
    if is_dataclass(value):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): plain(value[key]) for key in sorted(value)}
    return list(map(plain, value)) if isinstance(value, tuple) else value


def _told(value: Any, mark: Secret | None, record: Any, viewer: Seat | None) -> Any:
    if mark is None:
        return plain(value)
    if mark.owner == "seats":
        members = {seat: plain(each) if seat == viewer else _hidden(each) for seat, each in by_seat(value)}
        return plain(members) if isinstance(value, Mapping) else list(members.values())
    return plain(value) if mark.owner == "seat" and viewer == record.seat else _hidden(value)


def _hidden(value: Any) -> Any:
    return list(map(_hidden, value)) if isinstance(value, tuple) else None


# States that a viewer cannot tell from the real one, and new deals of what is hidden.

State = TypeVar("State")


def imagine(state: State, viewer: Seat | None) -> list[State]:
    """Return states in which the hidden things of each pool lie otherwise, and each secret choice was another one."""
    secrets, pools, choices = _secrets(state, viewer)
    ways = {
        pool: _chosen(choices[pool], len(things)) if pool in choices else sample_permutations(things)
        for pool, things in pools.items()
    }
    return [_filled(state, viewer, secrets, dict(zip(ways, way, strict=True))) for way in product(*ways.values())]


def deal_again(state: State, viewer: Seat | None, dice: Dice) -> State:
    """Return a state in which the hidden things of each pool, and the secret choices, are as the dice have it."""
    secrets, pools, choices = _secrets(state, viewer)
    dealt = {
        pool: _rolled(dice, pool, choices[pool], len(things))
        if pool in choices
        else dice.shuffle(f"deal {pool} again", things)
        for pool, things in pools.items()
    }
    return _filled(state, viewer, secrets, dealt)


def check_secrets(kind: type[Any]) -> None:
    """Check that each secret of a state says what may be there instead; TypeError for one that does not."""
    for name, mark in marks(kind).items():
        if mark is not None and (bool(mark.pool) == bool(mark.among) or mark.owner == "seat"):
            raise TypeError(f"{kind.__name__}.{name}: a secret of a state has a pool, or is one among some values")


def _secrets(
    state: Any, viewer: Seat | None
) -> tuple[Mapping[str, Secret], Mapping[str, list[Any]], Mapping[str, Sequence[Any]]]:
    """Return the secrets of a state, the hidden things of each pool in a fixed order, and what may be chosen."""
    secrets = {name: mark for name, mark in now_marked(state).items() if mark is not None}
    pools: dict[str, list[Any]] = {}
    for name, mark in secrets.items():
        pools.setdefault(mark.pool or name, []).extend(_hidden_things(getattr(state, name), mark, viewer))
    choices = {name: mark.among for name, mark in secrets.items() if mark.among}
    return secrets, {pool: sorted(things, key=repr) for pool, things in pools.items()}, choices


def _rolled(dice: Dice, pool: str, values: Sequence[Any], count: int) -> list[Any]:
    return [values[roll - 1] for roll in dice.roll(f"choose {pool} again", len(values), count)] if count else []


def _chosen(values: Sequence[Any], count: int) -> list[list[Any]]:
    shifts = range(len(values) if count else 1)
    return [[values[(shift + place) % len(values)] for place in range(count)] for shift in shifts]


def _hidden_things(value: Any, mark: Secret, viewer: Seat | None) -> Iterator[Any]:
    if mark.owner == "seats":
        for seat, each in by_seat(value):
            if seat != viewer:
                yield from _things(each)
    else:
        yield from _things(value)


def _things(value: Any) -> Iterator[Any]:
    if isinstance(value, tuple):
        for each in value:
            yield from _things(each)
    else:
        yield value


def _filled(
    state: State, viewer: Seat | None, secrets: Mapping[str, Secret], way: Mapping[str, Sequence[Any]]
) -> State:
    """Return the state with other things in all hidden places, which are taken in the order of the fields."""
    things = {pool: iter(laid) for pool, laid in way.items()}
    laid = {}
    for name, mark in secrets.items():
        value, lies = getattr(state, name), things[mark.pool or name]
        if mark.owner == "seats":
            members = {seat: each if seat == viewer else _laid(each, lies) for seat, each in by_seat(value)}
            laid[name] = members if isinstance(value, Mapping) else tuple(members.values())
        else:
            laid[name] = _laid(value, lies)
    return replace(state, **laid)  # type: ignore[type-var] # a state is a dataclass


def _laid(value: Any, things: Iterator[Any]) -> Any:
    return tuple(_laid(each, things) for each in value) if isinstance(value, tuple) else next(things)
