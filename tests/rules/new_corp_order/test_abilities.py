"""Abilities of companies: R-30 to R-36, and those that can change nothing (R-10)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from service.rules.games.new_corp_order import RULESET
from service.rules.games.new_corp_order.actions import (
    Card,
    ExchangeAgents,
    ExchangeCards,
    Move,
    MoveAgents,
    RemoveCard,
    RotateCards,
    SkipAbility,
    TakeOver,
    UnrotateCards,
)
from service.rules.games.new_corp_order.events import (
    AbilityLapsed,
    AbilitySkipped,
    AgentsExchanged,
    AgentsMoved,
    CardRemoved,
    CardsDrawn,
    CardsExchanged,
    CardsRotated,
    CardsUnrotated,
    CompanyTakenOver,
    ConsultantUsed,
    DecisionReached,
    TurnBegan,
)
from tests.rules.new_corp_order.support import (
    ALICE,
    AMBIENT,
    BOB,
    BROADCAST,
    CAROL,
    DEALMAKER,
    GUERRILLA,
    HQ,
    ONLINE,
    PRINT,
    SOCIAL,
    Tile,
    case,
    table,
    won,
)

NEXT = TurnBegan(seat=BOB)
ANY = {
    BROADCAST: MoveAgents(moves=(Move(source="A1", target="B1"),)),
    GUERRILLA: RotateCards(hq=BOB, colour="red", cards=1),
    PRINT: ExchangeCards(give=Card(colour="red", rotated=False), hq=BOB, take=Card(colour="red", rotated=True)),
    AMBIENT: UnrotateCards(hq=BOB, colours=("red",)),
    SOCIAL: RemoveCard(hq=BOB, card=Card(colour="red", rotated=False)),
    ONLINE: ExchangeAgents(first="A1", second="C1"),
}
GRID = {"A1": Tile("red", 2), "B1": Tile("red", 1), "C1": Tile("blue", 1)}
HQS = [HQ({"red": 1}), HQ({"red": 1}, rotated={"red": 1})]


def given(kind: str, **more: Any) -> Any:
    """Alice has just taken D1, a company of a kind, over."""
    return case.given(*won("D1", kind, **{"grid": GRID, "hqs": HQS, **more}))


def moves(*told: str) -> MoveAgents:
    """Moves told as "A1-B1"."""
    pairs = [each.split("-") for each in told]
    return MoveAgents(moves=tuple(Move(source=source, target=target) for source, target in pairs))


def moved(source: str, target: str, colour: str = "red") -> AgentsMoved:
    """One agent was moved."""
    return AgentsMoved(source=source, target=target, colour=colour, agents=1)


@pytest.mark.parametrize("kind", ANY)
def test_r_30_an_ability_may_be_used(kind: str) -> None:
    given(kind).when(ALICE, ANY[kind]).then_includes(NEXT)


@pytest.mark.parametrize("kind", ANY)
def test_r_30_an_ability_may_always_be_skipped(kind: str) -> None:
    here = given(kind)
    here.when(ALICE, SkipAbility()).then(AbilitySkipped(seat=ALICE, company="D1"), NEXT)
    assert SkipAbility() in RULESET.legal(here.state, ALICE)


@pytest.mark.parametrize("kind", ANY)
def test_r_30_only_the_ability_of_the_company_taken_over_is_used(kind: str) -> None:
    for other, action in ANY.items():
        if other != kind:
            given(kind).when(ALICE, action).refused("other-ability", "R-30", ability=kind)
    expected = {SkipAbility, type(ANY[kind])}
    assert expected == {type(action) for action in RULESET.legal(given(kind).state, ALICE)}


@pytest.mark.parametrize("kind", ANY)
def test_r_30_an_ability_needs_a_successful_takeover(kind: str) -> None:
    here = case.given(*table(grid=GRID, hqs=HQS))
    here.when(ALICE, ANY[kind]).refused("other-decision-due", "R-10", due="turn")
    here.when(ALICE, SkipAbility()).refused("other-decision-due", "R-10", due="turn")


def test_r_30_moving_there_and_back_changes_nothing() -> None:
    here = given(BROADCAST, grid={"A1": Tile("red", 2), "B1": Tile("red", 2)})
    here.when(ALICE, moves("A1-B1", "B1-A1")).refused("changes-nothing", "R-30")


def test_r_30_exchanging_cards_that_are_alike_changes_nothing() -> None:
    alike = ExchangeCards(give=Card(colour="red", rotated=False), hq=BOB, take=Card(colour="red", rotated=False))
    given(PRINT).when(ALICE, alike).refused("changes-nothing", "R-30")


def test_r_30_exchanging_agents_that_are_alike_changes_nothing() -> None:
    here = given(ONLINE, grid={"A1": Tile("red", 3), "B1": Tile("red", 3)})
    here.when(ALICE, ExchangeAgents(first="A1", second="B1")).refused("changes-nothing", "R-30")


def test_r_30_the_list_holds_one_of_several_ways_to_the_same_position_and_any_is_accepted() -> None:
    grid = {"A1": Tile("red", 3), "B1": Tile("red", 2), "C1": Tile("red", 1)}
    here = case.given(*won("D1", BROADCAST, grid=grid, others="black"))
    ways = [moves("A1-C1", "B1-D1"), moves("B1-D1", "A1-C1"), moves("A1-D1", "B1-C1"), moves("B1-C1", "A1-D1")]
    ends = [here.when(ALICE, way).state for way in ways]
    assert ends == [ends[0]] * 4
    listed = [here.when(ALICE, action).state for action in RULESET.legal(here.state, ALICE)]
    assert 1 == listed.count(ends[0])
    through = here.when(ALICE, moves("A1-B1", "B1-C1")).state
    assert here.when(ALICE, moves("A1-C1")).state == through
    assert 1 == listed.count(through)


def test_r_10_an_ability_for_which_nothing_is_legal_is_no_decision() -> None:
    grid = {"A1": Tile("red", 4), "B1": Tile("blue", 1, PRINT), "C1": Tile("blue")}
    here = case.given(*table(grid=grid, hqs=[HQ({"red": 2})]))
    here.when(ALICE, TakeOver(source="A1", target="B1", agents=2)).then(
        CardsRotated(hq=ALICE, colour="red", cards=2),
        CompanyTakenOver(seat=ALICE, source="A1", target="B1", colour="red", agents=2, defender="blue", defenders=1),
        AbilityLapsed(seat=ALICE, company="B1"),
        NEXT,
    )


def test_r_10_the_dealmaker_draws_after_an_empty_ability_in_the_same_step() -> None:
    grid = {"A1": Tile("red", 4), "B1": Tile("blue", 1, PRINT), "C1": Tile("blue")}
    here = case.given(*table(grid=grid, hqs=[HQ({"red": 2}, consultants=[DEALMAKER])], deck=("red", "blue")))
    here.when(ALICE, TakeOver(source="A1", target="B1", agents=2, use=DEALMAKER)).then_includes(
        ConsultantUsed(seat=ALICE, consultant=DEALMAKER),
        AbilityLapsed(seat=ALICE, company="B1"),
        CardsDrawn(seat=ALICE, cards=("red", "blue")),
        NEXT,
    )


def test_r_10_guerrilla_marketing_without_an_unrotated_card_anywhere_is_no_decision() -> None:
    grid = {"A1": Tile("red", 4), "B1": Tile("blue", 1, GUERRILLA), "C1": Tile("blue")}
    here = case.given(*table(grid=grid, hqs=[HQ({"red": 2}), HQ(rotated={"blue": 2})]))
    answer = here.when(ALICE, TakeOver(source="A1", target="B1", agents=2))
    answer.then_includes(AbilityLapsed(seat=ALICE, company="B1"), NEXT)


def test_r_10_ambient_advertising_always_finds_the_cards_of_the_takeover() -> None:
    grid = {"A1": Tile("red", 4), "B1": Tile("blue", 1, AMBIENT), "C1": Tile("blue")}
    here = case.given(*table(grid=grid, hqs=[HQ({"red": 2})]))
    answer = here.when(ALICE, TakeOver(source="A1", target="B1", agents=2))
    answer.then_includes(DecisionReached(seat=ALICE, decision="ability"))
    answer.case_after.when(ALICE, UnrotateCards(hq=ALICE, colours=("red", "red"))).then_includes(NEXT)


BROAD = {
    "A1": Tile("red", 3),
    "C3": Tile("red", 1),
    "B1": Tile("blue", 2),
    "D3": Tile("blue", 1),
    "A3": Tile("white", 1),
}


def test_r_31_broadcast_moves_one_agent_anywhere_on_the_grid() -> None:
    answer = given(BROADCAST, grid=BROAD).when(ALICE, moves("A1-C3"))
    answer.then(moved("A1", "C3"), NEXT)
    assert (2, 2) == (answer.state.companies["A1"].agents, answer.state.companies["C3"].agents)


def test_r_31_broadcast_moves_two_agents_of_any_one_colour_one_after_the_other() -> None:
    here = given(BROADCAST, grid={**BROAD, "C1": Tile("blue", 2)})
    here.when(ALICE, moves("B1-D3", "C1-D3")).then(moved("B1", "D3", "blue"), moved("C1", "D3", "blue"), NEXT)


def test_r_31_both_agents_may_go_the_same_way() -> None:
    answer = given(BROADCAST, grid=BROAD).when(ALICE, moves("A1-C3", "A1-C3"))
    answer.then_includes(NEXT)
    assert (1, 3) == (answer.state.companies["A1"].agents, answer.state.companies["C3"].agents)


def test_r_31_the_second_agent_may_leave_where_the_first_arrived() -> None:
    answer = given(BROADCAST, grid=BROAD).when(ALICE, moves("A1-C3", "C3-D1"))
    answer.then(moved("A1", "C3"), moved("C3", "D1"), NEXT)


@pytest.mark.parametrize("told", [(), ("A1-C3", "A1-D1", "D1-C3")])
def test_r_31_no_agent_and_three_agents_are_refused(told: tuple[str, ...]) -> None:
    given(BROADCAST, grid=BROAD).when(ALICE, moves(*told)).refused("wrong-number-of-agents", "R-31")


def test_r_31_both_agents_are_of_one_colour() -> None:
    given(BROADCAST, grid=BROAD).when(ALICE, moves("A1-C3", "B1-D3")).refused("several-colours", "R-31")


def test_r_31_each_move_leaves_one_agent_behind() -> None:
    here = given(BROADCAST, grid=BROAD)
    here.when(ALICE, moves("C3-A1")).refused("last-agent-stays", "R-31", square="C3")
    here.when(ALICE, moves("D1-A1", "D1-A1")).refused("last-agent-stays", "R-31", square="D1")


def test_r_31_an_agent_goes_to_a_company_of_its_colour() -> None:
    given(BROADCAST, grid=BROAD).when(ALICE, moves("A1-B1")).refused("other-colour-there", "R-31", square="B1")


def test_r_31_an_agent_goes_to_another_company() -> None:
    given(BROADCAST, grid=BROAD).when(ALICE, moves("A1-A1")).refused()
    given(BROADCAST, grid=BROAD).when(ALICE, moves("A1-A1", "A1-C3")).refused()


def test_r_31_both_companies_are_on_the_grid() -> None:
    given(BROADCAST, grid=BROAD).when(ALICE, moves("A4-A1")).refused("no-such-company", None)
    given(BROADCAST, grid=BROAD).when(ALICE, moves("A1-A4")).refused("no-such-company", None)


def test_r_36_online_marketing_exchanges_all_agents_of_two_companies() -> None:
    here = given(ONLINE, grid=BROAD)
    answer = here.when(ALICE, ExchangeAgents(first="A1", second="D3"))
    answer.then(AgentsExchanged(first="A1", second="D3"), NEXT)
    after = answer.state.companies
    assert (("blue", 1), ("red", 3)) == (
        (after["A1"].colour, after["A1"].agents),
        (after["D3"].colour, after["D3"].agents),
    )
    assert after["A1"].name == here.state.companies["A1"].name


def test_r_36_one_colour_with_different_numbers_may_be_exchanged() -> None:
    given(ONLINE, grid=BROAD).when(ALICE, ExchangeAgents(first="A1", second="C3")).then_includes(NEXT)


def test_r_36_one_number_of_different_colours_may_be_exchanged() -> None:
    given(ONLINE, grid=BROAD).when(ALICE, ExchangeAgents(first="C3", second="D3")).then_includes(NEXT)


def test_r_36_a_company_is_not_exchanged_with_itself_or_with_none() -> None:
    given(ONLINE, grid=BROAD).when(ALICE, ExchangeAgents(first="A1", second="A1")).refused()
    given(ONLINE, grid=BROAD).when(ALICE, ExchangeAgents(first="A1", second="A4")).refused("no-such-company", None)


def test_r_36_each_pair_is_listed_once() -> None:
    here = given(ONLINE, grid={"A1": Tile("red", 3)}, others="black")
    listed = [action for action in RULESET.legal(here.state, ALICE) if isinstance(action, ExchangeAgents)]
    pairs = [frozenset((action.first, action.second)) for action in listed]
    assert 1 + 2 * 10 == len(pairs) == len(set(pairs))


# Cards.

CARD_HQS = (
    HQ({"red": 2, "blue": 1}, rotated={"red": 1, "white": 1}),
    HQ({"red": 1, "black": 3}, rotated={"blue": 2, "white": 1}),
    HQ(),
)


def given_cards(kind: str, hqs: Sequence[HQ] = CARD_HQS) -> Any:
    """Alice has just taken D1, a company of a kind, over in a game of three."""
    return case.given(*won("D1", kind, players=3, hqs=hqs))


def up(colour: str) -> Card:
    """An unrotated card."""
    return Card(colour=colour, rotated=False)


def flat(colour: str) -> Card:
    """A rotated card."""
    return Card(colour=colour, rotated=True)


def listed(case: Any) -> list[Any]:
    """Alice's legal uses of the ability."""
    return [action for action in RULESET.legal(case.state, ALICE) if action != SkipAbility()]


@pytest.mark.parametrize(("hq", "colour", "cards"), [(BOB, "black", 2), (BOB, "red", 1), (ALICE, "red", 2)])
def test_r_32_guerrilla_marketing_rotates_up_to_two_cards_of_a_colour_in_one_hq(
    hq: int, colour: str, cards: int
) -> None:
    here = given_cards(GUERRILLA)
    answer = here.when(ALICE, RotateCards(hq=hq, colour=colour, cards=cards))
    answer.then(CardsRotated(hq=hq, colour=colour, cards=cards), NEXT)
    assert cards == answer.state.hqs[hq].rotated[colour] - here.state.hqs[hq].rotated[colour]


@pytest.mark.parametrize("cards", [0, 3, -1])
def test_r_32_one_or_two_cards_are_rotated(cards: int) -> None:
    given_cards(GUERRILLA).when(ALICE, RotateCards(hq=BOB, colour="black", cards=cards)).refused(
        "wrong-number-of-cards", "R-32"
    )


def test_r_32_only_unrotated_cards_are_rotated() -> None:
    here = given_cards(GUERRILLA)
    here.when(ALICE, RotateCards(hq=BOB, colour="red", cards=2)).refused(
        "cards-not-in-hq", "R-32", hq=BOB, colour="red"
    )
    here.when(ALICE, RotateCards(hq=BOB, colour="blue", cards=1)).refused("cards-not-in-hq", "R-32")


@pytest.mark.parametrize("hq", [3, -1])
def test_r_32_the_hq_is_somebodys(hq: int) -> None:
    given_cards(GUERRILLA).when(ALICE, RotateCards(hq=hq, colour="red", cards=1)).refused("no-such-hq", None, hq=hq)


def test_r_32_every_way_is_listed() -> None:
    ways = {(action.hq, action.colour, action.cards) for action in listed(given_cards(GUERRILLA))}
    assert {(0, "red", 1), (0, "red", 2), (0, "blue", 1), (1, "red", 1), (1, "black", 1), (1, "black", 2)} == ways


def test_r_33_print_media_exchanges_a_card_and_each_keeps_its_rotation() -> None:
    here = given_cards(PRINT)
    answer = here.when(ALICE, ExchangeCards(give=up("blue"), hq=BOB, take=flat("white")))
    answer.then(CardsExchanged(seat=ALICE, gave=up("blue"), hq=BOB, took=flat("white")), NEXT)
    own, other = answer.state.hqs[ALICE], answer.state.hqs[BOB]
    assert (0, 2) == (own.cards["blue"], own.rotated["white"])
    assert (1, 0) == (other.cards["blue"], other.rotated["white"])


def test_r_33_cards_of_one_colour_may_be_exchanged_if_one_is_rotated() -> None:
    given_cards(PRINT).when(ALICE, ExchangeCards(give=flat("red"), hq=BOB, take=up("red"))).then_includes(NEXT)


@pytest.mark.parametrize("card", [("red", False), ("white", True)])
def test_r_33_two_alike_change_nothing(card: tuple[str, bool]) -> None:
    alike = Card(colour=card[0], rotated=card[1])
    given_cards(PRINT).when(ALICE, ExchangeCards(give=alike, hq=BOB, take=alike)).refused("changes-nothing", "R-30")


def test_r_33_the_other_hq_is_not_ones_own() -> None:
    given_cards(PRINT).when(ALICE, ExchangeCards(give=up("red"), hq=ALICE, take=up("blue"))).refused("own-hq", "R-33")


def test_r_33_both_cards_are_there() -> None:
    here = given_cards(PRINT)
    here.when(ALICE, ExchangeCards(give=flat("blue"), hq=BOB, take=up("red"))).refused(
        "cards-not-in-hq", "R-33", hq=ALICE, colour="blue"
    )
    here.when(ALICE, ExchangeCards(give=up("blue"), hq=BOB, take=up("white"))).refused(
        "cards-not-in-hq", "R-33", hq=BOB, colour="white"
    )
    here.when(ALICE, ExchangeCards(give=up("blue"), hq=CAROL, take=up("white"))).refused("cards-not-in-hq", "R-33")
    here.when(ALICE, ExchangeCards(give=up("blue"), hq=3, take=up("white"))).refused("no-such-hq", None)


def test_r_33_every_exchange_of_different_cards_is_listed() -> None:
    own = {("red", False), ("blue", False), ("red", True), ("white", True)}
    theirs = {("red", False), ("black", False), ("blue", True), ("white", True)}
    ways = [
        (a.hq, (a.give.colour, a.give.rotated), (a.take.colour, a.take.rotated)) for a in listed(given_cards(PRINT))
    ]
    assert {(BOB, give, take) for give in own for take in theirs if give != take} == set(ways)
    assert len(set(ways)) == len(ways)


@pytest.mark.parametrize(
    ("hq", "colours"), [(BOB, ("blue", "blue")), (BOB, ("blue", "white")), (ALICE, ("red", "white")), (ALICE, ("red",))]
)
def test_r_34_ambient_advertising_unrotates_up_to_two_cards_of_any_colours_in_one_hq(
    hq: int, colours: tuple[str, ...]
) -> None:
    here = given_cards(AMBIENT)
    answer = here.when(ALICE, UnrotateCards(hq=hq, colours=colours))
    answer.then(CardsUnrotated(hq=hq, colours=colours), NEXT)
    turned = {colour: colours.count(colour) for colour in ("red", "black", "blue", "white")}
    before, after = here.state.hqs[hq], answer.state.hqs[hq]
    assert turned == {colour: before.rotated[colour] - after.rotated[colour] for colour in turned}
    assert turned == {colour: after.cards[colour] - before.cards[colour] for colour in turned}


@pytest.mark.parametrize("colours", [(), ("blue", "blue", "white")])
def test_r_34_one_or_two_cards_are_unrotated(colours: tuple[str, ...]) -> None:
    given_cards(AMBIENT).when(ALICE, UnrotateCards(hq=BOB, colours=colours)).refused("wrong-number-of-cards", "R-34")


def test_r_34_only_rotated_cards_are_unrotated() -> None:
    here = given_cards(AMBIENT)
    for colours in [("black",), ("white", "white"), ("red", "blue")]:
        here.when(ALICE, UnrotateCards(hq=BOB, colours=colours)).refused("cards-not-in-hq", "R-34", hq=BOB)
    here.when(ALICE, UnrotateCards(hq=3, colours=("red",))).refused("no-such-hq", None)


def test_r_34_every_way_is_listed_once() -> None:
    ways = [(action.hq, tuple(sorted(action.colours))) for action in listed(given_cards(AMBIENT))]
    own = [(ALICE, colours) for colours in [("red",), ("white",), ("red", "white")]]
    theirs = [(BOB, colours) for colours in [("blue",), ("white",), ("blue", "blue"), ("blue", "white")]]
    assert sorted(own + theirs) == sorted(ways)


@pytest.mark.parametrize(("hq", "card"), [(BOB, flat("blue")), (BOB, up("red")), (ALICE, up("blue"))])
def test_r_35_social_media_puts_a_card_of_any_hq_into_the_box(hq: int, card: Card) -> None:
    here = given_cards(SOCIAL)
    answer = here.when(ALICE, RemoveCard(hq=hq, card=card))
    answer.then(CardRemoved(hq=hq, card=card), NEXT)
    assert 1 == answer.state.box[card.colour] - here.state.box[card.colour]


def test_r_35_the_card_is_there() -> None:
    here = given_cards(SOCIAL)
    here.when(ALICE, RemoveCard(hq=BOB, card=up("blue"))).refused("cards-not-in-hq", "R-35", hq=BOB, colour="blue")
    here.when(ALICE, RemoveCard(hq=BOB, card=flat("red"))).refused("cards-not-in-hq", "R-35")
    here.when(ALICE, RemoveCard(hq=3, card=flat("red"))).refused("no-such-hq", None)


def test_r_35_every_card_is_listed_once() -> None:
    ways = [(action.hq, action.card.colour, action.card.rotated) for action in listed(given_cards(SOCIAL))]
    own = [(0, "red", False), (0, "blue", False), (0, "red", True), (0, "white", True)]
    theirs = [(1, "red", False), (1, "black", False), (1, "blue", True), (1, "white", True)]
    assert sorted(own + theirs) == sorted(ways)
