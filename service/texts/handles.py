"""What a handle may be, and what it looks like."""

from __future__ import annotations

from typing import Final

from service.texts.lookalikes import BRAND, SERVICE

SHORTEST: Final = 3
LONGEST: Final = 20
FORM: Final = r"^[a-z](-?[a-z0-9])*$"
"""A letter, then letters, digits and single hyphens, the last of which is not at the end."""
# What reads alike in most fonts, of ASCII: the part of confusables.txt (Unicode TR39), and `w`.
_SAME: Final = str.maketrans({"0": "o", "1": "l", "i": "l", "m": "rn", "w": "vv"})
_RESERVED: Final = (
    *(BRAND, *SERVICE),
    *(
        "account",
        "anonymous",
        "anybody",
        "api",
        "bot",
        "computer",
        "deleted",
        "everybody",
        "everyone",
        "former",
        "friends",
    ),
    *("guest", "help", "host", "info", "mail", "mailer-daemon", "me", "nobody", "null", "ods", "owner", "player"),
    *("players", "settings", "somebody", "undefined", "user"),
)


def skeleton(handle: str) -> str:
    """Return what a handle looks like: the same text for handles that can be taken for each other."""
    return handle.translate(_SAME)


RESERVED: Final = frozenset(map(skeleton, _RESERVED))
"""The skeletons of handles that nobody has, since they would pass for the service's or for those who run it."""
