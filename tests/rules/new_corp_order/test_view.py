"""Views and redacted events: what each viewer may see, and that exchanged hidden cards change nothing else."""

from __future__ import annotations

import json
import re
from dataclasses import fields, replace
from functools import cache
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.rules.games.new_corp_order import RULESET
from service.rules.games.new_corp_order import events as e
from service.rules.games.new_corp_order.events import CardsDealt, ObjectivesDealt, ObjectivesLaidOut
from service.rules.games.new_corp_order.evolve import evolve
from service.rules.games.new_corp_order.redact import PARTLY, PUBLIC, redact
from service.rules.games.new_corp_order.state import State
from service.rules.games.new_corp_order.tabletop.draw import draw
from service.rules.games.new_corp_order.terms import COLOURS, COMPANY_TYPES
from service.rules.games.new_corp_order.view import view
from service.rules.games.new_corp_order.words import LANGUAGES
from service.rules.kernel import GameStarted, fold
from tests.rules.new_corp_order.support import (
    EVENTS,
    SECRET,
    SECRET_FROM_ALL,
    STARTED,
    STARTED_SOLO,
    TILES,
    Log,
    any_action,
    changed_action,
    exchanged,
    only,
    swapped,
)
from tests.rules.playouts import names_of, random_game, refusal_of, times, viewers

ALICE, BOB, CAROL = 0, 1, None
NAMES = ("Alice", "Bob")
TAGS = [language.code for language in LANGUAGES]
GRID = (
    e.CompaniesLaid(grid=TILES[:12], boxed=TILES[12:]),
    e.AgentsScattered(colours=("red", "black", "blue", "white") * 3),
)
OBJECTIVES = (("print-media", "social-media"), ("online-marketing", "social-media"))
HANDS = (("red", "red", "black", "white"), ("blue", "blue", "white", "white"))
DISPLAY = ("red", "black", "blue", "white", "red")


def folded(*events: Any) -> State:
    state = None
    for event in events:
        state = evolve(state, event)
    assert state is not None
    return state


def two_players(
    *events: Any, objectives: Any = OBJECTIVES, hands: Any = HANDS, deck: Any = ("white", "white", "black")
) -> State:
    return folded(
        STARTED,
        *GRID,
        e.ObjectivesDealt(objectives=objectives, returned=((), ())),
        e.ConsultantsDealt(consultants=("dealmaker", "media-advisor")),
        e.CardsDealt(hands=hands, display=DISPLAY, deck=deck, boxed=5),
        e.TurnBegan(seat=0),
        *events,
    )


def solo(
    *events: Any, objectives: Any = ("print-media", "social-media", "online-marketing"), display: Any = DISPLAY[:4]
) -> State:
    return folded(
        STARTED_SOLO,
        *GRID,
        e.ObjectivesLaidOut(objectives=objectives),
        e.CardsDealt(hands=(), display=display, deck=("red",) * 56, boxed=5),
        e.DecisionReached(seat=0, decision="conglomerates"),
        *events,
    )


CHOSEN = e.ConglomeratesChosen(player=("red", "black"), ods=("blue", "white"))
ENDED = e.GameEnded(scores=(23, 18), winners=(0,))


def test_a_player_sees_the_own_hand_and_objectives_and_the_size_of_the_rest() -> None:
    seen = view(two_players(), ALICE)
    assert seen["you"] == {
        "seat": 0,
        "hand": {"red": 2, "black": 1, "blue": 0, "white": 1},
        "objectives": ["print-media", "social-media"],
    }
    assert [(each["seat"], each["hand"], each["objectives"]) for each in seen["players"]] == [
        (0, 4, ["print-media", "social-media"]),
        (1, 4, None),
    ]
    assert seen["deck"] == 3
    assert seen["display"] == list(DISPLAY)


def test_the_view_shows_grid_supply_turn_and_hqs() -> None:
    seen = view(two_players(e.CardsPlaced(seat=0, colour="red", cards=2)), BOB)
    assert (seen["grid"]["columns"], seen["grid"]["rows"]) == (4, 3)
    assert seen["grid"]["companies"][5] == {
        "square": "B2",
        "name": TILES[5],
        "type": "guerrilla-marketing",
        "colour": "black",
        "agents": 1,
    }
    assert seen["supply"]["agents"] == {"red": 22, "black": 22, "blue": 22, "white": 22}
    assert seen["supply"]["consultants"]["corporate-lawyer"] == 0
    assert seen["players"][0]["hq"]["cards"]["red"] == 2
    assert seen["players"][0]["hq"]["consultants"]["dealmaker"] == 1
    assert seen["turn"] == {
        "number": 1,
        "seat": 0,
        "phase": "turn",
        "used": None,
        "taken_over": None,
        "to_place": [],
        "final_turns": None,
    }
    assert seen["solo"] is None
    assert seen["result"] is None


def test_a_spectator_has_no_hand() -> None:
    seen = view(two_players(), CAROL)
    assert seen["you"] is None
    assert [each["objectives"] for each in seen["players"]] == [None, None]


def test_what_a_viewer_may_not_know_changes_no_byte_of_the_view() -> None:
    other_hand = (("blue", "blue", "blue", "blue"), HANDS[1])
    other_objectives = (("broadcast-network", "ambient-advertising"), OBJECTIVES[1])
    one = two_players()
    other = two_players(objectives=other_objectives, hands=other_hand, deck=("red", "red", "red"))
    for viewer in (BOB, CAROL):
        assert json.dumps(view(one, viewer)) == json.dumps(view(other, viewer))
    assert view(one, ALICE) != view(other, ALICE)


def test_objectives_are_open_when_the_game_is_over() -> None:
    seen = view(two_players(ENDED), CAROL)
    assert [each["objectives"] for each in seen["players"]] == [list(each) for each in OBJECTIVES]
    assert seen["result"] == {"scores": [23, 18], "winners": [0]}
    assert seen["turn"]["phase"] == "over"


def test_r_50_display_and_objectives_are_hidden_until_the_conglomerates_are_chosen() -> None:
    one = solo()
    other = solo(objectives=("broadcast-network", "social-media", "online-marketing"), display=("white",) * 4)
    for viewer in (ALICE, CAROL):
        assert json.dumps(view(one, viewer)) == json.dumps(view(other, viewer))
    seen = view(one, ALICE)
    assert seen["display"] is None
    assert seen["solo"] == {"colours": None, "marker": "A", "objectives": None}
    assert seen["you"]["objectives"] is None


def test_r_50_display_and_objectives_are_open_from_then_on() -> None:
    seen = view(solo(CHOSEN, e.TurnBegan(seat=0), e.MarkerMoved(column=2)), CAROL)
    assert seen["display"] == list(DISPLAY[:4])
    assert seen["solo"] == {
        "colours": [["red", "black"], ["blue", "white"]],
        "marker": "C",
        "objectives": ["print-media", "social-media", "online-marketing"],
    }
    assert len(seen["players"]) == 2


@pytest.mark.parametrize("state", [two_players(), two_players(ENDED), solo(), solo(CHOSEN)])
@pytest.mark.parametrize("viewer", [ALICE, BOB, CAROL])
def test_a_view_is_ready_for_json(state: State, viewer: int | None) -> None:
    seen = view(state, viewer)
    assert json.loads(json.dumps(seen)) == seen


def test_every_field_of_every_event_is_decided() -> None:
    every = {GameStarted, *e.EVENT_TYPES.values()}
    assert set(PUBLIC) | set(PARTLY) == every
    assert not set(PUBLIC) & set(PARTLY)
    for kind, names in PUBLIC.items():
        hidden = {"nonces", "drawn_by", "lobby", "origin", "format"} if kind is GameStarted else set()
        assert set(names) | hidden == {field.name for field in fields(kind)}, kind
    assert {type(event) for event in EVENTS} == every


@pytest.mark.parametrize("event", EVENTS)
@pytest.mark.parametrize("viewer", [ALICE, BOB, CAROL])
def test_a_redacted_event_is_ready_for_json(event: Any, viewer: int | None) -> None:
    seen = redact(event, viewer)
    assert json.loads(json.dumps(seen)) == seen


@pytest.mark.parametrize(("one", "other"), SECRET)
def test_a_secret_changes_no_byte_of_the_event_for_others(one: Any, other: Any) -> None:
    for viewer in (BOB, CAROL):
        assert json.dumps(redact(one, viewer)) == json.dumps(redact(other, viewer))
    assert redact(one, ALICE) != redact(other, ALICE)


@pytest.mark.parametrize(("one", "other"), SECRET_FROM_ALL)
def test_what_nobody_may_know_changes_no_byte_for_anybody(one: Any, other: Any) -> None:
    for viewer in (ALICE, CAROL):
        assert json.dumps(redact(one, viewer)) == json.dumps(redact(other, viewer))


def test_others_learn_how_many_cards_a_hand_gets_or_loses() -> None:
    dealt, _ = SECRET[1]
    assert redact(dealt, BOB) == {
        "hands": [{"count": 4, "cards": None}, {"count": 4, "cards": ["blue"] * 4}],
        "display": ["red"] * 5,
        "deck": 2,
        "boxed": 5,
    }
    drawn = e.CardsDrawn(seat=0, cards=("red", "black"))
    assert redact(drawn, BOB) == {"seat": 0, "count": 2, "cards": None}
    assert redact(drawn, ALICE) == {"seat": 0, "count": 2, "cards": ["red", "black"]}


def test_a_card_from_the_display_is_seen_by_all() -> None:
    taken = e.CardTaken(seat=0, source="3", card="red", to="hand")
    assert redact(taken, CAROL) == {"seat": 0, "source": "3", "card": "red", "to": "hand"}


CROWDED = [
    e.AgentsPlaced(seat=0, company="B2", colour="black", agents=20),
    e.CardsDrawn(seat=0, cards=("red", "black", "blue", "white") * 4),
    *(e.CardsPlaced(seat=0, colour=colour, cards=4) for colour in ("red", "black", "blue", "white")),
    *(e.CardsRotated(hq=0, colour=colour, cards=2) for colour in ("red", "black", "blue", "white")),
    e.EndTriggered(seat=0),
    e.ConsultantUsed(seat=0, consultant="dealmaker"),
    e.CompanyTakenOver(seat=0, source="B2", target="A2", colour="black", agents=12, defender="red", defenders=1),
]
STATES = {
    "beginning": two_players(),
    "crowded": two_players(*CROWDED),
    "ability": two_players(*CROWDED, e.DecisionReached(seat=0, decision="ability")),
    "last turn": two_players(e.EndTriggered(seat=0), e.TurnBegan(seat=1), e.TurnBegan(seat=0)),
    "over": two_players(ENDED),
    "shared": two_players(e.GameEnded(scores=(23, 23), winners=(0, 1))),
    "solo, nothing chosen": solo(),
    "solo": solo(CHOSEN, e.TurnBegan(seat=0)),
    "solo, placing": solo(
        CHOSEN,
        e.TurnBegan(seat=0),
        e.CardTaken(seat=0, source="1", card="red", to="hq"),
        e.DecisionReached(seat=0, decision="placement"),
    ),
}


@pytest.mark.parametrize("tag", TAGS)
@pytest.mark.parametrize("state", STATES.values(), ids=STATES)
@pytest.mark.parametrize("viewer", [ALICE, CAROL])
def test_the_table_fits_into_72_columns(tag: str, state: State, viewer: int | None) -> None:
    for names in (NAMES, ("Wilhelmina-Friederike von und zu Hohenstaufen",) * 2):
        text = draw(view(state, viewer), tag, names[: state.seats])
        assert max(len(line) for line in text.splitlines()) <= 72
        assert all(line == line.rstrip() for line in text.splitlines())
        assert "?" not in text


def test_the_table_of_a_player_shows_squares_cards_and_whose_turn_it_is() -> None:
    text = draw(view(two_players(), ALICE), "en", NAMES)
    assert "Turn 1. Alice (you): choose an action." in text
    assert "|A1 Online       |B1 Online       |C1 Online       |D1 Guerrilla    |" in text
    assert "|1 red           |1 black         |1 blue          |1 white         |" in text
    assert "Display      1 red   2 black   3 blue   4 white   5 red" in text
    assert "> Alice (you) - 4 cards in hand" in text
    assert "Your hand:   2 red, 1 black, 1 white" in text
    assert "Your objectives (*): Print Media, Social Media" in text


def test_the_table_of_a_game_that_is_over_has_objectives_and_no_hands() -> None:
    text = draw(view(STATES["over"], ALICE), "en", NAMES)
    assert text.count("Objectives: ") == 2
    assert "Objectives: Print Media, Social Media" in text
    assert not re.search(r"hand|Display|Supply|Your|\*", text)


def test_the_table_of_a_solo_game_shows_marker_objectives_and_sides() -> None:
    text = draw(view(STATES["solo"], ALICE), "fr", NAMES[:1])
    assert text.splitlines()[2].strip() == "v SOD v"
    assert "> Alice (vous) - joue rouge et noir" in text
    assert "  SOD - joue bleu et blanc" in text
    assert "A3 Presse*" not in text
    assert "A1 En ligne*" in text


def test_the_final_round_is_announced() -> None:
    one_left = two_players(e.EndTriggered(seat=0), e.TurnBegan(seat=1))
    assert "FINAL ROUND: 1 turn after this one." in draw(view(one_left, BOB), "en", NAMES)
    assert "FINAL ROUND: this is the last turn." in draw(view(STATES["last turn"], BOB), "en", NAMES)


positions = times(15)
drawn = given(seed=st.integers(0, 99), lots=st.integers(0, 2**32))
THREE = pytest.param(3, marks=pytest.mark.slow)
"""With three nothing is hidden that is not with two or four."""
with_others = pytest.mark.parametrize("seats", [2, THREE, 4])


def log_of(seats: int, seed: int, lots: Random) -> list[Any]:
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
            [seen_of(event, viewer, seats) for event in log[1:]],
            [] if viewer is None else [repr(action) for action in RULESET.legal(state, viewer)],
            [] if viewer is None else refusals(state, viewer, Random(lots), names_of(seats)),
        ]
    )


@cache
def seen_of(event: Any, viewer: int | None, seats: int) -> list[Any]:
    """Return an event for a viewer, as data and in every language: the same in every log that has it."""
    names = names_of(seats)
    sentences = [RULESET.describe(event, viewer, language, names) for language in RULESET.meta.languages]
    return [RULESET.redact(event, viewer), sentences]


def refusals(state: State, seat: int, lots: Random, names: list[str]) -> list[Any]:
    """Return the refusals of a seat that asks for random actions."""
    listed = list(RULESET.legal(state, seat))
    asked = [any_action(lots) for _ in range(10)] + [changed_action(lots.choice(listed), lots) for _ in listed[:15]]
    said = [refusal_of(RULESET, state, seat, action) for action in asked]
    return [
        each and [each.code, each.rule, repr(sorted(each.facts.items())), RULESET.describe(each, seat, "en", names)]
        for each in said
    ]


@pytest.mark.long
@with_others
@positions
@drawn
def test_a_card_of_a_hand_is_hidden_from_everybody_else(seats: int, seed: int, lots: int) -> None:
    draw = Random(lots)
    log = log_of(seats, seed, draw)
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


@pytest.mark.long
@pytest.mark.parametrize("seats", [1, 2, THREE, 4])
@positions
@drawn
def test_the_deck_is_hidden_from_everybody(seats: int, seed: int, lots: int) -> None:
    draw = Random(lots)
    log = log_of(seats, seed, draw)
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


@pytest.mark.long
@with_others
@positions
@drawn
def test_an_objective_is_hidden_from_everybody_else(seats: int, seed: int, lots: int) -> None:
    draw = Random(lots)
    log = log_of(seats, seed, draw)
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


@pytest.mark.long
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
