"""What holds for the pictures of every game, on random games of it."""

from __future__ import annotations

from collections.abc import Callable

from service.conformance.tables import PICTURES
from tests.rules.playouts import FEWER_TABLES, every_check


@every_check(PICTURES, FEWER_TABLES)
def test_the_pictures_of_every_game(tried: Callable[[], None]) -> None:
    tried()
