"""Illegal acts and journalism (B-60 to B-63)."""

from __future__ import annotations

from typing import Any

import pytest

from service.rules.games.bastards_inc.actions import Campaign, Deal, Expose, KeepSilent, Play, Sell
from service.rules.games.bastards_inc.actions import Delegate as Vp
from service.rules.games.bastards_inc.decide import on_timeout, to_act
from service.rules.games.bastards_inc.edition import CARD_DATA
from service.rules.games.bastards_inc.events import (
    ActAnnounced,
    ActExposed,
    BlackMoneyTaken,
    BusinessTurned,
    CardPlayed,
    DealMade,
    DecisionReached,
    EventRevealed,
    ExposureAnswered,
    ImmunityTaken,
    PricePaid,
    PrizeReturned,
    RoundBegun,
    StuffSold,
    TurnBegan,
    VicePresidentSentHome,
    WarBrokeOut,
)
from service.rules.games.bastards_inc.evolve import evolve
from service.rules.games.bastards_inc.legal import legal
from service.rules.games.bastards_inc.state import Folder, State, VicePresident, updated
from service.rules.games.bastards_inc.terms import Scores
from tests.rules.bastards_inc.support import ALICE, BOB, CAROL, DAVE, play, refused, table, take

SELL = Sell(vp=1)
GREY = (2, 2, 4, 1, 1, 1)
"""One more, and the marker of the Tigers is in the grey part."""


def watched(*watch: str, **changes: Any) -> State:
    """Return a table at which Alice may sell into the grey part, and the others watch so."""
    alice = {"vps": (("TIG", 3), "TLK"), **changes.pop("alice", {})}
    others = {seat: {"vps": ("TLK", "NWS", "NWS"), "watch": each} for seat, each in enumerate(watch, start=1)}
    return table(len(watch) + 1, companies={ALICE: alice, **others}, **{"stuff": GREY, **changes})


@pytest.mark.parametrize(("stuff", "is_illegal"), [(3, False), (4, True), (5, True)])
def test_b_60_a_sale_is_illegal_if_the_stuff_after_it_is_in_the_grey_part(stuff: int, is_illegal: bool) -> None:
    taken = take(watched("ask", stuff=(2, 2, stuff, 1, 1, 1)), ALICE, SELL)
    assert bool(taken.all(ActAnnounced)) == is_illegal
    assert bool(taken.all(StuffSold)) != is_illegal


@pytest.mark.parametrize("card", ["a12", "a18", "a20"])
def test_b_61_cards_marked_so_are_illegal(card: Any) -> None:
    assert CARD_DATA[card].illegal


def test_b_61_all_watchers_are_asked_at_once() -> None:
    taken = take(watched("ask", "never", "ask"), ALICE, SELL)
    assert taken.events == (
        ActAnnounced(seat=ALICE, sell=SELL),
        DecisionReached(phase="expose", seats=(BOB, DAVE)),
    )
    assert to_act(taken.state) == {BOB, DAVE}
    assert legal(taken.state, BOB) == [Expose(), KeepSilent()]
    assert on_timeout(taken.state, BOB) == KeepSilent()


def test_b_61_price_effort_and_card_are_gone_when_the_act_is_announced() -> None:
    state = watched("ask", alice={"hand": ("b09",), "scores": Scores(0, 2, 0, 2)})
    taken = take(state, ALICE, Deal(card="b09", vps=(1,)))
    assert taken.events[:3] == (
        PricePaid(seat=ALICE, billions=2, influence=0),
        BusinessTurned(seat=ALICE, card="b09", from_hand=True),
        ActAnnounced(seat=ALICE, deal=Deal(card="b09", vps=(1,))),
    )
    taken = take(watched("ask", alice={"scores": Scores(0, 0, 0, 1)}), ALICE, SELL)
    assert taken.all(PricePaid) == [PricePaid(seat=ALICE, billions=5, influence=0)]
    assert not taken.all(StuffSold)


def test_b_61_without_a_watcher_the_act_happens_at_once() -> None:
    for state in (watched("never", "never"), table(companies={ALICE: {"vps": ("TIG", "NWS")}}, stuff=GREY)):
        taken = take(state, ALICE, SELL)
        assert not taken.all(ActAnnounced)
        assert len(taken.all(StuffSold)) == 1


def test_b_61_the_first_who_always_exposes_does_and_nobody_is_asked() -> None:
    taken = take(watched("ask", "always", "always"), ALICE, SELL)
    assert taken.events[:2] == (
        ActAnnounced(seat=ALICE, sell=SELL),
        ActExposed(seat=ALICE, journalist=CAROL, vp=2, influence=2, home=1),
    )
    assert taken.state.phase == "business"


def test_b_61_clockwise_from_the_actor() -> None:
    state = watched("always", "always", "always")
    state = play(state._replace(stuff=(2,) * 6), (ALICE, Campaign(vp=2)), (BOB, Campaign(vp=1)))
    seller = state.companies[CAROL]._replace(vps=(VicePresident("TIG"), VicePresident("NWS")))
    state = state._replace(companies=(*state.companies[:2], seller, state.companies[3]), stuff=GREY)
    assert [each.journalist for each in take(state, CAROL, SELL).all(ActExposed)] == [DAVE]


def test_b_61_nothing_is_illegal_under_amnesty() -> None:
    state = watched("always", in_force=EventRevealed(event="e16", amnesty=True))
    assert not take(state, ALICE, SELL).all(ActAnnounced)


def test_b_50_immunity_ends_with_the_round() -> None:
    state = updated(table(), ALICE, immune=True)
    assert not evolve(state, RoundBegun(round=2, start_player=BOB)).companies[ALICE].immune


def test_b_61_nobody_exposes_who_is_immune() -> None:
    state = watched("always", alice={"hand": ("a30",)})
    taken = take(state, ALICE, Play(card="a30"))
    assert taken.all(ImmunityTaken)
    assert take(taken.state, ALICE, SELL).all(StuffSold)


def test_b_62_the_first_clockwise_who_exposes_does_and_the_others_keep_their_vp() -> None:
    state = play(watched("ask", "ask", "ask"), (ALICE, SELL), (DAVE, Expose()), (BOB, KeepSilent()))
    assert to_act(state) == {CAROL}
    taken = take(state, CAROL, Expose())
    assert taken.events[:2] == (
        ExposureAnswered(seat=CAROL, expose=True),
        ActExposed(seat=ALICE, journalist=CAROL, vp=2, influence=2, home=1),
    )
    assert [vp.at for vp in taken.state.companies[DAVE].vps] == ["TLK", "NWS", "NWS"]


def test_b_62_clockwise_is_from_the_actor_and_not_from_the_first_seat() -> None:
    state = watched("ask", "ask", "ask", alice={"vps": ("TLK", "NWS"), "watch": "ask"})
    seller = state.companies[CAROL]._replace(vps=(VicePresident("TIG"), VicePresident("TLK")))
    companies = (*state.companies[:2], seller, state.companies[3])
    state = state._replace(companies=companies, active=CAROL, asked=frozenset({CAROL}))
    answered = play(state, (CAROL, SELL), (ALICE, Expose()), (BOB, KeepSilent()))
    assert [each.journalist for each in take(answered, DAVE, Expose()).all(ActExposed)] == [DAVE]


def test_b_07_the_answers_of_journalists_raise_the_decision_together() -> None:
    asked = take(watched("ask", "ask"), ALICE, SELL).state
    assert take(asked, CAROL, KeepSilent()).state.decision == asked.decision
    assert refused(take(asked, CAROL, KeepSilent()).state, CAROL, Expose())[0] == "not-your-turn"


def test_b_63_an_exposed_seller_goes_home_with_empty_hands() -> None:
    taken = take(watched("always"), ALICE, SELL)
    alice, bob = taken.state.companies
    assert (alice.vps[0], alice.billions) == (VicePresident(), 10)
    assert taken.state.stuff == GREY
    assert (bob.vps, bob.influence) == ((VicePresident("TLK"), VicePresident(), VicePresident("NWS")), 7)
    assert taken.state.act is None


def test_b_63_an_exposed_business_lies_turned_and_its_vp_stays() -> None:
    taken = take(watched("always", alice={"hand": ("b09",)}), ALICE, Deal(card="b09", vps=(1,)))
    assert taken.all(ActExposed) == [ActExposed(seat=ALICE, journalist=BOB, vp=2, influence=2)]
    alice = taken.state.companies[ALICE]
    assert (alice.vps[0], alice.portfolio) == (VicePresident("TIG", 3), (Folder("b09", turned=True),))
    assert not taken.all(DealMade)


def test_b_63_an_exposed_card_is_discarded_and_does_nothing() -> None:
    taken = take(watched("always", alice={"hand": ("a12",)}), ALICE, Play(card="a12", field="POO"))
    assert taken.events[0] == CardPlayed(seat=ALICE, play=Play(card="a12", field="POO"))
    assert (taken.state.wars, taken.state.discards) == ((), ("a12",))


def test_b_63_an_exposed_laureate_gives_the_prize_back() -> None:
    taken = take(watched("always", laureate=ALICE), ALICE, SELL)
    assert taken.all(PrizeReturned) == [PrizeReturned(seat=ALICE)]
    assert taken.state.laureate is None
    assert take(watched("always", laureate=BOB), ALICE, SELL).state.laureate == BOB


def test_b_63_the_action_of_the_actor_is_used() -> None:
    taken = take(watched("always", passes=1), ALICE, SELL)
    assert taken.events[-2:] == (TurnBegan(seat=BOB), DecisionReached(phase="business", seats=(BOB,)))
    assert taken.state.passes == 0


@pytest.mark.parametrize(
    ("card", "action", "effect"),
    [
        ("a12", Play(card="a12", field="POO"), WarBrokeOut(region="POO")),
        (
            "a18",
            Play(card="a18", target=Vp(seat=CAROL, vp=1)),
            VicePresidentSentHome(seat=CAROL, vp=1),
        ),
        (
            "a20",
            Play(card="a20", vp=1, target=Vp(seat=CAROL, vp=1)),
            BlackMoneyTaken(seat=ALICE, vp=1, victim=Vp(seat=CAROL, vp=1), billions=3),
        ),
    ],
)
def test_b_62_an_act_happens_when_all_are_silent(card: str, action: Play, effect: Any) -> None:
    companies: Any = {
        ALICE: {"vps": ("TIG", "TLK"), "hand": (card,)},
        BOB: {"vps": ("TLK", "NWS")},
        CAROL: {"vps": (("TIG", 5), "TLK")},
    }
    taken = take(play(table(companies=companies), (ALICE, action)), BOB, KeepSilent())
    assert taken.events[1] == effect
    assert to_act(taken.state) == {BOB}
    assert taken.state.act is None


def test_b_62_a_sale_happens_when_all_are_silent() -> None:
    taken = take(take(watched("ask"), ALICE, SELL).state, BOB, KeepSilent())
    assert taken.events[:2] == (
        ExposureAnswered(seat=BOB, expose=False),
        StuffSold(seat=ALICE, vp=1, region="TIG", billions=5),
    )
