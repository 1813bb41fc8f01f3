"""What holds for what every game contributes to the page of a table, on random games of it."""

from __future__ import annotations

from collections.abc import Callable

from service.conformance.tables import TABLES
from tests.rules.playouts import FEWER_TABLES, every_check


@every_check(TABLES, FEWER_TABLES)
def test_the_table_of_every_game(tried: Callable[[], None]) -> None:
    tried()
