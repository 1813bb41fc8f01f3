"""The company abilities that touch cards: R-32 to R-35."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from service.rules.games.new_corp_order import RULESET
from service.rules.games.new_corp_order.actions import (
    Card,
    ExchangeCards,
    RemoveCard,
    RotateCards,
    SkipAbility,
    UnrotateCards,
)
from service.rules.games.new_corp_order.events import (
    CardRemoved,
    CardsExchanged,
    CardsRotated,
    CardsUnrotated,
    TurnBegan,
)
from tests.rules.new_corp_order.tables import ALICE, AMBIENT, BOB, CAROL, GUERRILLA, HQ, PRINT, SOCIAL, case, won

NEXT = TurnBegan(seat=BOB)
HQS = (
    HQ({"red": 2, "blue": 1}, rotated={"red": 1, "white": 1}),
    HQ({"red": 1, "black": 3}, rotated={"blue": 2, "white": 1}),
    HQ(),
)


def given(kind: str, hqs: Sequence[HQ] = HQS) -> Any:
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
    here = given(GUERRILLA)
    answer = here.when(ALICE, RotateCards(hq=hq, colour=colour, cards=cards))
    answer.then(CardsRotated(hq=hq, colour=colour, cards=cards), NEXT)
    assert cards == answer.state.hqs[hq].rotated[colour] - here.state.hqs[hq].rotated[colour]


@pytest.mark.parametrize("cards", [0, 3, -1])
def test_r_32_one_or_two_cards_are_rotated(cards: int) -> None:
    given(GUERRILLA).when(ALICE, RotateCards(hq=BOB, colour="black", cards=cards)).refused(
        "wrong-number-of-cards", "R-32"
    )


def test_r_32_only_unrotated_cards_are_rotated() -> None:
    here = given(GUERRILLA)
    here.when(ALICE, RotateCards(hq=BOB, colour="red", cards=2)).refused(
        "cards-not-in-hq", "R-32", hq=BOB, colour="red"
    )
    here.when(ALICE, RotateCards(hq=BOB, colour="blue", cards=1)).refused("cards-not-in-hq", "R-32")


@pytest.mark.parametrize("hq", [3, -1])
def test_r_32_the_hq_is_somebodys(hq: int) -> None:
    given(GUERRILLA).when(ALICE, RotateCards(hq=hq, colour="red", cards=1)).refused("no-such-hq", None, hq=hq)


def test_r_32_every_way_is_listed() -> None:
    ways = {(action.hq, action.colour, action.cards) for action in listed(given(GUERRILLA))}
    assert {(0, "red", 1), (0, "red", 2), (0, "blue", 1), (1, "red", 1), (1, "black", 1), (1, "black", 2)} == ways


def test_r_33_print_media_exchanges_a_card_and_each_keeps_its_rotation() -> None:
    here = given(PRINT)
    answer = here.when(ALICE, ExchangeCards(give=up("blue"), hq=BOB, take=flat("white")))
    answer.then(CardsExchanged(seat=ALICE, gave=up("blue"), hq=BOB, took=flat("white")), NEXT)
    own, other = answer.state.hqs[ALICE], answer.state.hqs[BOB]
    assert (0, 2) == (own.cards["blue"], own.rotated["white"])
    assert (1, 0) == (other.cards["blue"], other.rotated["white"])


def test_r_33_cards_of_one_colour_may_be_exchanged_if_one_is_rotated() -> None:
    given(PRINT).when(ALICE, ExchangeCards(give=flat("red"), hq=BOB, take=up("red"))).then_includes(NEXT)


@pytest.mark.parametrize("card", [("red", False), ("white", True)])
def test_r_33_two_alike_change_nothing(card: tuple[str, bool]) -> None:
    alike = Card(colour=card[0], rotated=card[1])
    given(PRINT).when(ALICE, ExchangeCards(give=alike, hq=BOB, take=alike)).refused("changes-nothing", "R-30")


def test_r_33_the_other_hq_is_not_ones_own() -> None:
    given(PRINT).when(ALICE, ExchangeCards(give=up("red"), hq=ALICE, take=up("blue"))).refused("own-hq", "R-33")


def test_r_33_both_cards_are_there() -> None:
    here = given(PRINT)
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
    ways = [(a.hq, (a.give.colour, a.give.rotated), (a.take.colour, a.take.rotated)) for a in listed(given(PRINT))]
    assert {(BOB, give, take) for give in own for take in theirs if give != take} == set(ways)
    assert len(set(ways)) == len(ways)


@pytest.mark.parametrize(
    ("hq", "colours"), [(BOB, ("blue", "blue")), (BOB, ("blue", "white")), (ALICE, ("red", "white")), (ALICE, ("red",))]
)
def test_r_34_ambient_advertising_unrotates_up_to_two_cards_of_any_colours_in_one_hq(
    hq: int, colours: tuple[str, ...]
) -> None:
    here = given(AMBIENT)
    answer = here.when(ALICE, UnrotateCards(hq=hq, colours=colours))
    answer.then(CardsUnrotated(hq=hq, colours=colours), NEXT)
    turned = {colour: colours.count(colour) for colour in ("red", "black", "blue", "white")}
    before, after = here.state.hqs[hq], answer.state.hqs[hq]
    assert turned == {colour: before.rotated[colour] - after.rotated[colour] for colour in turned}
    assert turned == {colour: after.cards[colour] - before.cards[colour] for colour in turned}


@pytest.mark.parametrize("colours", [(), ("blue", "blue", "white")])
def test_r_34_one_or_two_cards_are_unrotated(colours: tuple[str, ...]) -> None:
    given(AMBIENT).when(ALICE, UnrotateCards(hq=BOB, colours=colours)).refused("wrong-number-of-cards", "R-34")


def test_r_34_only_rotated_cards_are_unrotated() -> None:
    here = given(AMBIENT)
    for colours in [("black",), ("white", "white"), ("red", "blue")]:
        here.when(ALICE, UnrotateCards(hq=BOB, colours=colours)).refused("cards-not-in-hq", "R-34", hq=BOB)
    here.when(ALICE, UnrotateCards(hq=3, colours=("red",))).refused("no-such-hq", None)


def test_r_34_every_way_is_listed_once() -> None:
    ways = [(action.hq, tuple(sorted(action.colours))) for action in listed(given(AMBIENT))]
    own = [(ALICE, colours) for colours in [("red",), ("white",), ("red", "white")]]
    theirs = [(BOB, colours) for colours in [("blue",), ("white",), ("blue", "blue"), ("blue", "white")]]
    assert sorted(own + theirs) == sorted(ways)


@pytest.mark.parametrize(("hq", "card"), [(BOB, flat("blue")), (BOB, up("red")), (ALICE, up("blue"))])
def test_r_35_social_media_puts_a_card_of_any_hq_into_the_box(hq: int, card: Card) -> None:
    here = given(SOCIAL)
    answer = here.when(ALICE, RemoveCard(hq=hq, card=card))
    answer.then(CardRemoved(hq=hq, card=card), NEXT)
    assert 1 == answer.state.box[card.colour] - here.state.box[card.colour]


def test_r_35_the_card_is_there() -> None:
    here = given(SOCIAL)
    here.when(ALICE, RemoveCard(hq=BOB, card=up("blue"))).refused("cards-not-in-hq", "R-35", hq=BOB, colour="blue")
    here.when(ALICE, RemoveCard(hq=BOB, card=flat("red"))).refused("cards-not-in-hq", "R-35")
    here.when(ALICE, RemoveCard(hq=3, card=flat("red"))).refused("no-such-hq", None)


def test_r_35_every_card_is_listed_once() -> None:
    ways = [(action.hq, action.card.colour, action.card.rotated) for action in listed(given(SOCIAL))]
    own = [(0, "red", False), (0, "blue", False), (0, "red", True), (0, "white", True)]
    theirs = [(1, "red", False), (1, "black", False), (1, "blue", True), (1, "white", True)]
    assert sorted(own + theirs) == sorted(ways)
