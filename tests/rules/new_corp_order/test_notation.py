"""Notation of actions: written, read in short forms and in words, and refused."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.commands.selfplay import draw, play_out
from service.rules.games.new_corp_order import RULESET
from service.rules.games.new_corp_order.actions import (
    ACTION_TYPES,
    AddAgents,
    Card,
    ChooseConglomerates,
    Discard,
    ExchangeAgents,
    ExchangeCards,
    Infiltrate,
    Move,
    MoveAgents,
    PlaceAgents,
    PlaceCard,
    Placement,
    PlayOds,
    Plot,
    RemoveCard,
    RotateCards,
    SkipAbility,
    TakeOver,
    UnrotateCards,
    WithdrawAgents,
)
from service.rules.games.new_corp_order.notation import notate, parse
from service.rules.games.new_corp_order.terms import ALL_CONSULTANTS, COLOURS, SLOTS, SQUARES
from service.rules.kernel import Unreadable

colours = st.sampled_from(COLOURS)
squares = st.sampled_from(SQUARES)
consultants = st.none() | st.sampled_from(ALL_CONSULTANTS)
hqs = st.integers(0, 9)
numbers = st.integers(0, 99)
cards = st.builds(Card, colour=colours, rotated=st.booleans())


def some(items: st.SearchStrategy[Any]) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.lists(items, min_size=1, max_size=5).map(tuple)


placements = some(st.builds(Placement, colour=colours, cards=numbers, company=squares))

BY_CLASS = {
    Plot: st.builds(Plot, sources=some(st.sampled_from([*SLOTS, "deck"]))),
    Infiltrate: st.builds(
        Infiltrate, placements=placements, use=consultants, joker=st.none() | colours, take=consultants
    ),
    TakeOver: st.builds(TakeOver, source=squares, target=squares, agents=numbers, use=consultants),
    Discard: st.builds(Discard, cards=some(colours)),
    MoveAgents: st.builds(MoveAgents, moves=some(st.builds(Move, source=squares, target=squares))),
    RotateCards: st.builds(RotateCards, hq=hqs, colour=colours, cards=numbers),
    ExchangeCards: st.builds(ExchangeCards, give=cards, hq=hqs, take=cards),
    UnrotateCards: st.builds(UnrotateCards, hq=hqs, colours=some(colours)),
    RemoveCard: st.builds(RemoveCard, hq=hqs, card=cards),
    ExchangeAgents: st.builds(ExchangeAgents, first=squares, second=squares),
    AddAgents: st.builds(AddAgents, company=squares, agents=numbers),
    PlaceCard: st.builds(PlaceCard, colour=colours),
    WithdrawAgents: st.builds(WithdrawAgents, company=squares, agents=numbers),
    SkipAbility: st.just(SkipAbility()),
    ChooseConglomerates: st.builds(ChooseConglomerates, colours=st.tuples(colours, colours)),
    PlaceAgents: st.builds(PlaceAgents, companies=some(squares)),
    PlayOds: st.just(PlayOds()),
}
actions = st.one_of(*BY_CLASS.values())


def test_every_class_of_action_is_generated() -> None:
    assert set(BY_CLASS) == set(ACTION_TYPES.values())


@given(actions)
def test_what_is_notated_is_read_again_as_the_same_action(action: Any) -> None:
    line = notate(action)
    assert parse(line) == action
    assert notate(parse(line)) == line


@given(actions)
def test_spaces_and_case_do_not_matter_to_a_canonical_line(action: Any) -> None:
    line = notate(action)
    assert parse(line.lower().replace(" ", "")) == action
    assert parse("  " + line.swapcase().replace(" ", "   ") + " ") == action


@given(actions, actions)
def test_two_actions_never_share_a_line(one: Any, other: Any) -> None:
    assert (notate(one) == notate(other)) == (one == other)


@given(st.text(max_size=30) | st.text("PITXCABNGMDLKRWSHV@=+-' 1234d", max_size=16))
def test_any_text_is_an_action_or_unreadable(text: str) -> None:
    try:
        action = parse(text)
    except Unreadable:
        return
    assert parse(notate(action)) == action


INFILTRATE = Infiltrate(placements=(Placement(colour="red", cards=3, company="B2"),), take="dealmaker")
LAWYER = Infiltrate(
    placements=(
        Placement(colour="red", cards=2, company="B2"),
        Placement(colour="black", cards=1, company="C3"),
    ),
    use="corporate-lawyer",
    take="dealmaker",
)


@pytest.mark.parametrize(
    ("line", "action"),
    [
        ("P 2 4", Plot(sources=("2", "4"))),
        ("P 2", Plot(sources=("2",))),
        ("P D D", Plot(sources=("deck", "deck"))),
        ("I 3R B2 =D", INFILTRATE),
        (
            "M I 2R+K B2",
            Infiltrate(
                placements=(Placement(colour="red", cards=2, company="B2"),), use="media-advisor", joker="black"
            ),
        ),
        ("L I 2R B2 1K C3 =D", LAWYER),
        ("T A1-B1 3", TakeOver(source="A1", target="B1", agents=3)),
        ("C T A1-B1 3", TakeOver(source="A1", target="B1", agents=3, use="military-contractor")),
        ("X RRK", Discard(cards=("red", "red", "black"))),
        ("BN A1-B1 A1-C2", MoveAgents(moves=(Move(source="A1", target="B1"), Move(source="A1", target="C2")))),
        ("GM @1 2R", RotateCards(hq=1, colour="red", cards=2)),
        (
            "PM R @1 K'",
            ExchangeCards(give=Card(colour="red", rotated=False), hq=1, take=Card(colour="black", rotated=True)),
        ),
        ("AA @0 RK", UnrotateCards(hq=0, colours=("red", "black"))),
        ("SM @1 R'", RemoveCard(hq=1, card=Card(colour="red", rotated=True))),
        ("OM A1 C3", ExchangeAgents(first="A1", second="C3")),
        ("skip", SkipAbility()),
        ("C RK", ChooseConglomerates(colours=("red", "black"))),
        ("A B2 C3", PlaceAgents(companies=("B2", "C3"))),
        ("ODS", PlayOds()),
    ],
)
def test_the_canonical_lines(line: str, action: Any) -> None:
    assert notate(action) == line
    assert parse(line) == action


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("p24", "P 2 4"),
        ("p2d", "P 2 D"),
        ("plot 2 deck", "P 2 D"),
        ("Plot: slot 2, then the deck.", "P 2 D"),
        ("Planen 2 Stapel", "P 2 D"),
        ("complot pioche 3", "P D 3"),
        ("i3rb2=d", "I 3R B2 =D"),
        ("I R B2", "I 1R B2"),
        ("I B B2", "I 1B B2"),
        ("ibb2", "I 1B B2"),
        ("infiltrate 3 red B2 take dealmaker", "I 3R B2 =D"),
        ("infiltrate 3 red cards to B2", "I 3R B2"),
        ("Infiltrieren 2 schwarze auf C3 = Söldner", "I 2K C3 =C"),
        ("infiltration 2 rouges sur b2 = avocat d’affaires", "I 2R B2 =L"),
        ("media advisor infiltrate 2 red + black B2", "M I 2R+K B2"),
        ("corporate lawyer i 2r b2, k c3", "L I 2R B2 1K C3"),
        ("takeover A1 to B1 with 3 agents", "T A1-B1 3"),
        ("t a1 b1 3", "T A1-B1 3"),
        ("T A1→B1 3", "T A1-B1 3"),
        ("Dealmaker takeover A1-B1 3", "D T A1-B1 3"),
        ("dta1b13", "D T A1-B1 3"),
        ("Übernahme von A1 nach B1 mit 3", "T A1-B1 3"),
        ("prise de contrôle A1 B1 3", "T A1-B1 3"),
        ("negociatrice prise de controle A1 B1 3", "D T A1-B1 3"),
        ("discard red red black", "X RRK"),
        ("discard 2 red 1 black", "X RRK"),
        ("X 2R K", "X RRK"),
        ("Broadcast Network A1-B1", "BN A1-B1"),
        ("gm@12r", "GM @1 2R"),
        ("GM @1 R", "GM @1 1R"),
        ("guerrilla marketing seat 1 2 blue", "GM @1 2B"),
        ("PM r @1 k’", "PM R @1 K'"),
        ("aa@0 2r", "AA @0 RR"),
        ("aa1 a2", "A A1 A2"),
        ("om a1-c3", "OM A1 C3"),
        ("choose red black", "C RK"),
        ("crk", "C RK"),
        ("SKIP", "skip"),
        ("verzichten", "skip"),
        ("sod", "ODS"),
    ],
)
def test_short_forms_and_words_are_read(text: str, line: str) -> None:
    assert notate(parse(text)) == line


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("", '""'),
        ("hello", '"hello"'),
        ("P", '"P"'),
        ("P 6", '"6"'),
        ("P 2 4 x", '"x"'),
        ("I 3R", '"I 3R"'),
        ("I 3R B 2", '"B 2"'),
        ("I 3 B2", '"2"'),
        ("I 3R E2", '"E2"'),
        ("I 3R B2 =X", '"X"'),
        ("L I 2R B 2K C3", '"B 2K C3"'),
        ("L I 2R B2 1K+W C3", '"W C3"'),
        ("T A1-B1", '"T A1-B1"'),
        ("T A1-B1 -3", '"-3"'),
        ("T A1 3", '"3"'),
        ("X RRG", '"G"'),
        ("X 0R", '"X 0R"'),
        ("C RKB", '"C RKB"'),
        ("D P 2", '"D P 2"'),
        ("GM 1 2R", '"1 2R"'),
        ("SM @1", '"SM @1"'),
        ("skip it", '"it"'),
        ("castle", '"castle" (P 2 D | '),
        ("Castle on the hill", '"Castle on the hill" (P 2 D | '),
        ("C'est la vie", '"C\'est la vie" (P 2 D | '),
        ("P.S. good luck", '"P.S. good luck" (P 2 D | '),
        ("CRKQ", '"CRKQ" (P 2 D | '),
        ("P6", '"6" (P 2 D)'),
        ("I 3R castle", '"castle" (I 3R'),
        ("İzmir", '"İzmir"'),
        ("P İzmir", '"İzmir"'),
        ("P 2\nP 4", '"P 2'),
        ("P 2\x00", '"P 2'),
        ("P " + "2 " * 200, '"P 2'),
    ],
)
def test_an_unreadable_line_names_the_part_not_understood(text: str, part: str) -> None:
    with pytest.raises(Unreadable) as refusal:
        parse(text)
    message = str(refusal.value)
    assert message.startswith(part)
    assert "(" in message
    assert len(message) < 140


def test_the_hint_shows_how_the_action_is_written() -> None:
    with pytest.raises(Unreadable, match="I 3R B2 =D"):
        parse("I 3R")
    with pytest.raises(Unreadable, match=r"P 2 D \| I 3R B2"):
        parse("hello")


NOTATION_GAMES = 60


@pytest.mark.long
@pytest.mark.parametrize(
    "seats", [1, 2, pytest.param(3, marks=pytest.mark.slow), pytest.param(4, marks=pytest.mark.slow)]
)
def test_every_legal_action_of_many_games_reads_as_it_was_written(seats: int) -> None:
    met: set[Any] = set()

    def watch(legal: Any, rng: Any) -> Any:
        met.update(legal)
        return draw(legal, rng)

    for number in range(NOTATION_GAMES):
        play_out(RULESET, seats, {}, f"notation:{seats}:{number}", recorded=False, choose=watch)
    lines = {RULESET.notate(action): action for action in met}
    assert len(lines) == len(met)
    assert all(RULESET.parse(line) == action for line, action in lines.items())
