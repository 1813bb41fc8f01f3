"""Page of a table: board, choices, previews, marks, log, result."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from itertools import count, islice
from typing import Any

import pytest

from service.commands.selfplay import play_out
from service.conformance.tables import contrast
from service.rules.games.new_corp_order import RULESET
from service.rules.games.new_corp_order.actions import (
    Discard,
    Infiltrate,
    PlaceAgents,
    Placement,
    PlayOds,
    Plot,
    TakeOver,
)
from service.rules.games.new_corp_order.events import DecisionReached, GameEnded
from service.rules.games.new_corp_order.tabletop.english import ENGLISH
from service.rules.games.new_corp_order.tabletop.french import FRENCH
from service.rules.games.new_corp_order.tabletop.german import GERMAN
from service.rules.games.new_corp_order.tabletop.symbols import COLOUR_CLASSES, LOOKS, WATERMARK
from service.rules.games.new_corp_order.terms import COLOURS
from service.rules.kernel import fold
from service.rules.table_parts import Choice, Mark
from service.rules.table_plugin import Sight
from service.rules.tabletop.previews import foresee, foresee_events
from service.rules.tabletop.table import Table
from tests.case import DICE
from tests.rules.new_corp_order.support import (
    ADVISOR,
    ALICE,
    BOB,
    CONTRACTOR,
    GUERRILLA,
    HQ,
    LAWYER,
    ONLINE,
    PRINT,
    SOCIAL,
    Tile,
    case,
    solo,
    table,
    won,
)
from tests.rules.playouts import chance_of, names_of

NAMES = ("Alice", "Bob", "Carol")
GRID = {
    "A1": Tile("blue", 2),
    "B2": Tile("red", 4, ONLINE),
    "C2": Tile("black", 2, GUERRILLA),
    "B1": Tile("white", 1),
    "C1": Tile("black", 1),
}


def page(facts: list[Any], viewer: int | None = ALICE, language: str = "en", seats: int = 3) -> Table:
    return Table(RULESET, case.given(*facts).state, seats, viewer, language, NAMES[:seats])


def alices_turn(language: str = "en", **more: Any) -> Table:
    """Alice has four red cards that can act, and scores online and guerrilla companies."""
    given: dict[str, Any] = {"hqs": [HQ({"red": 4})], "objectives": [(ONLINE, GUERRILLA)], **more}
    return page(table(3, grid=GRID, **given), language=language)


def take_over(source: str = "B2", target: str = "C2", agents: int = 3, use: str | None = None) -> TakeOver:
    return TakeOver(source=source, target=target, agents=agents, use=use)  # type: ignore[arg-type] # squares


def of(choices: tuple[Choice, ...], part: str) -> dict[str, Choice]:
    return {each.value: each for each in choices if each.part == part}


def test_every_language_has_the_same_words() -> None:
    assert ENGLISH.keys() == GERMAN.keys() == FRENCH.keys()


# Given a company in reach, when it is touched, then source and amount are there already.


def test_a_target_comes_with_the_best_source_and_the_largest_amount() -> None:
    chosen = alices_turn().choices({"kind": "take-over", "target": "C2"})
    assert chosen.action == take_over()
    assert [each for each in of(chosen.choices, "agents") if of(chosen.choices, "agents")[each].chosen] == ["3"]
    assert {each.prospect for each in of(chosen.choices, "agents").values() if each.value != "3"} == {"bad"}
    assert chosen.amount == "agents"


def test_every_target_says_whether_it_can_be_won_and_what_it_gains() -> None:
    offered = of(alices_turn().choices({"kind": "take-over"}).choices, "target")
    assert offered["C2"].prospect == "good" and offered["C2"].place == "C2"
    before, after = alices_turn().preview(take_over()).points[ALICE]
    assert before is not None and after is not None
    assert offered["C2"].gain == after - before > 0


def test_a_takeover_that_fails_is_offered_as_one_that_fails() -> None:
    offered = of(alices_turn(hqs=[HQ({"red": 1})]).choices({"kind": "take-over"}).choices, "target")
    assert offered["C2"].prospect == "bad" and offered["C2"].gain == 0
    assert alices_turn(hqs=[HQ({"red": 1})]).choices({"kind": "take-over"}).ask == (
        "4 companies in reach, none of which can be won."
    )
    assert alices_turn(hqs=[HQ({"red": 1})]).choices().ask == "Choose a card or a company."


def test_a_contractor_that_turns_a_tie_is_preselected() -> None:
    chosen = alices_turn(hqs=[HQ({"red": 2}, consultants=[CONTRACTOR])]).choices({"kind": "take-over", "target": "C2"})
    assert chosen.action == take_over(agents=2, use=CONTRACTOR)
    assert of(chosen.choices, "use")[""].prospect == "bad"


def test_two_cards_of_the_display_are_two_picks_in_any_order() -> None:
    first = of(alices_turn().choices().choices, "first")["4"]
    assert first.place == "4" and first.picks == {"kind": "plot", "first": "4"}
    second = of(alices_turn().choices(first.picks).choices, "second")["2"]
    assert alices_turn().choices(second.picks).action == Plot(sources=("2", "4"))


def test_a_card_of_the_deck_is_seen_before_the_second_is_chosen() -> None:
    chosen = alices_turn().choices({"kind": "plot", "first": "D"})
    assert chosen.action == Plot(sources=("deck",))
    assert of(chosen.choices, "first")["D"].prospect == "open"
    assert alices_turn().preview(chosen.action).reveals


def test_a_card_of_the_hand_is_an_infiltration_of_one_card() -> None:
    given = alices_turn(hands=[{"red": 3, "blue": 1}])
    card = of(given.choices().choices, "colour")["red"]
    assert card.place == "hand-red" and card.place in given.places()
    placed = Placement(colour="red", cards=1, company="B2")
    assert given.choices({**card.picks, "company": "B2"}).action == Infiltrate(placements=(placed,))


def test_one_card_picked_is_enough_to_discard_down_to_six() -> None:
    facts = [*table(2, hands=[{"red": 5, "blue": 3}]), DecisionReached(seat=ALICE, decision="discard")]
    given = page(facts, seats=2)
    assert given.choices({"kind": "discard", "first": "blue"}).action == Discard(cards=("red", "blue"))
    chosen = given.choices({"kind": "discard", "first": "blue"})
    other = of(chosen.choices, "second")["blue"]
    assert given.choices(other.picks).action == Discard(cards=("blue", "blue"))


def test_the_agents_of_a_solo_plot_have_a_place_proposed() -> None:
    grid = {"A1": Tile("red", 1, ONLINE), "B1": Tile("red", 1, PRINT), "C1": Tile("black", 1)}
    given = case.given(*solo(grid=grid, others="white", objectives=(ONLINE, GUERRILLA, SOCIAL)))
    facts = RULESET.decide(given.state, ALICE, Plot(sources=("1", "3")), DICE)
    chosen = page([*given.past, *facts], seats=1).choices()
    assert chosen.action == PlaceAgents(companies=("A1",))
    assert {each.place: each.chosen for each in chosen.choices} == {"A1": True, "B1": False}


def test_the_objectives_of_a_solo_game_lie_before_its_player_and_for_spectators_beside_the_board() -> None:
    facts = solo(others="white", hq=HQ({"red": 1}, {"red": 2}), objectives=(ONLINE, GUERRILLA, SOCIAL))
    owners = {each.id: each.owner for each in page(facts, seats=1).zones()}
    assert owners["objectives"] == owners["hq-0"] == "own"
    assert {each.id: each.owner for each in page(facts, None, seats=1).zones()}["objectives"] == "shared"


def test_a_pile_is_named_with_what_its_drawing_shows_besides() -> None:
    (hq,) = (each for each in alices_turn(hqs=[HQ({"red": 4}, {"red": 2})]).zones() if each.id == "hq-0")
    assert [each.named for each in hq.pieces] == ["4 red cards", "2 red cards, used"]


def test_a_lawyer_brings_a_second_colour_beside_the_first() -> None:
    given = alices_turn(hands=[{"red": 2, "blue": 2}], hqs=[HQ(consultants=[LAWYER])])
    picks = {"kind": "infiltrate", "colour": "blue", "company": "A1", "cards": "2", "use": LAWYER, "colour2": "red"}
    placements = given.choices(picks).action.placements  # type: ignore[union-attr] # the picks make one
    assert [(each.colour, each.cards) for each in placements] == [("red", 1), ("blue", 2)]


def test_an_advisor_needs_a_joker_and_gets_one() -> None:
    given = alices_turn(hands=[{"red": 1, "white": 1}], hqs=[HQ(consultants=[ADVISOR])])
    chosen = given.choices({"kind": "infiltrate", "colour": "red", "use": ADVISOR})
    assert chosen.action.joker == "white"  # type: ignore[union-attr] # the picks make one


# Given a position, when it is shown, then the board, the panels and the status say what matters.


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "Your move: Plot or Takeover. You lead 4\xa0:\xa02."),
        ("de", "Du bist dran: Planen oder Übernahme. Du führst 4\xa0:\xa02."),
        ("fr", "À vous\xa0: Complot ou Prise de contrôle. Vous menez 4 à 2."),
    ],
)
def test_a_status_says_what_is_asked_and_who_leads(language: str, sentence: str) -> None:
    grid = {
        "A1": Tile("red", 2, ONLINE),
        "B1": Tile("black", 1, ONLINE),
        "C1": Tile("red", 1, GUERRILLA),
        "D1": Tile("red", 1, GUERRILLA),
        "A2": Tile("blue", 1, SOCIAL),
        "B2": Tile("blue", 1, SOCIAL),
    }
    facts = solo(grid=grid, others="white", hq=HQ({"red": 1}), objectives=(ONLINE, GUERRILLA, SOCIAL))
    given = page(facts, language=language, seats=1)
    assert given.status().sentence == sentence


def test_others_are_named_when_it_is_their_move() -> None:
    given = page(table(3, active=BOB))
    assert given.status() == ("Bob is to move.", "Bob is to move") and given.kinds() == ()


def test_secret_objectives_of_others_are_points_that_may_come() -> None:
    given = alices_turn()
    assert not given.panel(ALICE).secret and given.panel(BOB).secret
    chip = given.panel(ALICE).chips[0]
    assert chip[:4] == ("c1", "sign-red", 4, 4)
    assert chip.title == "4 shares of Mega Media: 4 cards (4 can act), 0 agents"


def test_agents_on_the_move_are_faded_where_they_leave_and_drawn_where_they_arrive() -> None:
    given = alices_turn()
    still, moving = given.board(), given.board(given.preview(take_over()).told.marks)
    assert 'opacity="0.28"' not in still.svg
    assert moving.places["B2"].svg.count('opacity="0.28"') == 3
    assert ">3</text>" in moving.places["C2"].svg and ">2</text>" in still.places["C2"].svg
    assert moving.places["A1"] == still.places["A1"]


def test_a_place_is_told_in_words() -> None:
    label = alices_turn("de").board().places["C2"].label
    assert label.startswith("C2 ") and label.endswith(", Guerrilla Marketing, 2 schwarze Agenten")


def test_a_board_is_small_on_the_wire() -> None:
    assert len(gzip.compress(alices_turn().board().svg.encode())) < 8_000


# Given what happened, when it is told, then each step is a line, and its marks carry the line's number.


def test_a_takeover_and_the_cards_it_costs_are_one_line() -> None:
    given = case.given(*table(3, grid=GRID, hqs=[HQ({"red": 4})]))
    facts = [(fact, ALICE) for fact in RULESET.decide(given.state, ALICE, take_over(), DICE)]
    later = page([*given.past, *(fact for fact, _ in facts)], BOB)
    lines, marks = later.story(facts), later.changes(facts)
    assert lines[0].sentence == "Alice takes C2 with 3 red agents from B2 and keeps 1 black agent."
    assert (lines[0].first, lines[0].last, lines[0].seat) == (0, 1, ALICE)
    assert marks[0] == Mark(kind="move", at="C2", origin="B2", count=3, actor=ALICE, event=1)


def test_cards_of_the_deck_stay_hidden_in_the_log_of_others() -> None:
    given = case.given(*table(3, grid=GRID))
    facts = [(fact, ALICE) for fact in RULESET.decide(given.state, ALICE, Plot(sources=("deck", "deck")), DICE)]
    past = [*given.past, *(fact for fact, _ in facts)]
    assert [line.sentence for line in page(past, BOB).story(facts)] == ["Alice takes 2 cards from the deck."]
    assert "from the deck" in page(past, ALICE).story(facts)[0].sentence
    assert page(past, BOB).story(facts) != page(past, ALICE).story(facts)


def test_ods_gives_its_reason_in_plain_words_and_the_code_behind_it() -> None:
    grid = {"A1": Tile("blue", 1, ONLINE), "B1": Tile("red", 3)}
    given = case.given(*solo(grid=grid, display=("blue", "blue", "red", "red"), active=1))
    facts = [(fact, 1) for fact in RULESET.decide(given.state, 1, PlayOds(), DICE)]
    lines = page([*given.past, *(fact for fact, _ in facts)], ALICE, seats=1).story(facts)
    assert lines[0].sentence == "ODS takes blue from slot 1 and blue from slot 2."
    assert lines[0].code == "B-1"
    assert lines[0].reason == "None of your companies is weak enough, so it takes two cards of one colour."
    assert lines[1].sentence.startswith("ODS adds 2 blue agents to ") and lines[1].code.startswith("BB-")


def test_a_game_that_is_over_says_what_decided_it_and_when() -> None:
    hqs = [HQ({"red": 3}, consultants=[ADVISOR, CONTRACTOR]), HQ({"blue": 1})]
    facts = table(2, grid={"A1": Tile("red"), "B1": Tile("red"), "C1": Tile("blue")}, others="white", hqs=hqs)
    state = case.given(*facts).state
    scores = RULESET.measures[0].count(state)
    over = fold(RULESET, [GameEnded(scores=tuple(scores), winners=(ALICE,))], state)
    told = Table(RULESET, over, 2, ALICE, "en", NAMES[:2]).result([(0, 0), (1, 2), (scores[0], scores[1])])
    assert told is not None
    assert told.headline == f"You win, {scores[0]} to {scores[1]}."
    assert told.turning is not None and told.turning.turn == 2
    assert sum(part.points for part in told.parts[ALICE]) == scores[0]
    assert ("Consultants", 1) in [(part.label, part.points) for part in told.parts[ALICE]]


def test_no_function_gets_more_than_the_reader_knows() -> None:
    state = case.given(*table(3, hands=[{}, {"red": 4}])).state
    seen: list[Sight] = []
    spied = RULESET.contributions.panel
    assert spied is not None
    page_of_carol = Table(RULESET, state, 3, 2, "en", NAMES)
    seen.append(page_of_carol.sight)
    assert seen[0].known.hands[BOB] != state.hands[BOB] or seen[0].known.deck != state.deck
    assert seen[0].known == RULESET.imagine(state, 2)[0]


def test_an_ability_is_a_choice_of_piles_and_its_amount() -> None:
    given = page(won("A1", GUERRILLA, hqs=[HQ(), HQ({"black": 2})]), seats=2)
    assert [kind.id for kind in given.kinds()] == ["rotate-cards", "skip-ability"]
    offered = of(given.choices().choices, "pile")["1-black"]
    assert offered.place == "@1-black" and offered.place in given.places()
    assert of(given.choices(offered.picks).choices, "cards")["2"].chosen
    assert given.choices({"kind": "skip-ability"}).action is not None


# Labels of choices.


@pytest.mark.parametrize("language", ["en", "de", "fr"])
@pytest.mark.parametrize("kind", ["plot", "infiltrate"])
def test_what_can_be_chosen_begins_with_a_capital_letter(language: str, kind: str) -> None:
    state = fold(RULESET, table(3, hands=[{"red": 1, "white": 1}]))
    offered = Table(RULESET, state, 3, ALICE, language, ("Alice", "Bob", "Carol")).choices({"kind": kind}).choices
    assert offered and [each.label for each in offered if each.label[0].islower()] == []


# Colours.


def test_signs_can_be_seen_through_every_tile() -> None:
    for colour in COLOURS:
        for below, above in zip(LOOKS[COLOUR_CLASSES[colour]], LOOKS[f"on-{COLOUR_CLASSES[colour]}"], strict=True):
            assert contrast(_mixed(below, above, WATERMARK[colour]), above) >= 4.5


def _mixed(below: str, above: str, share: float) -> str:
    parts = [(int(below[at : at + 2], 16), int(above[at : at + 2], 16)) for at in (1, 3, 5)]
    return "#" + "".join(f"{round(one + (other - one) * share):02x}" for one, other in parts)


# Given an action, when it is previewed, then it is told in the present tense and nothing is played.


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "B2 → C2: 3 red agents beat 2 black."),
        ("de", "B2 → C2: 3 rote Agenten schlagen 2 schwarze."),
        ("fr", "B2 → C2\N{NO-BREAK SPACE}: 3 Agents rouges battent 2 noirs."),
    ],
)
def test_a_takeover_that_wins_is_told_as_one_that_wins(language: str, sentence: str) -> None:
    foreseen = alices_turn(language).preview(take_over())
    assert foreseen.told.sentence == sentence and foreseen.told.prospect == "good"
    assert foreseen.told.marks == (Mark(kind="move", at="C2", origin="B2", count=3, actor=ALICE, event=1),)


def test_what_a_takeover_brings_is_told_with_it() -> None:
    given = alices_turn(hqs=[HQ({"red": 4, "blue": 1})])
    told = given.preview(take_over()).told
    assert told.consequence == "You also take 1 black agent and may use Guerrilla Marketing."
    assert (told.verdict, told.button) == ("Takes over", "Confirm takeover")


@pytest.mark.parametrize(
    ("language", "sentence", "consequence"),
    [
        ("en", "B2 → B1: 1 red agent does not beat 2 white.", "You need 3."),
        ("de", "B2 → B1: 1 roter Agent schlägt 2 weiße nicht.", "Du brauchst 3."),
        ("fr", "B2 → B1\N{NO-BREAK SPACE}: 1 Agent rouge ne bat pas 2 blancs.", "Il en faut 3."),
    ],
)
def test_a_takeover_that_fails_is_told_as_one_that_fails(language: str, sentence: str, consequence: str) -> None:
    grid = {**GRID, "B1": Tile("white", 2)}
    facts = table(3, grid=grid, hqs=[HQ({"red": 4})])
    foreseen = page(facts, language=language).preview(take_over(target="B1", agents=1))
    assert (foreseen.told.sentence, foreseen.told.consequence) == (sentence, consequence)
    assert foreseen.told.prospect == "bad" and [mark.kind for mark in foreseen.told.marks] == ["fails"]
    assert all(before == after for before, after in foreseen.points)


@pytest.mark.parametrize(
    ("sources", "button", "consequence"),
    [
        (("1",), "Take the card", "Then you take a second card."),
        (("1", "2"), "Take the cards", ""),
        (("deck",), "Take the card", "Then you take a second card."),
    ],
)
def test_a_plot_is_told_of_as_many_cards_as_it_takes(sources: tuple[str, ...], button: str, consequence: str) -> None:
    told = alices_turn().preview(Plot(sources=sources)).told
    assert (told.button, told.consequence) == (button, consequence)


def test_a_card_from_the_deck_is_unknown_in_a_preview_and_one_of_the_display_is_known() -> None:
    given = alices_turn()

    def card(source: str) -> Any:
        action = Plot(sources=(source,))
        taken, _ = foresee(RULESET, given.sight, 3, 3, action).events
        assert foresee_events(RULESET, given.sight, 3, action).events[0] == taken
        return taken.fields["card"]

    assert len({imagined.deck[0] for imagined in given.sight.imagined}) > 1
    assert card("deck") is None
    assert card("1") is not None


def test_points_of_others_are_unknown_where_their_objectives_would_be_shown() -> None:
    known, secret = (ONLINE, GUERRILLA), (ONLINE, PRINT)
    given = alices_turn(final_turns=1, objectives=[known, secret], hqs=[HQ({"red": 1}), HQ({"red": 1})])
    foreseen = given.preview(take_over(agents=1))
    assert foreseen.points[ALICE].after == foreseen.points[ALICE].before
    assert foreseen.points[BOB].after is None and foreseen.reveals


# Points of a preview.

POSITIONS, EVERY = 200, 7


def positions(seats: int) -> Iterator[tuple[Any, int]]:
    """Every seventh position of random games in which a player has to act, with the player's seat."""
    for number in count():
        game = play_out(RULESET, seats, {}, f"foreseen:{number}", recorded=False)
        state = fold(RULESET, game.opening)
        for at, (events, (_, seat, _)) in enumerate(zip(game.caused, game.actions, strict=True)):
            if at % EVERY == number % EVERY and seat < seats:
                yield state, seat
            state = fold(RULESET, events, state)


@pytest.mark.slow
@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_the_points_of_each_preview_are_those_after_the_action(seats: int) -> None:
    told = hidden = 0
    for state, seat in islice(positions(seats), POSITIONS // 4):
        page = Table(RULESET, state, seats, seat, "en", names_of(seats))
        for action in RULESET.legal(state, seat):
            preview = page.preview(action)
            after = fold(RULESET, RULESET.decide(state, seat, action, chance_of(told)), state)
            then = Table(RULESET, after, seats, seat, "en", names_of(seats))
            for who, points in enumerate(preview.points):
                if points.after is None:
                    hidden += 1
                else:
                    assert points.after == then.panel(who).points, (RULESET.notate(action), who)
                    told += 1
    print(f"{seats} players: {told} points foreseen, {hidden} unknown")
    assert told > POSITIONS
