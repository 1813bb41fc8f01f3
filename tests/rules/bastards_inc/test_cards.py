"""Action cards (B-74 to B-76)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from service.rules.games.bastards_inc.actions import Delegate as Vp
from service.rules.games.bastards_inc.actions import Play
from service.rules.games.bastards_inc.decide import to_act
from service.rules.games.bastards_inc.events import (
    BillionsGained,
    BillionsTaken,
    BlackMoneyTaken,
    BunkerTaken,
    BusinessRighted,
    CardPlayed,
    CardsDrawn,
    CardsReshuffled,
    ImmunityTaken,
    InfluenceGained,
    MoneyLaundered,
    PricePaid,
    PrizeReturned,
    ScoreChanged,
    StuffChanged,
    VicePresidentFlown,
    VicePresidentHired,
    VicePresidentSentHome,
    WarBrokeOut,
    WarEnded,
)
from service.rules.games.bastards_inc.legal import legal
from service.rules.games.bastards_inc.state import Folder, State, VicePresident
from service.rules.games.bastards_inc.terms import SCORES, Scores
from tests.rules.bastards_inc.support import ALICE, BOB, CAROL, Loaded, Taken, refused, table, take

BOBS = Vp(seat=BOB, vp=1)


def holding(card: str, alice: Mapping[str, Any] = {}, bob: Mapping[str, Any] = {}, **changes: Any) -> State:
    """Return a table at which Alice holds a card; her VPs are in the Tigers and in the Talk Circus."""
    companies = {
        ALICE: {"vps": ("TIG", "TLK"), "hand": (card,), **alice},
        BOB: {"vps": ("TLK", "TLK"), **bob},
        CAROL: {"billions": 0},
    }
    return table(companies=companies, **changes)


def played(
    card: Any, alice: Mapping[str, Any] = {}, bob: Mapping[str, Any] = {}, aim: Mapping[str, Any] = {}, **changes: Any
) -> Taken:
    """Return what follows from playing the card, aimed so."""
    return take(holding(card, alice, bob, **changes), ALICE, Play(card=card, **aim))


def ways(state: State) -> list[Play]:
    return [action for action in legal(state, ALICE) if isinstance(action, Play)]


def effects(taken: Taken) -> list[Any]:
    """Return what follows after the card is on the discard pile and before it is the next one's turn."""
    names = [type(event).__name__ for event in taken.events]
    end = next((number for number, name in enumerate(names) if name in {"TurnBegan", "DecisionReached"}), None)
    return list(taken.events[names.index("CardPlayed") + 1 : end])


def test_b_75_a_card_goes_from_the_hand_to_the_discard_pile() -> None:
    taken = played("a03")
    assert taken.events[0] == CardPlayed(seat=ALICE, play=Play(card="a03"))
    assert (taken.state.companies[ALICE].hand, taken.state.discards) == ((), ("a03",))


def test_b_76_a_card_of_timing_action_is_the_action_of_the_turn() -> None:
    assert to_act(played("a03").state) == {BOB}


def test_b_76_the_price_is_part_of_the_action() -> None:
    assert played("a23").all(PricePaid) == [PricePaid(seat=ALICE, billions=4, influence=0)]
    poor = {"billions": 1, "influence": 2}
    assert refused(holding("a23", poor), ALICE, Play(card="a23")) == ("cannot-pay", "B-76")
    assert not ways(holding("a23", poor))


def test_b_75_nobody_plays_what_he_does_not_hold() -> None:
    assert refused(holding("a03"), ALICE, Play(card="a04")) == ("card-not-in-hand", "B-75")


def test_b_75_haven_cashes_the_black_money_and_the_vp_stays() -> None:
    taken = played("a01", {"vps": (("TIG", 5), "TLK")}, aim={"vp": 1}, wars=("TIG",))
    assert effects(taken) == [MoneyLaundered(seat=ALICE, vp=1, billions=5, stays=True)]
    own = taken.state.companies[ALICE]
    assert (own.billions, own.vps[0]) == (15, VicePresident("TIG"))
    assert not ways(holding("a01"))


def test_b_75_money_and_influence_come_from_the_bank() -> None:
    assert effects(played("a03")) == [BillionsGained(seat=ALICE, billions=6)]
    assert played("a03").state.companies[ALICE].billions == 16
    assert effects(played("a04")) == [InfluenceGained(seat=ALICE, influence=3)]
    assert played("a04").state.companies[ALICE].influence == 8


def test_b_75_improve_raises_a_score_for_good() -> None:
    taken = played("a06")
    assert effects(taken) == [ScoreChanged(seat=ALICE, score="cor", change=1)]
    assert taken.state.companies[ALICE].scores == Scores(4, 3, 3, 3)
    assert not ways(holding("a06", {"scores": Scores(6, 3, 3, 3)}))


def test_b_75_improve_any_raises_a_score_of_choice_below_six() -> None:
    state = holding("a10", {"scores": Scores(6, 3, 6, 3)})
    assert [way.score for way in ways(state)] == ["cri", "tec"]
    assert effects(take(state, ALICE, Play(card="a10", score="tec"))) == [
        ScoreChanged(seat=ALICE, score="tec", change=1)
    ]


def test_b_75_smear_lowers_a_score_of_another_seat_above_zero() -> None:
    state = holding("a11", bob={"scores": Scores(0, 1, 0, 0)})
    assert {(way.seat, way.score) for way in ways(state)} == {(BOB, "cri"), *((CAROL, score) for score in SCORES)}
    taken = take(state, ALICE, Play(card="a11", seat=BOB, score="cri"))
    assert effects(taken) == [ScoreChanged(seat=BOB, score="cri", change=-1)]


def test_b_75_war_breaks_out_where_there_is_none_and_only_three_at_once() -> None:
    state = holding("a12", wars=("TIG", "POO"))
    assert [way.field for way in ways(state)] == ["SUP", "RST", "KOR", "ROG"]
    assert effects(take(state, ALICE, Play(card="a12", field="SUP"))) == [WarBrokeOut(region="SUP")]
    assert not ways(holding("a12", wars=("TIG", "POO", "KOR")))


def test_b_75_peace_ends_a_war_and_brings_influence() -> None:
    taken = played("a14", aim={"field": "POO"}, wars=("TIG", "POO"))
    assert effects(taken) == [WarEnded(region="POO"), InfluenceGained(seat=ALICE, influence=2)]
    assert taken.state.wars == ("TIG",)
    assert not ways(holding("a14"))


def test_b_75_stuff_is_added_below_six_and_taken_above_zero() -> None:
    stuff = (6, 0, 1, 2, 3, 4)
    more, less = holding("a15", stuff=stuff), holding("a17", stuff=stuff)
    assert [way.field for way in ways(more)] == ["RST", "TIG", "KOR", "ROG", "POO"]
    assert [way.field for way in ways(less)] == ["SUP", "TIG", "KOR", "ROG", "POO"]
    assert effects(take(more, ALICE, Play(card="a15", field="POO"))) == [StuffChanged(region="POO", change=1)]
    assert effects(take(less, ALICE, Play(card="a17", field="POO"))) == [StuffChanged(region="POO", change=-2)]
    assert effects(take(less, ALICE, Play(card="a17", field="TIG"))) == [StuffChanged(region="TIG", change=-1)]


def test_b_75_stuff_by_a_card_is_no_sale_and_never_illegal() -> None:
    state = holding("a15", bob={"vps": ("NWS", "NWS"), "watch": "always"}, stuff=(5,) * 6)
    assert effects(take(state, ALICE, Play(card="a15", field="TIG"))) == [StuffChanged(region="TIG", change=1)]


def test_b_75_evict_sends_a_vp_of_another_home_from_a_war_too() -> None:
    state = holding("a18", bob={"vps": (("POO", 4), "VIP")}, wars=("POO",), laureate=BOB)
    assert [way.target for way in ways(state)] == [BOBS]
    taken = take(state, ALICE, Play(card="a18", target=BOBS))
    assert effects(taken) == [VicePresidentSentHome(seat=BOB, vp=1)]
    assert taken.state.companies[BOB].vps[0] == VicePresident()


def test_b_75_sue_takes_up_to_five_billions_from_whoever_has_any() -> None:
    state = holding("a19", bob={"billions": 3})
    assert [way.seat for way in ways(state)] == [BOB]
    taken = take(state, ALICE, Play(card="a19", seat=BOB))
    assert effects(taken) == [BillionsTaken(seat=ALICE, victim=BOB, billions=3)]
    assert [own.billions for own in taken.state.companies[:2]] == [13, 0]
    assert effects(played("a19", aim={"seat": BOB})) == [BillionsTaken(seat=ALICE, victim=BOB, billions=5)]


def test_b_75_extort_moves_half_the_black_money_rounded_up_to_ones_own_vp_beside() -> None:
    bob = {"vps": (("TIG", 5), ("POO", 4), ("TLK", 4))}
    state = holding("a20", bob=bob)
    assert [(way.vp, way.target) for way in ways(state)] == [(1, BOBS)]
    taken = take(state, ALICE, Play(card="a20", vp=1, target=BOBS))
    assert effects(taken) == [BlackMoneyTaken(seat=ALICE, vp=1, victim=BOBS, billions=3)]
    assert taken.state.companies[ALICE].vps[0] == VicePresident("TIG", 3)
    assert taken.state.companies[BOB].vps[0] == VicePresident("TIG", 2)


def test_b_75_draw_brings_two_cards_over_the_limit_too_and_is_free() -> None:
    taken = played("a21", {"hand": ("a21", "a01", "a02", "a30")}, cards=("b01", "b02", "b03"))
    assert effects(taken) == [CardsDrawn(seat=ALICE, cards=("b01", "b02"))]
    assert (to_act(taken.state), taken.events[0].free) == (frozenset({ALICE}), True)
    assert len(taken.state.companies[ALICE].hand) == 5


def test_b_75_draw_is_not_playable_if_both_piles_are_empty() -> None:
    state = holding("a21", cards=())
    assert not ways(state)
    assert refused(state, ALICE, Play(card="a21")) == ("not-playable", "B-76")


def test_b_24_an_empty_pile_is_reshuffled_in_the_middle_of_a_draw() -> None:
    dice = Loaded()
    taken = take(holding("a21", cards=("b01",), discards=("b05", "b02")), ALICE, Play(card="a21"), dice)
    assert effects(taken) == [
        CardsDrawn(seat=ALICE, cards=("b01",)),
        CardsReshuffled(cards=("a21", "b02", "b05")),
        CardsDrawn(seat=ALICE, cards=("a21",)),
    ]
    assert dice.labels == ["cards:1"]


def test_b_74_the_bunker_stays_with_who_played_it_and_its_card_is_in_no_pile() -> None:
    taken = played("a23")
    assert effects(taken) == [BunkerTaken(seat=ALICE)]
    assert taken.state.bunker == ALICE
    assert "a23" not in (*taken.state.discards, *taken.state.cards, *taken.state.companies[ALICE].hand)


def test_b_75_skeleton_takes_the_prize_from_another_laureate() -> None:
    taken = played("a24", laureate=BOB)
    assert effects(taken) == [PrizeReturned(seat=BOB)]
    assert taken.state.laureate is None
    assert not ways(holding("a24"))
    assert not ways(holding("a24", laureate=ALICE))


def test_b_75_nepotism_hires_for_the_price_of_the_card() -> None:
    taken = played("a25")
    assert effects(taken) == [VicePresidentHired(seat=ALICE, vp=3)]
    assert taken.all(PricePaid) == [PricePaid(seat=ALICE, billions=6, influence=0)]
    assert not ways(holding("a25", {"vps": ("TIG",) * 4}))


def test_b_75_again_sets_a_turned_business_upright() -> None:
    folders = (Folder("b02", turned=False), Folder("b01", turned=True))
    state = holding("a26", {"portfolio": folders})
    assert [way.business for way in ways(state)] == ["b01"]
    taken = take(state, ALICE, Play(card="a26", business="b01"))
    assert effects(taken) == [BusinessRighted(seat=ALICE, card="b01")]
    assert not any(folder.turned for folder in taken.state.companies[ALICE].portfolio)


def test_b_35_papers_are_played_when_placing_only() -> None:
    assert not ways(holding("a27"))
    assert refused(holding("a27"), ALICE, Play(card="a27")) == ("only-when-placing", "B-35")


def test_b_75_telethon_brings_influence_for_every_vp_in_the_media_circus_and_they_stay() -> None:
    taken = played("a28", {"vps": ("TLK", "NWS", "POO", "PTY")})
    assert effects(taken) == [InfluenceGained(seat=ALICE, influence=3)]
    assert [vp.at for vp in taken.state.companies[ALICE].vps] == ["TLK", "NWS", "POO", "PTY"]
    assert not ways(holding("a28", {"vps": ("TIG", "VIP")}))


def test_b_75_jet_flies_a_vp_anywhere_with_its_luggage() -> None:
    taken = played("a29", {"vps": (("TIG", 4), "VIP")}, aim={"vp": 1, "field": "SUP"})
    assert effects(taken) == [VicePresidentFlown(seat=ALICE, vp=1, field="SUP")]
    assert taken.state.companies[ALICE].vps[0] == VicePresident("SUP", 4)
    assert effects(played("a29", {"vps": ("TIG", "VIP")}, aim={"vp": 2, "field": "NWS"}))


def test_b_75_jet_flies_neither_into_a_war_nor_out_of_one_but_for_the_laureate() -> None:
    state = holding("a29", wars=("TIG", "POO"))
    assert {way.vp for way in ways(state)} == {2}
    assert not {way.field for way in ways(state)} & {"TIG", "POO", "TLK"}
    laureate = state._replace(laureate=ALICE)
    assert {(1, "POO"), (2, "TIG")} <= {(way.vp, way.field) for way in ways(laureate)}


def test_b_75_immunity_is_free_and_lasts() -> None:
    taken = played("a30")
    assert effects(taken) == [ImmunityTaken(seat=ALICE)]
    assert (to_act(taken.state), taken.state.companies[ALICE].immune) == (frozenset({ALICE}), True)


@pytest.mark.parametrize(
    ("card", "aim"),
    [
        ("a03", {"vp": 1}),
        ("a10", {}),
        ("a11", {"seat": ALICE, "score": "cor"}),
        ("a12", {"field": "TLK"}),
        ("a18", {"target": Vp(seat=ALICE, vp=1)}),
        ("a18", {"target": Vp(seat=BOB, vp=9)}),
        ("a19", {"seat": 9}),
        ("a29", {"vp": 1}),
        ("a29", {"vp": 1, "field": "TIG"}),
    ],
)
def test_b_76_a_card_is_aimed_at_what_its_kind_needs_and_nothing_else(card: Any, aim: Any) -> None:
    assert refused(holding(card), ALICE, Play(card=card, **aim)) == ("wrong-target", "B-75")


def test_b_14_vps_that_are_alike_are_aimed_at_once_and_each_of_them_is_accepted() -> None:
    state = holding("a18", bob={"vps": ("TLK", "TLK", ("TLK", 2))})
    assert [way.target for way in ways(state)] == [BOBS, Vp(seat=BOB, vp=3)]
    assert effects(take(state, ALICE, Play(card="a18", target=Vp(seat=BOB, vp=2))))
