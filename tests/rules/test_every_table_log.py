"""What holds for what every game tells of its log on the page of a table."""

from __future__ import annotations

from collections.abc import Callable

from service.conformance.tables import STORIES
from tests.rules.playouts import every_check


@every_check(STORIES)
def test_the_log_of_every_game(tried: Callable[[], None]) -> None:
    tried()
