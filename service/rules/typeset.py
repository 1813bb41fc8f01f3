"""Typesets French: apostrophes are curved; no line ends before a colon, just inside a quotation mark, or after `n°`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any, Final, TypeVar

Texts = TypeVar("Texts")

LOOSE: Final = re.compile(r"(?<=\S) (?=[:;!?»](?:\s|$|[.,)]))|(?<=«) |(?<=\bn°) ")
"""The plain spaces at which French allows no end of a line."""

STRAIGHT: Final = re.compile(r"(?<=[^\W\d_])'(?=[\w{«])")
"""Straight apostrophes that stand for a letter; one with nothing after it belongs to the notation (`R'`)."""


def typeset(texts: Texts) -> Texts:
    """Return French texts, in tables and records of any depth, typeset.

    Call it once, before fields are filled in: then what players have written stays as it is.
    """
    return _set(texts)  # type: ignore[no-any-return] # of the kind that was given


def _set(thing: Any) -> Any:
    if isinstance(thing, str):
        return STRAIGHT.sub("’", LOOSE.sub("\N{NO-BREAK SPACE}", thing))
    if isinstance(thing, tuple):
        return tuple(map(_set, thing))
    if isinstance(thing, Mapping):
        return {key: _set(each) for key, each in thing.items()}
    if is_dataclass(thing) and not isinstance(thing, type):
        return replace(thing, **{field.name: _set(getattr(thing, field.name)) for field in fields(thing)})
    return thing
