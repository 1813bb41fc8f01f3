"""What a viewer sees: the view, the table as text, its caption, questions, and the standings explained."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import pytest

from service.rules.games.bastards_inc import RULESET
from service.rules.games.bastards_inc import actions as a
from service.rules.games.bastards_inc.events import (
    ActAnnounced,
    Boom,
    EventRevealed,
    GameEnded,
    Threshold,
    VicePresidentArrived,
)
from service.rules.games.bastards_inc.state import Folder, Invitation, State
from service.rules.games.bastards_inc.terms import LOCATIONS
from service.rules.games.bastards_inc.view import as_json, view
from service.rules.games.bastards_inc.words import LANGUAGES
from service.rules.kernel import Part, Unreadable
from tests.rules.bastards_inc.games import keen_game
from tests.rules.bastards_inc.tables import ALICE, BOB, CAROL, play, table

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
