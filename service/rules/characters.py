"""Characters that XML, iCalendar, SVG and headers cannot carry.

Schemas refuse them where texts come in; older texts may still have them.
"""

from __future__ import annotations

import re
from typing import Final

from service.rules.bidi import FSI, PDI

_NONCHARACTERS: Final = "\ufdd0-\ufdef" + "".join(
    f"{chr(plane << 16 | 0xFFFE)}-{chr(plane << 16 | 0xFFFF)}" for plane in range(17)
)
"""Code points that are no characters and never will be, for the inside of a class of a pattern."""
_NONCHARACTER: Final = re.compile(f"[{_NONCHARACTERS}]")
_FORBIDDEN: Final = re.compile(f"[\x00-\x08\x0b-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff{_NONCHARACTERS}]")


def has_noncharacter(text: str) -> bool:
    """Return whether a text has a code point that is no character."""
    return _NONCHARACTER.search(text) is not None


def interchangeable(text: str, instead: str = "\ufffd") -> str:
    """Return a text whose control characters but tab and line feed, noncharacters and lone surrogates are replaced."""
    return _FORBIDDEN.sub(instead, text)


def is_interchangeable(text: str) -> bool:
    """Return whether the text has none of the characters that `interchangeable` replaces."""
    return _FORBIDDEN.search(text) is None


def unisolated(text: str) -> str:
    """Return a text without isolates, which readers of feeds, calendars and headers show as boxes."""
    return text.replace(FSI, "").replace(PDI, "")
