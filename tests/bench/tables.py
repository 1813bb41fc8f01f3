"""What the parts of a table's page cost in CPU time: kinds, choices, board, pieces and panels of large positions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from service.commands.selfplay import play_out
from service.rules.games.new_corp_order import RULESET
from service.rules.kernel import fold
from service.rules.tabletop.table import Table
from tests.bench.figures import cpu_seconds, figure

GAMES = 6
NAMES = ("Alice", "Bob", "Carol", "Dave")


def main() -> None:
    """Print the figure of pages: the slowest of the largest positions of some games of four."""
    largest = [max(_decisions(number), key=_actions) for number in range(GAMES)]
    seconds = [cpu_seconds(lambda at=at: _page(*at)) for at in largest]
    figure("table_parts_ms", max(seconds) * 1000, "ms", 10, 5, actions=max(map(_actions, largest)))


def _page(state: Any, seat: int) -> None:
    table = Table(RULESET, state, 4, seat, "de", NAMES)
    assert table.kinds() and table.choices().choices and table.board().svg and table.zones()
    assert [table.panel(each).points for each in range(4)]


def _actions(at: tuple[Any, int]) -> int:
    return len(RULESET.legal(*at))


def _decisions(number: int) -> Iterator[tuple[Any, int]]:
    """The states of a game in which a seat has to act, with the seat."""
    game = play_out(RULESET, 4, {}, f"tables:{number}", recorded=True)
    state = fold(RULESET, game.opening)
    for events in game.caused:
        state = fold(RULESET, events, state)
        for seat in RULESET.to_act(state):
            yield state, seat
