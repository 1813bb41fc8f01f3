"""Setup: R-01 to R-07, and of solo R-50."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from service.rules.chance import Chance
from service.rules.games.new_corp_order import RULESET, terms
from service.rules.games.new_corp_order.events import (
    AgentsScattered,
    CardsDealt,
    CompaniesLaid,
    ConsultantsDealt,
    DecisionReached,
    ObjectivesDealt,
    ObjectivesLaidOut,
    TurnBegan,
)
from service.rules.games.new_corp_order.terms import COLOURS, COMPANY_TYPES, NAMES, TYPE_OF
from service.rules.kernel import begin, fold

BOOK = [name for kind in COMPANY_TYPES for name in NAMES[kind]]
KEYS = range(60)
PLAYERS = pytest.mark.parametrize("seats", [2, 3, 4])
EVERYBODY = pytest.mark.parametrize("seats", [1, 2, 3, 4])


class WatchedDice(Chance):
    """Real chance that remembers what it shuffled."""

    def __init__(self, key: bytes) -> None:
        super().__init__(key)
        self.shuffled: list[list[Any]] = []

    def shuffle(self, label: str, items: Any) -> list[Any]:
        """Shuffle as chance does, and keep the result."""
        result = super().shuffle(label, items)
        self.shuffled.append(list(result))
        return result


def setup(seats: int, key: int = 0, dice: type[Chance] = Chance, **options: Any) -> tuple[dict[type, Any], Any, Any]:
    """Return the setup's events by class, the state after them, and the dice."""
    filled = {"short-game": False, "first-player": None, **options}
    chance = dice(key.to_bytes(32, "big"))
    facts = begin(RULESET, seats, filled, chance, "00", ("00",) * seats)
    return {type(fact): fact for fact in facts}, fold(RULESET, facts), chance


@PLAYERS
def test_r_01_the_first_player_is_drawn_at_random(seats: int) -> None:
    assert set(range(seats)) == {setup(seats, key)[0][TurnBegan].seat for key in KEYS}


@PLAYERS
def test_r_01_the_host_may_fix_the_first_player(seats: int) -> None:
    for first in range(seats):
        for key in range(5):
            assert first == setup(seats, key, **{"first-player": first})[0][TurnBegan].seat


def test_r_01_alone_the_player_starts() -> None:
    facts, state, _ = setup(1)
    assert DecisionReached(seat=0, decision="conglomerates") == facts[DecisionReached]
    assert frozenset({0}) == RULESET.to_act(state)


@EVERYBODY
def test_r_02_the_tiles_are_laid_and_the_rest_goes_to_the_box(seats: int) -> None:
    for key in KEYS:
        laid = setup(seats, key)[0][CompaniesLaid]
        assert sorted(BOOK) == sorted((*laid.grid, *laid.boxed))
        assert (12 if seats < 3 else 16) == len(laid.grid)


@pytest.mark.parametrize("seats", [1, 2])
def test_r_02_with_one_or_two_players_one_tile_of_each_type_goes_to_the_box(seats: int) -> None:
    boxed = [setup(seats, key)[0][CompaniesLaid].boxed for key in KEYS]
    assert all(sorted(COMPANY_TYPES) == sorted(TYPE_OF[name] for name in names) for names in boxed)
    assert set(BOOK) == {name for names in boxed for name in names}, "a random one of each type"


@EVERYBODY
def test_r_02_the_grid_is_shuffled(seats: int) -> None:
    assert len({setup(seats, key)[0][CompaniesLaid].grid for key in KEYS}) == len(KEYS)
    assert len({setup(seats, key)[0][AgentsScattered].colours for key in KEYS}) > len(KEYS) // 2


@EVERYBODY
def test_r_02_one_agent_stands_on_each_tile_and_the_others_are_the_supply(seats: int) -> None:
    facts, state, _ = setup(seats)
    each = 3 if seats < 3 else 4
    assert dict.fromkeys(COLOURS, each) == Counter(facts[AgentsScattered].colours)
    assert dict.fromkeys(COLOURS, 25 - each) == state.supply
    assert {1} == {company.agents for company in state.companies.values()}


@PLAYERS
def test_r_03_the_objective_deck_mirrors_the_grid(seats: int) -> None:
    for key in KEYS:
        facts, _, dice = setup(seats, key, WatchedDice)
        on_grid = sorted(TYPE_OF[name] for name in facts[CompaniesLaid].grid)
        assert on_grid in [sorted(deck) for deck in dice.shuffled if set(deck) <= set(COMPANY_TYPES)]
        dealt = facts[ObjectivesDealt]
        cards = Counter(card for part in (*dealt.objectives, *dealt.returned) for card in part)
        assert cards <= Counter(on_grid)


@PLAYERS
def test_r_04_everybody_has_two_objectives_of_different_types(seats: int) -> None:
    for key in KEYS:
        dealt = setup(seats, key)[0][ObjectivesDealt]
        assert [2] * seats == [len(set(own)) for own in dealt.objectives]
        assert [2] * seats == [len(own) for own in dealt.objectives]


@PLAYERS
def test_r_04_of_two_alike_one_goes_to_the_box_and_the_top_one_is_drawn_in_seat_order(seats: int) -> None:
    redrawn = 0
    for key in range(120):
        facts, _, dice = setup(seats, key, WatchedDice)
        dealt = facts[ObjectivesDealt]
        grid = sorted(TYPE_OF[name] for name in facts[CompaniesLaid].grid)
        deck = next(deck for deck in dice.shuffled if grid == sorted(deck))
        top = 2 * seats
        for kept, returned in zip(dealt.objectives, dealt.returned, strict=True):
            if returned:
                redrawn += 1
                pair = Counter({returned[0]: 2})
                assert {returned[0]} == set(returned), "only cards of the type that was there twice go back"
                assert Counter((*kept, *returned)) - pair == Counter(deck[top : top + len(returned)])
                assert pair <= Counter((*kept, *returned))
                top += len(returned)
        assert Counter(deck[:top]) == Counter(card for own in (*dealt.objectives, *dealt.returned) for card in own)
    assert redrawn, "a pair never came up: the test shows nothing"


@pytest.mark.parametrize(("seats", "seat"), [(3, 0), (3, 2), (4, 0), (4, 1), (4, 3)])
def test_r_04_a_pair_that_comes_back_is_redrawn_again(seats: int, seat: int) -> None:
    class StackedDice(Chance):
        """Chance that leaves the objectives such that one seat gets three of one type, and nobody else a pair."""

        def shuffle(self, label: str, items: Any) -> list[Any]:
            """Shuffle as chance does, but for the objectives."""
            if label != "objectives":
                return super().shuffle(label, items)
            (alike, _), *_ = Counter(items).most_common(1)
            others = sorted(each for each in items if each != alike)
            # First one of each type and then the next of each: no two beside each other are alike.
            mixed = [each for number in range(3) for each in dict.fromkeys(others) if others.count(each) > number]
            return [*mixed[: 2 * seat], alike, alike, *mixed[2 * seat : 2 * seats - 2], alike, *mixed[2 * seats - 2 :]]

    dealt = setup(seats, 1, StackedDice)[0][ObjectivesDealt]
    kept, returned = dealt.objectives[seat], dealt.returned[seat]
    assert (len(returned), len(set(returned)), kept[0]) == (2, 1, returned[0])
    assert kept[1] != kept[0]
    assert [len(each) for each in dealt.returned] == [2 * (each == seat) for each in range(seats)]
    assert all(one != other for one, other in dealt.objectives)


@PLAYERS
def test_r_05_each_player_gets_one_consultant_all_different(seats: int) -> None:
    dealt = [setup(seats, key)[0][ConsultantsDealt].consultants for key in KEYS]
    in_use = {"media-advisor", "dealmaker", "military-contractor"} | ({"corporate-lawyer"} if seats > 2 else set())
    assert all(seats == len(set(consultants)) for consultants in dealt)
    assert in_use == {consultants[0] for consultants in dealt}


@PLAYERS
def test_r_05_the_supply_holds_one_fewer_than_players_of_each_type_in_use(seats: int) -> None:
    facts, state, _ = setup(seats)
    lawyers = 0 if seats == 2 else seats - 1
    expected = {"media-advisor": seats - 1, "dealmaker": seats - 1, "military-contractor": seats - 1}
    assert {**expected, "corporate-lawyer": lawyers} == state.consultants
    held = [[name for name, number in hq.consultants.items() if number] for hq in state.hqs]
    assert [[consultant] for consultant in facts[ConsultantsDealt].consultants] == held


@pytest.mark.parametrize(
    ("seats", "short", "boxed", "deck"),
    [(2, False, 5, 47), (3, False, 0, 63), (4, False, 0, 59), (3, True, 5, 43), (4, True, 5, 39)],
)
def test_r_06_cards_are_dealt(seats: int, short: bool, boxed: int, deck: int) -> None:
    dealt = setup(seats, **{"short-game": short})[0][CardsDealt]
    assert (boxed, deck, 5) == (dealt.boxed, len(dealt.deck), len(dealt.display))
    assert [4] * seats == [len(hand) for hand in dealt.hands]
    cards = Counter((*dealt.display, *dealt.deck, *(card for hand in dealt.hands for card in hand)))
    assert dict.fromkeys(COLOURS, 20 - boxed) == cards


def test_r_06_with_two_players_a_short_game_is_no_shorter() -> None:
    try:
        dealt = setup(2, **{"short-game": True})[0][CardsDealt]
    except ValueError:
        return
    assert (5, 47) == (dealt.boxed, len(dealt.deck))


def test_r_06_the_cards_are_shuffled() -> None:
    assert len(KEYS) == len({setup(3, key)[0][CardsDealt].deck for key in KEYS})


@EVERYBODY
def test_r_07_without_house_rules_a_game_has_the_types_and_consultants_of_the_book(seats: int) -> None:
    assert {"media-advisor", "dealmaker", "corporate-lawyer", "military-contractor"} == set(terms.CONSULTANTS)
    assert 6 == len(COMPANY_TYPES) and all(3 == len(names) for names in NAMES.values())
    state = setup(seats)[1]
    assert {company.type for company in state.companies.values()} <= set(COMPANY_TYPES)
    assert set(terms.CONSULTANTS) == set(state.consultants)


def test_r_50_the_solo_setup_has_no_hands_and_no_consultants() -> None:
    facts, state, _ = setup(1)
    dealt = facts[CardsDealt]
    assert ((), 4, 56, 5) == (dealt.hands, len(dealt.display), len(dealt.deck), dealt.boxed)
    assert ConsultantsDealt not in facts and not any(state.consultants.values())
    assert not any(number for hq in state.hqs for number in hq.consultants.values())
    assert not any(number for hand in state.hands for number in hand.values())


def test_r_50_three_objectives_of_three_different_types_are_laid_out() -> None:
    found = set()
    for key in KEYS:
        facts, state, _ = setup(1, key)
        objectives = facts[ObjectivesLaidOut].objectives
        assert 3 == len(set(objectives)) == len(objectives)
        assert objectives == tuple(state.objectives[0]) == tuple(state.objectives[1])
        found.add(frozenset(objectives))
    assert len(found) > 10


def test_r_50_objectives_and_display_are_hidden_until_the_colours_are_chosen() -> None:
    one, other = (setup(1, key)[1] for key in (1, 2))
    swapped = one._replace(objectives=other.objectives, display=other.display, deck=other.deck)
    assert swapped.display != one.display and swapped.objectives != one.objectives
    for viewer in (0, None):
        assert RULESET.view(one, viewer) == RULESET.view(swapped, viewer)
