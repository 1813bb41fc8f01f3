"""Secrets of players are on the page of a game that is over, and on no page before."""

from __future__ import annotations

import pytest

from service.rules.table_parts import Seat
from service.rules.tabletop.table import Table
from tests.rules.playouts import RULESETS, names_of, random_game

BOB, CAROL = 1, None
CORP, BASTARDS = "new-corp-order", "bastards-inc"


def table(game: str, viewer: Seat | None, place: int) -> Table:
    """The page of a state of a random game of two."""
    return Table(RULESETS[game], random_game(game, 2, 0).states[place], 2, viewer, "en", names_of(2))


@pytest.mark.parametrize("viewer", [BOB, CAROL])
def test_objectives_of_others_are_on_their_panels_when_the_game_is_over(viewer: Seat | None) -> None:
    ended = random_game(CORP, 2, 0).states[-1]
    kinds = [each.symbol.removeprefix("type-") for each in table(CORP, viewer, -1).panel(0).emblems[:2]]
    assert kinds == list(ended.objectives[0])
    assert not [each for each in table(CORP, viewer, -2).panel(0).emblems if each.symbol.startswith("type-")]


@pytest.mark.parametrize("viewer", [BOB, CAROL])
def test_hands_of_others_lie_open_when_the_game_is_over(viewer: Seat | None) -> None:
    hand = random_game(BASTARDS, 2, 0).states[-1].companies[0].hand
    (zone,) = (each for each in table(BASTARDS, viewer, -1).zones() if each.id == "hand-0")
    assert hand and [piece.symbol for piece in zone.pieces] == [f"card-{card}" for card in hand]
    assert "hand-0" not in {each.id for each in table(BASTARDS, viewer, -2).zones()}
