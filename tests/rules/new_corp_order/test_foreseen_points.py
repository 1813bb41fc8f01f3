"""The points that a preview tells are those after the action, for each legal action of many positions."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count, islice
from typing import Any

import pytest

from service.commands.selfplay import play_out
from service.rules.games.new_corp_order import RULESET
from service.rules.kernel import fold
from service.rules.tabletop.table import Table
from tests.rules.playouts import chance_of, names_of

POSITIONS, EVERY = 200, 7


def positions(seats: int) -> Iterator[tuple[Any, int]]:
    """Every seventh position of random games in which a player has to act, with the player's seat."""
    for number in count():
        game = play_out(RULESET, seats, {}, f"foreseen:{number}", recorded=False)
        state = fold(RULESET, game.opening)
        for at, (events, (_, seat, _)) in enumerate(zip(game.caused, game.actions, strict=True)):
            if at % EVERY == number % EVERY and seat < seats:
                yield state, seat
            state = fold(RULESET, events, state)


@pytest.mark.slow
@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_the_points_of_each_preview_are_those_after_the_action(seats: int) -> None:
    told = hidden = 0
    for state, seat in islice(positions(seats), POSITIONS // 4):
        page = Table(RULESET, state, seats, seat, "en", names_of(seats))
        for action in RULESET.legal(state, seat):
            preview = page.preview(action)
            after = fold(RULESET, RULESET.decide(state, seat, action, chance_of(told)), state)
            then = Table(RULESET, after, seats, seat, "en", names_of(seats))
            for who, points in enumerate(preview.points):
                if points.after is None:
                    hidden += 1
                else:
                    assert points.after == then.panel(who).points, (RULESET.notate(action), who)
                    told += 1
    print(f"{seats} players: {told} points foreseen, {hidden} unknown")
    assert told > POSITIONS
