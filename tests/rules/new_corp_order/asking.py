"""Actions that nobody promises to be legal: well formed by their types, or legal ones with a field changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, is_dataclass, replace
from random import Random
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from service.rules.games.new_corp_order import RULESET


def any_action(lots: Random) -> Any:
    """Return a well-formed action of any kind."""
    return _value(lots.choice(list(RULESET.action_types.values())), lots)


def changed(action: Any, lots: Random) -> Any:
    """Return the action with one of its fields drawn anew, or changed in its turn."""
    hints = get_type_hints(type(action))
    if not hints:
        return action
    name = lots.choice(sorted(hints))
    value = getattr(action, name)
    if is_dataclass(value) and lots.random() < 0.7:
        return replace(action, **{name: changed(value, lots)})
    if isinstance(value, tuple) and value and lots.random() < 0.7:
        return replace(action, **{name: _one_changed(value, hints[name], lots)})
    return replace(action, **{name: _value(hints[name], lots)})


def _one_changed(items: tuple[Any, ...], hint: Any, lots: Random) -> tuple[Any, ...]:
    if lots.random() < 0.3:
        return tuple(lots.sample(items, len(items)))
    place, item = lots.randrange(len(items)), _value(get_args(hint)[0], lots)
    if is_dataclass(items[place]):
        item = changed(items[place], lots)
    return (*items[:place], item, *items[place + 1 :])


def _value(hint: Any, lots: Random) -> Any:
    origin, arguments = get_origin(hint), get_args(hint)
    if is_dataclass(hint) and isinstance(hint, type):
        hints = get_type_hints(hint)
        return hint(**{field.name: _value(hints[field.name], lots) for field in fields(hint)})
    if origin is Literal:
        return lots.choice(arguments)
    if origin in {Union, UnionType}:
        return _value(lots.choice(arguments), lots)
    if origin is tuple:
        return tuple(_value(item, lots) for item in _lengthened(arguments, lots))
    return {int: lots.randint(-1, 5), bool: lots.random() < 0.5, type(None): None}[hint]


def _lengthened(items: Sequence[Any], lots: Random) -> Sequence[Any]:
    return [items[0]] * lots.randint(0, 3) if len(items) == 2 and items[1] is Ellipsis else items
