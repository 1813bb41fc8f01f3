"""Symbols that are drawn once a page: icons, and the faces of cards."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from service.rules.games.bastards_inc.tabletop.card_faces import faces
from service.rules.games.bastards_inc.tabletop.icons import ICONS
from service.rules.svg import element


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
    return icons | faces()
