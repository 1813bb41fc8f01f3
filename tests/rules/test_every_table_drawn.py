"""What holds for what every game draws on the page of a table: its board, its symbols and its colours."""

from __future__ import annotations

from collections.abc import Callable

from service.conformance.tables import DRAWINGS
from tests.rules.playouts import every_check


@every_check(DRAWINGS)
def test_the_drawings_of_every_game(tried: Callable[[], None]) -> None:
    tried()
