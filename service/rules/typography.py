"""Typeset French, and break plain text into lines.

In French apostrophes are curved; no line ends before a colon, just inside a quotation mark, or after `n°`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from textwrap import wrap
from typing import Any, Final, TypeVar

from service.rules.bidi import FSI, mended

Texts = TypeVar("Texts")

UNBREAKABLE_SPACE: Final = re.compile(r"(?<=\S) (?=[:;!?»](?:\s|$|[.,)]))|(?<=«) |(?<=\bn°) ")
"""The plain spaces at which French allows no end of a line."""

STRAIGHT_APOSTROPHE: Final = re.compile(r"(?<=[^\W\d_])'(?=[\w{«])")
"""Straight apostrophes that stand for a letter; one with nothing after it belongs to the notation (`R'`)."""


def typeset(texts: Texts) -> Texts:
    """Return French texts, in tables and records of any depth, typeset.

    Call it once, before fields are filled in: then what players have written stays as it is.
    """
    return _set(texts)  # type: ignore[no-any-return] # of the kind that was given


def _set(thing: Any) -> Any:
    if isinstance(thing, str):
        return STRAIGHT_APOSTROPHE.sub("’", UNBREAKABLE_SPACE.sub("\N{NO-BREAK SPACE}", thing))
    if isinstance(thing, tuple):
        return tuple(map(_set, thing))
    if isinstance(thing, Mapping):
        return {key: _set(each) for key, each in thing.items()}
    if is_dataclass(thing) and not isinstance(thing, type):
        return replace(thing, **{field.name: _set(getattr(thing, field.name)) for field in fields(thing)})
    return thing


LINE_COLUMNS: Final = 72


def break_lines(text: str, first: str = "", rest: str = "", width: int = LINE_COLUMNS) -> list[str]:
    """Return the text as lines of at most `width` columns; words that are longer stay whole.

    No word stands alone on the last line if there is another way: a reply that quotes it would seem to say just that.
    """
    options: dict[str, Any] = {"break_long_words": False, "break_on_hyphens": False}
    lines = wrap(text, width, initial_indent=first, subsequent_indent=rest, **options)
    if len(lines) > 1 and len(lines[-1].split()) == 1 and " " in lines[-2].strip():
        kept, _, last = lines[-2].rpartition(" ")
        if kept.strip() and len(f"{rest}{last} {lines[-1].strip()}") <= width:
            lines[-2:] = [kept, f"{rest}{last} {lines[-1].strip()}"]
    return mended(lines) if FSI in text else lines
