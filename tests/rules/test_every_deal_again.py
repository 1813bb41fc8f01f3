"""Every game that deals hidden things again keeps what its viewer knows; checked on random games."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from service.record.draws import Witness
from service.rules.chance import Chance
from tests.rules.playouts import LARGE, RULESETS, TABLES, TRIED, chance_of, few, fewest, plain, played, seeds, viewers

DEALING = [
    pytest.param(name, seats, marks=[pytest.mark.slow] if seats > LARGE else [])
    for name, seats in TABLES
    if TRIED[name].deal_again is not None
]
every_dealing_table = pytest.mark.parametrize(("name", "seats"), DEALING)

DEALS = 600


def dealt(name: str, state: Any, viewer: int | None, number: int) -> Any:
    deal_again = RULESETS[name].deal_again
    assert deal_again is not None
    return deal_again(state, viewer, chance_of(number))


def chi_square(found: Counter[Any], share: dict[Any, float]) -> float:
    """Return how far numbers are from the shares expected, in standard deviations of chi-square (Wilson-Hilferty)."""
    total, degrees = sum(found.values()), len(share) - 1
    far = sum((found[kind] - total * part) ** 2 / (total * part) for kind, part in share.items())
    spread = 2 / (9 * degrees)
    return float(((far / degrees) ** (1 / 3) - (1 - spread)) / spread**0.5)


@every_dealing_table
@few
@seeds
def test_a_table_dealt_again_looks_to_the_viewer_like_the_real_one(name: str, seats: int, seed: int) -> None:
    ruleset, game = played(name, seats, seed)
    for number, state in enumerate([*game.states[::7], game.states[-1]]):
        for viewer in viewers(seats):
            table = dealt(name, state, viewer, number)
            assert ruleset.view(state, viewer) == ruleset.view(table, viewer)
            assert ruleset.standings(state, viewer) == ruleset.standings(table, viewer)
            assert ruleset.to_act(state) == ruleset.to_act(table)
            assert viewer is None or list(ruleset.legal(state, viewer)) == list(ruleset.legal(table, viewer))


@every_dealing_table
@few
@seeds
def test_it_follows_from_the_dice_and_what_the_viewer_knows_alone(name: str, seats: int, seed: int) -> None:
    _, game = played(name, seats, seed)
    for number, state in enumerate(game.states[::7]):
        for viewer in viewers(seats):
            twin = dealt(name, state, viewer, number + 1_000)
            assert dealt(name, twin, viewer, number) == dealt(name, state, viewer, number)


@every_dealing_table
@few
@seeds
def test_other_dice_deal_other_tables_where_anything_is_hidden(name: str, seats: int, seed: int) -> None:
    ruleset, game = played(name, seats, seed)
    for viewer in viewers(seats):
        tables = {plain(dealt(name, game.start, viewer, number)) for number in range(8)}
        assert (len(tables) == 1) == (len(ruleset.imagine(game.start, viewer)) == 1)


@every_dealing_table
@fewest
@seeds
def test_a_table_dealt_again_can_be_played_to_its_end(name: str, seats: int, seed: int) -> None:
    ruleset, game = played(name, seats, seed)
    for state in game.states[::9]:
        for viewer in viewers(seats):
            table, chance = dealt(name, state, viewer, seed), chance_of(seed)
            while ruleset.to_act(table):
                seat, action = ruleset.automaton(table) or _first(ruleset, table)
                for fact in ruleset.decide(table, seat, action, chance):
                    table = ruleset.evolve(table, fact)
            assert ruleset.outcome(table) is not None


@every_dealing_table
@few
@seeds
def test_no_draw_is_one_of_the_game_itself(name: str, seats: int, seed: int) -> None:
    ruleset, game = played(name, seats, seed)
    assert ruleset.deal_again is not None
    for number, state in enumerate(game.states[::7]):
        for viewer in viewers(seats):
            dice = Witness(Chance(number.to_bytes(32, "big")))
            ruleset.deal_again(state, viewer, dice)
            asked = [draw["label"] for draw in dice.taken()]
            assert len(asked) == len(set(asked)) and not set(asked) & set(game.labels)


def _first(ruleset: Any, state: Any) -> tuple[int, Any]:
    seat = min(ruleset.to_act(state))
    return seat, ruleset.on_timeout(state, seat)


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_sealed_bids_deals_each_card_to_each_place_alike_often(seats: int) -> None:
    _, game = played("sealed-bids", seats, 1)
    tables = [dealt("sealed-bids", game.start, 0, number) for number in range(DEALS)]
    unseen = sorted({*range(1, 21)} - {*game.start.hands[0]})
    for seat in range(1, seats):
        found = Counter(card for table in tables for card in table.hands[seat])
        assert abs(chi_square(found, {card: 1 / len(unseen) for card in unseen})) < 4


def test_sealed_bids_seals_each_card_and_none_alike_often() -> None:
    ruleset, game = played("sealed-bids", 3, 1)
    [fact] = ruleset.decide(game.start, 1, ruleset.on_timeout(game.start, 1), chance_of(1))
    state = ruleset.evolve(game.start, fact)
    places: Counter[int | None] = Counter()
    for number in range(DEALS):
        table = dealt("sealed-bids", state, 0, number)
        bid = table.sealed[1]
        places[None if bid is None else sum(card < bid for card in table.hands[1])] += 1
    assert abs(chi_square(places, dict.fromkeys([None, 0, 1, 2], 1 / 4))) < 4


def test_three_harbours_deals_each_contract_and_each_order_alike_often() -> None:
    ruleset, game = played("three-harbours", 3, 1)
    [fact] = ruleset.decide(game.start, 1, ruleset.legal(game.start, 1)[0], chance_of(1))
    state = ruleset.evolve(game.start, fact)
    tables = [dealt("three-harbours", state, 0, number) for number in range(DEALS)]
    unseen = Counter(["north", "east", "south"] * 2) - Counter([state.contracts[0]])
    share = {harbour: cards / 5 for harbour, cards in unseen.items()}
    assert abs(chi_square(Counter(table.contracts[2] for table in tables), share)) < 4
    assert abs(chi_square(Counter(table.orders[1] for table in tables), dict.fromkeys(unseen, 1 / 3))) < 4


@pytest.mark.parametrize(("seats", "viewer"), [(2, 0), (2, None), (3, 1), (4, 2)])
def test_new_corp_order_deals_each_card_to_each_place_alike_often(seats: int, viewer: int | None) -> None:
    _, game = played("new-corp-order", seats, 2)
    state = game.states[len(game.states) // 2]
    tables = [dealt("new-corp-order", state, viewer, number) for number in range(DEALS)]
    unseen = Counter(state.deck) + Counter(state.box)
    for seat, hand in enumerate(state.hands):
        unseen += Counter(hand) if seat != viewer else Counter()
    unseen -= Counter(dict.fromkeys(unseen, 5 if seats == 2 else 0))
    share = {colour: cards / unseen.total() for colour, cards in unseen.items()}
    for place in (0, -1):
        assert abs(chi_square(Counter(table.deck[place] for table in tables), share)) < 4
    other = next(seat for seat in range(seats) if seat != viewer and sum(state.hands[seat].values()))
    # A hand keeps only numbers by colour, so its cards are drawn one by one from other deals.
    drawn = Counter(_one_of(table.hands[other], number) for number, table in enumerate(tables))
    assert abs(chi_square(drawn, share)) < 4


def _one_of(hand: dict[Any, int], number: int) -> Any:
    [card, *_] = chance_of(number + 5_000).shuffle("one", [c for c in sorted(hand) for _ in range(hand[c])])
    return card


@pytest.mark.parametrize("viewer", [0, None])
def test_new_corp_order_deals_each_pair_of_objectives_alike_often(viewer: int | None) -> None:
    _, game = played("new-corp-order", 2, 2)
    own = Counter(game.start.objectives[viewer] if viewer is not None else ())
    left = Counter(company.type for company in game.start.companies.values()) - own
    ways = Counter({(one, two): left[one] * left[two] for one in left for two in left if one != two})
    found = Counter(dealt("new-corp-order", game.start, viewer, n).objectives[1] for n in range(2 * DEALS))
    assert set(found) <= set(ways)
    assert abs(chi_square(found, {pair: number / ways.total() for pair, number in ways.items()})) < 4


def test_r_06_the_cards_put_away_before_the_game_stay_in_the_box_with_two_players() -> None:
    _, game = played("new-corp-order", 2, 2)
    for number, state in enumerate(game.states[::7]):
        assert min(dealt("new-corp-order", state, 0, number).box.values()) >= 5


def test_r_50_display_deck_and_objectives_are_dealt_again_only_before_the_conglomerates_are_chosen() -> None:
    _, game = played("new-corp-order", 1, 2)
    before, after = game.start, game.steps[0].after
    shown = {dealt("new-corp-order", before, 0, number).display for number in range(9)}
    objectives = {dealt("new-corp-order", before, 0, number).objectives for number in range(9)}
    assert len(shown) > 1 and len(objectives) > 1
    for number in range(9):
        table = dealt("new-corp-order", after, 0, number)
        assert (table.display, table.objectives, table.box) == (after.display, after.objectives, after.box)


def test_r_04_nobody_is_dealt_two_objectives_of_one_type() -> None:
    _, game = played("new-corp-order", 4, 2)
    for number in range(60):
        assert all(len(set(held)) == 2 for held in dealt("new-corp-order", game.start, 3, number).objectives)
