"""The situations of operations on the deals of days, in which Alice gets what she asks for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Final

from tests.api.scene import Asked, Scene
from tests.dealing import today, unsigned


def _dealt(scene: Scene) -> Asked:
    unsigned(scene.games, today())
    return Asked({"day": "today"}, {})


def _over(scene: Scene) -> Asked:
    return Asked({"day": unsigned(scene.games, today() - timedelta(days=1))})


SITUATIONS: Final[Mapping[str, Callable[[Scene], Asked]]] = {
    "listDeals": lambda _: Asked(),
    "getDeal": _over,
    "tryDeal": _dealt,
    "listResults": _over,
    "getDealProof": _over,
    "listDealStandings": lambda _: Asked(),
    "listOwnTries": lambda _: Asked(),
}
