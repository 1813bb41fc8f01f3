"""T-34: what a player may have answered for a whole game."""

from __future__ import annotations

from service.rules.games.bastards_inc.actions import Draw, OrderWars, Pass
from service.rules.games.bastards_inc.legal import legal
from service.rules.games.bastards_inc.orders import draw_at_once, wars_in_order
from service.rules.games.bastards_inc.view import view
from tests.rules.bastards_inc.tables import ALICE, table


def test_b_20_cards_are_drawn_at_once_without_discards_or_a_bonus() -> None:
    state = table(phase="draw", companies={ALICE: {"hand": ("a01",)}})
    assert draw_at_once(view(state, ALICE), legal(state, ALICE)) == Draw(bonus=0)
    assert draw_at_once(view(table(), ALICE), [Pass()]) is None


def test_b_42_wars_are_fought_from_the_top_of_the_pyramid_down() -> None:
    state = table(phase="wars", wars=("POO", "SUP", "TIG"))
    assert wars_in_order(view(state, ALICE), legal(state, ALICE)) == OrderWars(regions=("SUP", "TIG", "POO"))
    assert wars_in_order(view(table(), ALICE), [Pass()]) is None
