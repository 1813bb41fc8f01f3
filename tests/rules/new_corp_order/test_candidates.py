"""What a computer player thinks about in New Corp Order: nothing that another action does as well."""

from __future__ import annotations

from typing import Any

from service.rules.games.new_corp_order.actions import Plot, TakeOver
from service.rules.games.new_corp_order.legal import legal
from service.rules.games.new_corp_order.valuation import candidates
from service.rules.lookahead import after
from tests.rules.playouts import TRIED, chance_of, played

RULESET = TRIED["new-corp-order"]


def on_turn(seats: int, display: tuple[str | None, ...], deck: int = 9) -> tuple[Any, int]:
    """Return a position at the beginning of a turn with such a display and so many cards in the deck."""
    _, game = played("new-corp-order", seats, 3)
    state = next(step.before for step in game.steps if step.before.phase == "turn" and step.before.turn > 9)
    return state._replace(display=display, deck=state.deck[:deck]), state.active


def plots(state: Any, seat: int) -> set[tuple[str, ...]]:
    return {action.sources for action in candidates(state, seat) if isinstance(action, Plot)}


def test_of_cards_of_one_colour_the_first_are_taken() -> None:
    state, seat = on_turn(3, ("red", "blue", "red", "red", "blue"))
    assert plots(state, seat) == {("deck",), ("1", "2"), ("1", "3"), ("2", "5")}


def test_a_card_of_the_display_is_not_taken_alone_while_a_second_one_is_due() -> None:
    state, seat = on_turn(3, ("red", None, None, None, "blue"), deck=0)
    assert plots(state, seat) == {("1", "5")}
    assert plots(state._replace(phase="second-card"), seat) == {("1",), ("5",)}
    assert plots(state._replace(display=("red", None, None, None, None)), seat) == {("1",)}


def test_every_pair_that_is_legal_is_there_in_a_form_of_its_own_or_as_the_deck_first() -> None:
    state, seat = on_turn(4, ("red", "blue", "red", "white", "black"))
    shown = dict(zip("12345", state.display, strict=True))
    legal_pairs = {
        frozenset(shown[source] for source in action.sources)
        for action in legal(state, seat)
        if isinstance(action, Plot) and len(action.sources) == 2 and "deck" not in action.sources
    }
    tried = {frozenset(shown[source] for source in pair) for pair in plots(state, seat) if "deck" not in pair}
    assert tried == legal_pairs and len(tried) == 7


def test_a_takeover_that_fails_is_no_candidate() -> None:
    _, game = played("new-corp-order", 2, 3)
    failing = 0
    for step in game.steps:
        if isinstance(step.action, TakeOver) and after(RULESET, step.before, step.seat, step.action, chance_of(1)):
            lost = step.after.companies == step.before.companies
            failing += lost
            assert (step.action in candidates(step.before, step.seat)) != lost
    assert failing, "no Takeover has failed in this game"
