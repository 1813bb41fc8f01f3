"""Hidden cards: exchange one for another, and nobody else can tell."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.rules.games.new_corp_order import RULESET
from service.rules.games.new_corp_order.events import CardsDealt, ObjectivesDealt, ObjectivesLaidOut
from service.rules.games.new_corp_order.state import State
from service.rules.games.new_corp_order.terms import COLOURS, COMPANY_TYPES
from service.rules.kernel import fold
from tests.rules.new_corp_order.asking import any_action, changed
from tests.rules.new_corp_order.exchanges import Log, exchanged, only, swapped
from tests.rules.playouts import names_of, random_game, refusal_of, times, viewers

pytestmark = pytest.mark.long

positions = times(15)
drawn = given(seed=st.integers(0, 99), lots=st.integers(0, 2**32))
THREE = pytest.param(3, marks=pytest.mark.slow)
"""With three nothing is hidden that is not with two or four."""
with_others = pytest.mark.parametrize("seats", [2, THREE, 4])


def position(seats: int, seed: int, lots: Random) -> list[Any]:
    """The log of a random game up to somewhere in the middle."""
    game = random_game("new-corp-order", seats, seed)
    return game.log(lots.randrange(len(game.steps)))


def known(log: Log, viewer: int | None, seats: int, lots: int) -> str:
    """Everything that a viewer is told at the end of a log, as JSON: views, events, sentences, actions, refusals.

    The table as text gets nothing but the view: it is the same where that is.
    """
    state = fold(RULESET, log)
    return json.dumps(
        [
            RULESET.view(state, viewer),
            RULESET.standings(state, viewer),
            [told(event, viewer, seats) for event in log[1:]],
            [] if viewer is None else [repr(action) for action in RULESET.legal(state, viewer)],
            [] if viewer is None else refusals(state, viewer, Random(lots), names_of(seats)),
        ]
    )


@cache
def told(event: Any, viewer: int | None, seats: int) -> list[Any]:
    """What a viewer is told of an event, as data and in every language: the same in every log that has it."""
    names = names_of(seats)
    sentences = [RULESET.describe(event, viewer, language, names) for language in RULESET.meta.languages]
    return [RULESET.redact(event, viewer), sentences]


def refusals(state: State, seat: int, lots: Random, names: list[str]) -> list[Any]:
    """What is said to a seat that asks for this and that."""
    listed = list(RULESET.legal(state, seat))
    asked = [any_action(lots) for _ in range(10)] + [changed(lots.choice(listed), lots) for _ in listed[:15]]
    said = [refusal_of(RULESET, state, seat, action) for action in asked]
    return [
        each and [each.code, each.rule, repr(sorted(each.facts.items())), RULESET.describe(each, seat, "en", names)]
        for each in said
    ]


@with_others
@positions
@drawn
def test_a_card_of_a_hand_is_hidden_from_everybody_else(seats: int, seed: int, lots: int) -> None:
    draw = Random(lots)
    log = position(seats, seed, draw)
    state, dealt = fold(RULESET, log), only(log, CardsDealt)
    untouched = len(dealt.deck) - len(state.deck)
    owner = draw.randrange(seats)
    held = [(i, c) for i, c in enumerate(dealt.hands[owner]) if state.hands[owner][c] >= 1]
    if not held or not state.deck:
        return
    place, card = draw.choice(held)
    others = [i for i in range(untouched, len(dealt.deck)) if dealt.deck[i] != card]
    if not others:
        return
    other = draw.choice(others)
    hand = swapped(dealt.hands[owner], place, dealt.deck[other])
    deck = swapped(dealt.deck, other, card)
    hands = (*dealt.hands[:owner], hand, *dealt.hands[owner + 1 :])
    elsewhere = exchanged(log, CardsDealt, lambda event: replace(event, hands=hands, deck=deck))
    for viewer in viewers(seats):
        same = known(log, viewer, seats, lots) == known(elsewhere, viewer, seats, lots)
        assert same == (viewer != owner), f"{viewer} sees a card of {owner}"


@pytest.mark.parametrize("seats", [1, 2, THREE, 4])
@positions
@drawn
def test_the_deck_is_hidden_from_everybody(seats: int, seed: int, lots: int) -> None:
    draw = Random(lots)
    log = position(seats, seed, draw)
    state, dealt = fold(RULESET, log), only(log, CardsDealt)
    left = range(len(dealt.deck) - len(state.deck), len(dealt.deck))
    pairs = [(i, j) for i in left for j in left if dealt.deck[i] != dealt.deck[j]]
    if not pairs:
        return
    one, other = draw.choice(pairs[: len(left)] if draw.random() < 0.5 else pairs)
    deck = swapped(swapped(dealt.deck, one, dealt.deck[other]), other, dealt.deck[one])
    elsewhere = exchanged(log, CardsDealt, lambda event: replace(event, deck=deck))
    for viewer in viewers(seats):
        assert known(log, viewer, seats, lots) == known(elsewhere, viewer, seats, lots)


@with_others
@positions
@drawn
def test_an_objective_is_hidden_from_everybody_else(seats: int, seed: int, lots: int) -> None:
    draw = Random(lots)
    log = position(seats, seed, draw)
    dealt, owner = only(log, ObjectivesDealt), draw.randrange(seats)
    other = draw.choice([kind for kind in COMPANY_TYPES if kind not in dealt.objectives[owner]])
    own = swapped(dealt.objectives[owner], draw.randrange(2), other)
    objectives = (*dealt.objectives[:owner], own, *dealt.objectives[owner + 1 :])
    returned = (*dealt.returned[:owner], (own[0],), *dealt.returned[owner + 1 :])
    if dealt.returned[owner]:
        elsewhere = exchanged(
            log, ObjectivesDealt, lambda event: replace(event, objectives=objectives, returned=returned)
        )
    else:
        elsewhere = exchanged(log, ObjectivesDealt, lambda event: replace(event, objectives=objectives))
    for viewer in viewers(seats):
        same = known(log, viewer, seats, lots) == known(elsewhere, viewer, seats, lots)
        assert same == (viewer != owner), f"{viewer} sees an objective of {owner}"


@positions
@drawn
def test_alone_display_and_objectives_are_hidden_until_the_colours_are_chosen(seed: int, lots: int) -> None:
    draw = Random(lots)
    log = list(random_game("new-corp-order", 1, seed).setup)
    display = tuple(draw.choices(COLOURS, k=4))
    objectives = tuple(draw.sample(COMPANY_TYPES, 3))
    elsewhere = exchanged(log, CardsDealt, lambda event: replace(event, display=display))
    elsewhere = exchanged(elsewhere, ObjectivesLaidOut, lambda event: replace(event, objectives=objectives))
    for viewer in viewers(1):
        assert known(log, viewer, 1, lots) == known(elsewhere, viewer, 1, lots)
