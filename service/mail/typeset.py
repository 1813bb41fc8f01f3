"""Spaces as they are set in French: none before a colon or in a quotation mark is one at which a line may end."""

from __future__ import annotations

import re
from dataclasses import fields, is_dataclass, replace
from typing import Any, Final

from service.mail.blocks import Content

_LOOSE: Final = re.compile(r"(?<=\S) (?=[:;!?»](?:\s|$|[.,)]))|(?<=«) ")
_VERBATIM: Final = frozenset({"language", "subject", "url", "svg", "words", "notation"})
"""What is no sentence of ours, or has to stay what mail programs thread by."""


def typeset(content: Content) -> Content:
    """Return a mail with the no-break spaces that its language asks for."""
    return _set(content) if content.language == "fr" else content


def _set(thing: Any) -> Any:
    if isinstance(thing, str):
        return _LOOSE.sub("\N{NO-BREAK SPACE}", thing)
    if isinstance(thing, tuple):
        return tuple(map(_set, thing))
    if is_dataclass(thing) and not isinstance(thing, type):
        names = (field.name for field in fields(thing) if field.name not in _VERBATIM)
        return replace(thing, **{name: _set(getattr(thing, name)) for name in names})
    return thing
