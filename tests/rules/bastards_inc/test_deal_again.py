"""B-05: what a viewer cannot see is dealt again, each way as likely as any other, and what was seen to happen stays."""

from __future__ import annotations

from collections import Counter
from typing import Any

from service.rules.chance import Chance
from service.rules.games.bastards_inc.actions import Draw, Fight, Instruct
from service.rules.games.bastards_inc.deal_again import deal_again
from service.rules.games.bastards_inc.state import State
from service.rules.games.bastards_inc.terms import EVENT_CARDS
from tests.rules.bastards_inc.games import keen_game
from tests.rules.bastards_inc.tables import ALICE, BOB, CAROL, play, table
from tests.rules.test_every_deal_again import chi_square

DEALS = 600


def tables(state: State, deals: int = DEALS, viewer: int = ALICE) -> list[State]:
    """Return what a viewer may take a state for."""
    return [deal_again(state, viewer, Chance(number.to_bytes(32, "big"))) for number in range(deals)]


def alike_often(found: Counter[Any], ways: int) -> bool:
    """Say whether so many ways are found, and no one of them far more often than the others."""
    return len(found) == ways and abs(chi_square(found, dict.fromkeys(found, 1 / ways))) < 4


def test_each_hidden_card_lies_in_each_place_alike_often() -> None:
    state = table(
        companies={ALICE: {"hand": ("a01", "b01")}, BOB: {"hand": ("a02", "b02", "b03")}}, cards=("a03", "b04", "b05")
    )
    dealt = tables(state)
    assert alike_often(Counter(each.cards[0] for each in dealt), 6)
    assert alike_often(Counter(card for each in dealt for card in each.companies[BOB].hand), 6)
    assert alike_often(Counter(each.events[0] for each in dealt), len(EVENT_CARDS))


def test_b_24_cards_that_were_in_no_hand_when_the_pile_was_filled_again_are_in_none_as_old_ones() -> None:
    state = table(
        companies={BOB: {"hand": ("a02", "b02")}, CAROL: {"hand": ("a04", "b06")}},
        cards=("b04", "b05"),
        reshuffled=(frozenset({"b02", "b04", "b05", "b06"}),),
    )
    held = [each.companies[BOB].hand for each in tables(state)]
    assert alike_often(Counter(hand[0] for hand in held), 2) and alike_often(Counter(hand[1] for hand in held), 4)
    assert all(hand[0] in {"a02", "a04"} for hand in held)


def test_each_answer_of_the_drawing_phase_is_chosen_alike_often() -> None:
    hands = {ALICE: {"hand": ("a01",)}, BOB: {"hand": ("a02", "b02")}}
    state = play(table(2, phase="draw", asked=frozenset({ALICE, BOB}), companies=hands), (BOB, Draw(bonus=0)))
    answers = Counter((len(each.companies[BOB].dropped), dict(each.answers)[BOB]) for each in tables(state))
    # Two VPs, two cards and ten Billions: a bonus of 1, 2 or 3, or none, with each of four sets of discards.
    assert {size for size, _ in answers} == {0, 1, 2} and {bonus for _, bonus in answers} == {0, 1, 2, 3}
    assert abs(chi_square(answers, {(size, bonus): (1, 2, 1)[size] / 16 for size, bonus in answers})) < 4


def test_each_bid_is_made_alike_often() -> None:
    games = (step.after for step in keen_game(4, 5))
    state = next(each for each in games if each.phase == "challenge" and len(each.asked) > 1)
    seat, viewer = sorted(state.asked)
    state = play(state, (seat, Fight(influence=0)))
    bids = Counter(dict(each.answers)[seat] for each in tables(state, viewer=viewer))
    assert alike_often(bids, state.companies[seat].influence + 2)


def test_b_16_instructions_of_others_are_as_they_began_until_one_is_given() -> None:
    state = table(active=BOB)
    assert {each.companies[BOB].guard + each.companies[BOB].watch for each in tables(state, 20)} == {"askask"}
    given = play(state, (BOB, Instruct(instruction="watch", setting="never")))
    found = Counter((each.companies[BOB].guard, each.companies[BOB].watch) for each in tables(given))
    assert set(found) == {("open", "ask"), ("ask", "never"), ("ask", "always")} and alike_often(found, 3)


def test_b_17_who_was_asked_about_an_arrival_or_an_act_stays_so() -> None:
    seen = Counter[str]()
    for state in (step.after for step in keen_game(4, 5)):
        if state.phase in {"challenge", "push", "expose"}:
            seen[state.phase] += 1
            asked = (dict(state.answers).keys() | (state.asked if state.phase != "push" else ())) - {ALICE}
            settings = [each.companies[seat] for each in tables(state, 5) for seat in asked]
            assert {each.watch if state.phase == "expose" else each.guard for each in settings} <= {"ask"}
    assert len(seen) == 3


def test_b_24_how_many_cards_of_a_hand_are_older_than_the_pile_stays_so() -> None:
    states = [step.after for step in keen_game(4, 1)][::40]
    assert states[-1].reshuffled
    for state in states:
        assert [_drawn_since(dealt) for dealt in tables(state, 3)] == [_drawn_since(state)] * 3


def _drawn_since(state: State) -> list[int]:
    """Return how many cards of each hand have been drawn since the pile was last filled."""
    return [len({*each.hand} & state.reshuffled[-1]) for each in state.companies] if state.reshuffled else []
