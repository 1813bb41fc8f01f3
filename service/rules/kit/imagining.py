"""The states that a viewer cannot tell from the real one, made from what the fields of a state say of secrets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import Any, TypeVar

from service.rules.arrangements import arrangements
from service.rules.kernel import Dice, Seat
from service.rules.kit.secrecy import Secret, by_seat, marks, now_marked

State = TypeVar("State")


def imagine(state: State, viewer: Seat | None) -> list[State]:
    """Return states in which the hidden things of each pool lie otherwise, and each secret choice was another one."""
    secrets, pools, choices = _secrets(state, viewer)
    ways = {
        pool: _chosen(choices[pool], len(things)) if pool in choices else arrangements(things)
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
        pools.setdefault(mark.pool or name, []).extend(_hidden(getattr(state, name), mark, viewer))
    choices = {name: mark.among for name, mark in secrets.items() if mark.among}
    return secrets, {pool: sorted(things, key=repr) for pool, things in pools.items()}, choices


def _rolled(dice: Dice, pool: str, values: Sequence[Any], count: int) -> list[Any]:
    return [values[roll - 1] for roll in dice.roll(f"choose {pool} again", len(values), count)] if count else []


def _chosen(values: Sequence[Any], count: int) -> list[list[Any]]:
    shifts = range(len(values) if count else 1)
    return [[values[(shift + place) % len(values)] for place in range(count)] for shift in shifts]


def _hidden(value: Any, mark: Secret, viewer: Seat | None) -> Iterator[Any]:
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
