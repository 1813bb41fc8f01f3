"""Symbols that are drawn once a page: icons, and the faces of cards."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from service.rules.games.bastards_inc.tabletop.card_faces import faces
from service.rules.games.bastards_inc.tabletop.icons import ICONS
from service.rules.games.bastards_inc.tabletop.looks import filled
from service.rules.svg import element

PARTS: Mapping[str, str] = {"billions": "c4", "influence": "c2"}
"""What a worth is made of, and the class of its bar, on which its icon has to be seen."""


@cache
def symbols(_: str) -> Mapping[str, str]:
    """Return all symbols by their ids; there are no words on them, so they are the same in every language."""
    icons = {
        name: element(
            "symbol",
            element("path", d=path, fill="currentColor", fill_rule="evenodd"),
            id=name,
            viewBox="0 0 24 24",
        )
        for name, path in ICONS.items()
    }
    parts = {f"part-{name}": _coloured(f"part-{name}", ICONS[name], look) for name, look in PARTS.items()}
    return icons | parts | faces()


def _coloured(name: str, path: str, look: str) -> str:
    drawn = element("path", d=path, fill_rule="evenodd", **filled(f"on-{look}"))
    return element("symbol", drawn, id=name, viewBox="0 0 24 24")
