"""Views, the table as text, questions, standings explained; and nothing hidden shows (B-05)."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

import pytest

from service.rules.chance import Chance
from service.rules.games.bastards_inc import RULESET
from service.rules.games.bastards_inc import actions as a
from service.rules.games.bastards_inc.actions import Draw, Drop, Fight, Instruct
from service.rules.games.bastards_inc.deal_again import deal_again
from service.rules.games.bastards_inc.events import (
    EVENT_TYPES,
    ActAnnounced,
    Boom,
    DiscardChosen,
    EventRevealed,
    GameEnded,
    Threshold,
    VicePresidentArrived,
)
from service.rules.games.bastards_inc.redact import PARTLY, PUBLIC, redact
from service.rules.games.bastards_inc.state import Folder, Invitation, State, updated
from service.rules.games.bastards_inc.terms import EVENT_CARDS, LOCATIONS
from service.rules.games.bastards_inc.view import as_json, view
from service.rules.games.bastards_inc.words import LANGUAGES
from service.rules.kernel import Illegal, Part, Unreadable
from service.rules.tabletop.table import Table
from tests.rules.bastards_inc.samples import EVENTS, SECRET, SECRET_FROM_ALL
from tests.rules.bastards_inc.support import ALICE, BOB, CAROL, any_action, changed, keen_game, play, table
from tests.rules.playouts import chance_of, names_of, viewers
from tests.rules.test_every_deal_again import chi_square

NAMES = ("Alice", "Bob", "Carol")
SPECTATOR = None
TAGS = [language.code for language in LANGUAGES]
GOLD_RUSH = EventRevealed(
    event="e12",
    famine=True,
    booms=(Boom(region="POO", billions=2),),
    thresholds=(Threshold(region="KOR", score="cor", higher=2),),
)


def test_b_05_hand_instructions_and_answer_are_in_ones_own_view_alone() -> None:
    state = table(companies={ALICE: {"hand": ("b01", "a01"), "guard": "open", "watch": "never"}})
    own, others = view(state, ALICE), (view(state, BOB), view(state, SPECTATOR))
    assert own["companies"][ALICE]["hand"] == ["a01", "b01"]
    assert (own["own"]["seat"], own["own"]["guard"], own["own"]["watch"]) == (ALICE, "open", "never")
    for other in others:
        assert other["companies"][ALICE]["hand"] is None and other["companies"][ALICE]["cards"] == 2
    assert others[0]["own"]["guard"] == "ask" and others[1]["own"] is None


@pytest.mark.parametrize(
    ("phase", "answers", "shown"),
    [
        ("draw", ((ALICE, 2),), 2),
        ("draw", ((ALICE, 0),), 0),
        ("collect", ((ALICE, (1, 2)),), [1, 2]),
        ("collect", ((ALICE, ()),), []),
        ("challenge", ((ALICE, None),), "let"),
        ("challenge", ((ALICE, 0),), 0),
        ("expose", ((ALICE, False),), False),
        ("draw", (), None),
    ],
)
def test_b_05_ones_own_answer_is_shown_while_others_are_asked(phase: str, answers: Any, shown: Any) -> None:
    state = table(phase=phase, answers=answers, asked=frozenset({BOB}))
    assert view(state, ALICE)["own"]["answer"] == shown
    assert view(state, BOB)["own"]["answer"] is None


def test_b_05_bids_and_fighters_are_shown_once_they_are_revealed() -> None:
    arrival = VicePresidentArrived(seat=ALICE, vp=1, field="TIG", by="cor")
    answers = ((BOB, 2), (CAROL, None))
    waiting = table(phase="challenge", arrival=arrival, answers=answers[:1], asked=frozenset({CAROL}))
    assert view(waiting, ALICE)["arrival"] == {
        "seat": ALICE,
        "vp": 1,
        "field": "TIG",
        "by": "cor",
        "bids": None,
        "fighters": [],
    }
    revealed = table(phase="push", arrival=arrival, answers=answers, bids=2)
    shown = view(revealed, SPECTATOR)["arrival"]
    assert (shown["bids"], shown["fighters"]) == (2, [BOB])


def test_b_41_values_and_income_are_shown_as_they_are_in_force() -> None:
    regions = {each["id"]: each for each in view(table(in_force=GOLD_RUSH), SPECTATOR)["regions"]}
    assert (regions["POO"]["income"], regions["KOR"]["cor"], regions["KOR"]["cri"]) == (5, 3, 3)
    assert (regions["SUP"]["income"], regions["SUP"]["tier"], regions["SUP"]["legal_up_to"]) == (8, 1, 5)


def test_b_81_the_worth_of_a_company_is_shown() -> None:
    state = table(laureate=BOB)
    assert [each["worth"] for each in view(state, SPECTATOR)["companies"]] == [25, 37, 25]


def test_b_55_an_invitation_is_public() -> None:
    invitation = Invitation(card="b13", vp=1, partner=a.Delegate(seat=BOB, vp=2), pay=-2)
    state = table(companies={ALICE: {"invitation": invitation}})
    assert view(state, SPECTATOR)["companies"][ALICE]["invitation"] == {
        "card": "b13",
        "vp": 1,
        "partner": {"seat": BOB, "vp": 2},
        "pay": -2,
        "agreed": False,
    }


def test_b_61_the_act_that_waits_for_journalists_is_public() -> None:
    act = ActAnnounced(seat=ALICE, play=a.Play(card="a18", target=a.Delegate(seat=BOB, vp=1)))
    shown = view(table(phase="expose", act=act, asked=frozenset({BOB})), SPECTATOR)["act"]
    assert (shown["seat"], shown["sell"], shown["deal"]) == (ALICE, None, None)
    assert (shown["play"]["type"], shown["play"]["target"]) == ("play", {"seat": BOB, "vp": 1})


def test_b_16_an_instruction_that_was_given_shows_in_ones_own_view() -> None:
    state = play(table(), (ALICE, a.Instruct(instruction="guard", setting="open")))
    own = view(state, ALICE)["own"]
    assert (own["guard"], own["instructed"]) == ("open", ["guard"])


def test_nobody_has_the_turn_where_all_decide_at_once() -> None:
    assert view(table(phase="draw", active=BOB), ALICE)["active"] is None
    assert view(table(phase="place", active=BOB), ALICE)["active"] == BOB


def rich_table() -> State:
    vps: Any = (("TIG", 4), "PTY", "VIP")
    folders = (Folder(card="b13", turned=True),)
    invitation = Invitation(card="b13", vp=1, partner=a.Delegate(seat=BOB, vp=1), pay=2, agreed=True)
    companies: Any = {
        ALICE: {"vps": vps, "portfolio": folders, "invitation": invitation, "hand": ("b14", "a10"), "done": True},
        BOB: {"vps": ("RST", "TIG"), "venture": "open", "immune": True},
    }
    return table(companies=companies, in_force=GOLD_RUSH, wars=("ROG",), laureate=ALICE, bunker=CAROL)


def test_the_table_as_text_shows_what_a_view_has() -> None:
    drawn = RULESET.draw(view(rich_table(), ALICE), "en", NAMES)
    for part in (
        "Event in force: “Gold Rush”: a famine, sales among the Have-Nots +2,",
        "TIG The Tigers                  4     3     3     5  #---!!",
        "ROG The Rogue States            3     1     2     5  #-!!!!  WAR",
        "    Alice #1 (black 4), Bob #2",
        "> s1 Alice (you) - Mushroom & Cloud Ordnance",
        "    Cor 3, Cri 3, Med 3, Tec 3, 10 Billions and 5 Influence, worth 37",
        "    in hand: 2 cards, laureate, passes for good",
        "    Businesses: b13 Supply Chain of Fools (turned)",
        "    Invites Bob’s VP 1 to “Supply Chain of Fools” with VP 1, paying 2",
        "has the Bunker",
        "immune, free for joint ventures",
        "- b14 Waste Goes on Holiday: Corruption 2; POO + RST/TIG; 4 black money",
    ):
        assert part in drawn, (part, drawn)


def test_the_table_as_text_hides_the_hands_of_others() -> None:
    drawn = RULESET.draw(view(rich_table(), BOB), "en", NAMES)
    assert "Waste Goes on Holiday" not in drawn and "Your hand: no cards" in drawn
    assert "Your" not in RULESET.draw(view(rich_table(), SPECTATOR), "en", NAMES)


@pytest.mark.parametrize("tag", TAGS)
@pytest.mark.parametrize("phase", ["challenge", "push", "expose"])
def test_what_is_announced_is_said_above_the_table(tag: str, phase: str) -> None:
    arrival = VicePresidentArrived(seat=ALICE, vp=1, field="TIG", by="cor")
    acts: list[dict[str, Any]] = [{"sell": a.Sell(vp=1)}, {"deal": a.Deal(card="b14", vps=(1,))}]
    for act in acts if phase == "expose" else acts[:1]:
        waiting: dict[str, Any] = (
            {"act": ActAnnounced(seat=ALICE, **act)} if phase == "expose" else {"arrival": arrival, "bids": 3}
        )
        drawn = RULESET.draw(view(table(phase=phase, asked=frozenset({BOB}), **waiting), CAROL), tag, NAMES)
        assert "Alice" in drawn.split("\n\n")[0] and "?" not in drawn


@pytest.mark.parametrize("tag", TAGS)
@pytest.mark.parametrize("name", ["launder", "W" * 40, "launder 2", "\u05d0\u05d1\u05d2 \u05d3"])
def test_no_name_makes_a_line_too_wide_or_an_action(tag: str, name: str) -> None:
    for state in (rich_table(), rich_table()._replace(phase="draw", asked=frozenset({0, 1, 2}))):
        drawn = RULESET.draw(view(state, ALICE), tag, (name, name, name))
        assert max(len(line.replace("\u2068", "").replace("\u2069", "")) for line in drawn.splitlines()) <= 72
        for line in drawn.splitlines():
            with pytest.raises(Unreadable):
                RULESET.parse(line)


def ended(reason: Any, winners: tuple[int, ...]) -> State:
    result = GameEnded(reason=reason, winners=winners, worths=(30, 25, 25))
    return table(phase="over", asked=frozenset(), result=result)


@pytest.mark.parametrize("tag", TAGS)
@pytest.mark.parametrize(
    "state", [rich_table(), ended("target", (0,)), ended("last-round", (0, 1)), ended("nuclear-war", ())]
)
def test_a_caption_is_one_sentence_of_at_most_250_characters(tag: str, state: State) -> None:
    for names in (NAMES, ("W" * 40,) * 3):
        caption = RULESET.caption(view(state, ALICE), tag, names)
        assert len(caption) <= 250 and caption.endswith(".") and "?" not in caption


@pytest.mark.parametrize("tag", TAGS)
def test_a_caption_has_room_for_six_companies_and_three_wars(tag: str) -> None:
    state = table(6, phase="draw", asked=frozenset(range(6)), wars=("SUP", "ROG", "POO"))
    caption = RULESET.caption(view(state, ALICE), tag, ("W" * 40,) * 6)
    assert len(caption) <= 250


def test_the_table_of_a_game_that_is_over_has_no_hands_and_no_instructions() -> None:
    drawn = RULESET.draw(view(ended("target", (ALICE,)), ALICE), "en", NAMES)
    assert "s1 Alice (you)" in drawn
    assert not re.search("hand|Your|joint venture|passes", drawn)


def test_b_82_a_nuclear_war_is_told_without_winners() -> None:
    shown = view(ended("nuclear-war", ()), ALICE)
    assert RULESET.draw(shown, "en", NAMES).startswith("Nuclear war! Everybody has lost.")
    assert RULESET.caption(shown, "en", NAMES) == "The game is over: nuclear war, and everybody has lost."


@pytest.mark.parametrize(
    ("told", "lines"),
    [
        ({"winners": [0], "reason": None}, ["First: Alice (you), worth 37."]),
        (
            {"winners": [0, 1], "reason": "last-round"},
            [
                "First: Alice (you) and Bob, worth 37.",
                "Level in Influence and VPs as well: they share the victory.",
            ],
        ),
        ({"winners": [], "reason": "nuclear-war"}, ["Nuclear war: everybody has lost, whatever it was worth."]),
        (
            {"winners": [1], "reason": "nuclear-war"},
            ["Nuclear war: everybody has lost but Bob, who has the Bunker."],
        ),
    ],
)
def test_b_81_b_82_the_standings_explain_themselves(told: dict[str, Any], lines: list[str]) -> None:
    standings = {**RULESET.standings(rich_table(), ALICE), **told}
    (section,) = RULESET.explain(standings, ALICE, "en", NAMES)
    assert section.rows[0] == ("Alice", "10", "5", "12", "37")
    assert list(section.lines[1:]) == lines


def test_b_81_a_tie_is_explained() -> None:
    (section,) = RULESET.explain(RULESET.standings(table(), None), None, "en", NAMES)
    assert "Level at 25: more Influence decides, then more VPs." in section.lines


def parts(value: Any, pointer: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the pointers of an action as JSON, and what stands there; None behind the end of a list."""
    if isinstance(value, dict):
        for key, below in value.items():
            yield from parts(below, f"{pointer}/{key}")
    elif isinstance(value, list):
        for number, each in enumerate([*value, None]):
            yield f"{pointer}/{number}", each
    else:
        yield pointer, value


@pytest.mark.parametrize("tag", TAGS)
def test_every_part_of_an_action_has_its_question_and_a_label_for_each_value(tag: str) -> None:
    for step in keen_game(4, 5)[::5]:
        for seat in step.before.asked:
            shown = view(step.before, seat)
            met: dict[tuple[str, str], dict[Any, None]] = defaultdict(dict)
            for action in RULESET.legal(step.before, seat):
                fields = as_json(action)
                kind = fields.pop("type")
                for pointer, value in parts(fields):
                    met[kind, pointer][value] = None
            for (kind, pointer), values in met.items():
                known = [value for value in values if value is not None or len(values) > 1]
                if not known or (pointer in {"/partner", "/target"} and known == [None]):
                    continue
                question = RULESET.ask(Part(kind=kind, pointer=pointer, values=tuple(known)), shown, tag, NAMES)
                assert question.text and len(question.labels) == len(question.places) == len(known)
                assert all(question.labels) and not set("{}") & set("".join(question.labels))
                assert {place for place in question.places if place} <= set(LOCATIONS)


def test_places_are_asked_for_with_their_place_in_the_picture() -> None:
    part = Part(kind="place", pointer="/to", values=("TIG", "PTY", "VIP"))
    question = RULESET.ask(part, view(table(), ALICE), "en", NAMES)
    assert question.text == "Where does the VP go?"
    assert question.labels == ("The Tigers", "Pity Act", "VIP Lounge")
    assert question.places == ("TIG", "PTY", "VIP")


def test_ones_own_vps_are_named_with_where_they_are_and_what_they_carry() -> None:
    part = Part(kind="launder", pointer="/vp", values=(1, 3))
    question = RULESET.ask(part, view(rich_table(), ALICE), "en", NAMES)
    assert question.labels == ("VP 1, in the Tigers, with 4 Billions of black money", "VP 3, in the VIP Lounge")


def test_whoever_has_no_partner_can_say_so() -> None:
    part = Part(kind="deal", pointer="/partner/seat", values=(None, BOB))
    question = RULESET.ask(part, view(table(), ALICE), "de", NAMES)
    assert question.labels == ("Ohne Partner", "Bob")


# Another hidden card or answer changes nothing that others see (B-05).

GAMES = [(2, 3), pytest.param(3, 1, marks=pytest.mark.slow), (4, 5)]
"""Seats and seed of the games that are tried; with three nothing is hidden that is not with two or four."""


@cache
def known(state: State, viewer: int | None) -> str:
    """Everything that a viewer is told about a state, as JSON: view, table, actions, what they rest on, refusals.

    Text, caption and picture get nothing but the view: they are the same where it is.
    """
    seats = len(state.companies)
    names = names_of(seats)
    told: list[Any] = [RULESET.view(state, viewer), RULESET.standings(state, viewer)]
    shown = Table(RULESET, state, seats, viewer, "en", names)
    told += [repr(shown.board()), repr(shown.status()), [repr(shown.panel(seat)) for seat in range(seats)]]
    if viewer is not None:
        legal = list(RULESET.legal(state, viewer))
        told += [repr(legal), [repr(shown.preview(action)) for action in legal[::9][:3]], refusals(state, viewer)]
        assert RULESET.ahead is not None
        told.append(repr(RULESET.ahead(state, viewer)))
    return json.dumps(told)


def refusals(state: State, seat: int) -> list[Any]:
    """Return the answers to random and altered actions of a seat."""
    lots = Random(1)
    listed = list(RULESET.legal(state, seat))
    asked = [any_action(lots, state) for _ in range(10)]
    asked += [changed(lots, state, lots.choice(listed)) for _ in range(15) if listed]
    return [refusal(state, seat, action) for action in asked]


def refusal(state: State, seat: int, action: Any) -> Any:
    try:
        RULESET.decide(state, seat, action, chance_of(1))
    except Illegal as refused:
        said = RULESET.describe(refused, seat, "en", names_of(6))
        return [refused.code, refused.rule, repr(sorted(refused.facts.items())), said]
    return None


def positions(seats: int, seed: int) -> list[State]:
    """States of a whole game, of every phase."""
    game = keen_game(seats, seed)
    steps = {step.before.phase: step.before for step in game} | {n: step.before for n, step in enumerate(game[::23])}
    return list(steps.values())


def others(state: State, owner: int) -> list[int | None]:
    return [viewer for viewer in viewers(len(state.companies)) if viewer != owner]


def unseen_by_others(state: State, elsewhere: State, owner: int) -> None:
    """Check that the two states differ for their owner's eyes only."""
    for viewer in others(state, owner):
        assert known(state, viewer) == known(elsewhere, viewer), f"{viewer} can tell"


every_game = pytest.mark.parametrize(("seats", "seed"), GAMES)


@pytest.mark.long
@every_game
def test_b_05_a_card_of_a_hand_is_hidden_from_everybody_else(seats: int, seed: int) -> None:
    for number, state in enumerate(positions(seats, seed)):
        owner = number % seats
        hand = state.companies[owner].hand
        if not hand or not state.cards:
            continue
        swapped = tuple(sorted((*hand[1:], state.cards[-1])))
        dropped = tuple(card for card in state.companies[owner].dropped if card != hand[0])
        elsewhere = updated(state, owner, hand=swapped, dropped=dropped)._replace(cards=(*state.cards[:-1], hand[0]))
        unseen_by_others(state, elsewhere, owner)
        assert known(state, owner) != known(elsewhere, owner)


@pytest.mark.long
@every_game
def test_b_05_the_order_of_both_piles_is_hidden_from_everybody(seats: int, seed: int) -> None:
    for state in positions(seats, seed):
        elsewhere = state._replace(cards=state.cards[::-1], events=state.events[::-1])
        for viewer in viewers(seats):
            assert known(state, viewer) == known(elsewhere, viewer)


@pytest.mark.long
@every_game
def test_b_05_guard_and_watch_are_hidden_from_everybody_else(seats: int, seed: int) -> None:
    for number, state in enumerate(positions(seats, seed)):
        owner = number % seats
        own = state.companies[owner]
        guard = "open" if own.guard == "ask" else "ask"
        watch = "always" if own.watch != "always" else "never"
        elsewhere = updated(state, owner, guard=guard, watch=watch, instructed=("watch",) if not own.instructed else ())
        unseen_by_others(state, elsewhere, owner)
        assert known(state, owner) != known(elsewhere, owner)


def answered_otherwise(state: State, seat: int) -> Iterator[State]:
    """Yield the state with other answers of a seat that has answered."""
    answers: dict[str, tuple[Any, ...]] = {
        "draw": (0, 1, 2),
        "collect": ((), (1,)),
        "challenge": (None, 0, 1, 3),
        "expose": (False, True),
    }
    for answer in answers[state.phase]:
        yield state._replace(answers=tuple((each, answer if each == seat else was) for each, was in state.answers))


@pytest.mark.long
@pytest.mark.parametrize("phase", ["draw", "collect", "challenge", "expose"])
def test_b_05_an_answer_is_hidden_from_everybody_else_until_all_are_in(phase: str) -> None:
    waiting = [
        step.before
        for seats in (3, 4, 5)
        for seed in range(4)
        for step in keen_game(seats, seed)
        if step.before.phase == phase and step.before.answers
    ]
    assert waiting
    for state in waiting[:6]:
        owner = state.answers[0][0]
        for elsewhere in answered_otherwise(state, owner):
            unseen_by_others(state, elsewhere, owner)
        assert len({known(elsewhere, owner) for elsewhere in answered_otherwise(state, owner)}) > 1


@pytest.mark.long
def test_b_20_that_a_card_was_chosen_to_be_discarded_is_hidden_from_everybody_else() -> None:
    asked = frozenset({ALICE, BOB, CAROL})
    state = table(phase="draw", asked=asked, companies={ALICE: {"hand": ("a01", "b02")}})
    dropped = play(state, (ALICE, Drop(card="a01")))
    unseen_by_others(state, dropped, ALICE)
    assert known(state, ALICE) != known(dropped, ALICE)
    done, also_done = (play(each, (ALICE, Draw(bonus=0))) for each in (state, dropped))
    unseen_by_others(done, also_done, ALICE)


@pytest.mark.long
@pytest.mark.parametrize(("one", "other"), SECRET)
def test_b_05_a_secret_of_an_event_is_for_its_seat_alone(one: Any, other: Any) -> None:
    for viewer in (None, BOB):
        assert redact(one, viewer) == redact(other, viewer)
    assert redact(one, ALICE) != redact(other, ALICE)


@pytest.mark.long
@pytest.mark.parametrize(("one", "other"), SECRET_FROM_ALL)
def test_b_05_the_order_of_a_shuffled_pile_is_in_no_event(one: Any, other: Any) -> None:
    for viewer in (None, ALICE, BOB):
        assert redact(one, viewer) == redact(other, viewer)


@pytest.mark.long
def test_b_20_the_seat_that_chooses_a_card_to_be_discarded_is_not_named() -> None:
    chosen = DiscardChosen(seat=ALICE, card="a01")
    assert redact(chosen, BOB) == redact(chosen, None) == {"seat": None, "card": None}


@pytest.mark.long
def test_every_event_is_either_public_or_has_its_secret_named() -> None:
    assert set(PUBLIC) & set(PARTLY) == set()
    assert {*PUBLIC, *PARTLY} >= set(EVENT_TYPES.values())


@pytest.mark.long
def test_what_is_redacted_is_json() -> None:
    for event in EVENTS:
        for viewer in (None, ALICE, BOB):
            told = redact(event, viewer)
            assert json.loads(json.dumps(told)) == told


@pytest.mark.long
@every_game
def test_b_05_at_the_end_all_hands_are_open(seats: int, seed: int) -> None:
    state = keen_game(seats, seed)[-1].after
    for viewer in viewers(seats):
        hands = [each["hand"] for each in RULESET.view(state, viewer)["companies"]]
        assert hands == [list(company.hand) for company in state.companies]


@pytest.mark.long
@every_game
def test_b_05_imagined_states_differ_in_all_that_is_hidden(seats: int, seed: int) -> None:
    for state in positions(seats, seed):
        tables = RULESET.imagine(state, ALICE)
        for other in range(1, seats):
            companies = [each.companies[other] for each in tables]
            if state.phase not in {"challenge", "expose"}:
                assert {each.guard for each in companies} == {"ask", "open"}
                assert {each.watch for each in companies} == {"ask", "never", "always"}
            if state.companies[other].hand and len(state.cards) > len(state.companies[other].hand):
                assert not set.intersection(*(set(each.hand) for each in companies))
        assert {each.events[0] for each in tables if state.events} == set(state.events)


@pytest.mark.long
def test_b_17_who_was_not_asked_keeps_the_instruction_that_shows() -> None:
    waiting = [step.before for step in keen_game(4, 5) if step.before.phase == "challenge"]
    assert waiting
    for state in waiting:
        for each in RULESET.imagine(state, None):
            for seat in state.asked:
                assert each.companies[seat].guard == "ask"


# Hidden cards are dealt again with equal chances, and agree with all that was seen (B-05).

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
