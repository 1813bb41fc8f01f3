"""Notation from the fields of an action: `sail north` is `Sail(harbour="north")`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import fields
from typing import Any, Literal, get_args, get_origin, get_type_hints

from service.rules.kernel import Unreadable, by_name

_NUMBER = re.compile(r"-?[0-9]{1,9}", re.ASCII)


def notate(action: Any) -> str:
    """Return the action's `type` tag and its fields, with blanks between."""
    tag = next(iter(by_name([type(action)])))
    return " ".join([tag, *(str(getattr(action, field.name)) for field in fields(action))])


def parse(kinds: Mapping[str, type[Any]], text: str) -> Any:
    """Return the action that a line means; raises Unreadable.

    Case does not matter. A word may be shortened as long as it is clear. But an action without fields is written in
    full, so that no word of small talk is taken for it.
    """
    tag, *words = text.casefold().split() or [""]
    meant = _meant(tag, kinds) if words else tag
    if meant not in kinds:
        raise Unreadable(text)
    types = field_types(kinds[meant])
    values = [_read(word, hint) for word, hint in zip(words, types.values(), strict=False)]
    if len(words) != len(types) or None in values:
        raise Unreadable(text)
    return kinds[meant](**dict(zip(types, values, strict=True)))


def field_types(kind: type[Any]) -> Mapping[str, Any]:
    """Return the types of an action's fields; TypeError for one that the notation cannot write, such as a tuple."""
    hints = get_type_hints(kind)
    for name, hint in hints.items():
        if hint is not int and get_origin(hint) is not Literal:
            raise TypeError(f"{kind.__name__}.{name} is no int or Literal: write `notate`, `parse` and `ask` yourself")
    return {field.name: hints[field.name] for field in fields(kind)}


def _read(word: str, hint: Any) -> Any:
    """Return the value that a word means, None if it means none."""
    if hint is int:
        return int(word) if _NUMBER.fullmatch(word) else None
    values = {str(value).casefold(): value for value in get_args(hint)}
    return values.get(_meant(word, values))


def _meant(word: str, choices: Iterable[str]) -> str:
    """Return the word, or the only choice that begins with it."""
    begun = [each for each in choices if each.startswith(word)]
    return begun[0] if len(begun) == 1 else word
