"""Computer players choose by what their seat knows, and a record tells the same choice again."""

from __future__ import annotations

from dataclasses import replace
from time import process_time
from typing import Any

import pytest

from service.players.levels import BUDGETS, LEVELS, VERSIONS, Apart, Level, dice_for, levels_for, levels_of
from service.players.player import (
    PROMISING,
    Player,
    Search,
    VersionGone,
    best,
    best_of_turn,
    choice,
    lookalike_state,
    player,
    possible_substitute_actions,
    substitute_action,
)
from service.players.values import WON, value_of
from service.record.draws import Witness
from service.rules.chance import Chance
from service.rules.kernel import AnyRuleset, begin, fold
from service.rules.lookahead import after, worth_trying
from service.rules.shared_events import ComputerSeated
from tests.rules.playouts import FEWER_TABLES, TRIED, chance_of, few, fewest, played, seeds

AT_TABLES = [
    (name, seats, level)
    for name, seats in FEWER_TABLES
    for level in (LEVELS if "hard" in levels_of(TRIED[name], seats) else levels_of(TRIED[name], seats))
]
every_level = pytest.mark.parametrize(("name", "seats", "level"), AT_TABLES)
EVERY = 11
"""Stride through the states of a random game."""


def seat_to_act(ruleset: AnyRuleset, state: Any, seats: int) -> int | None:
    """Return a player's seat that has to act; none where it is the automaton's turn."""
    return min(ruleset.to_act(state) & set(range(seats)), default=None)


def quick(name: str, seats: int, level: Any) -> Player:
    """Return a player that looks at few tables."""
    return Player(TRIED[name], seats, level, min(3, BUDGETS[level]), VERSIONS[level])


@every_level
@fewest
@seeds
def test_a_choice_is_legal(name: str, seats: int, level: Any, seed: int) -> None:
    ruleset, game = played(name, seats, seed)
    for number, state in enumerate(game.states[:-1:EVERY]):
        seat = seat_to_act(ruleset, state, seats)
        if seat is not None:
            assert quick(name, seats, level).choose(state, seat, chance_of(number)) in ruleset.legal(state, seat)


@every_level
@fewest
@seeds
def test_a_player_that_cannot_see_the_difference_chooses_the_same(name: str, seats: int, level: Any, seed: int) -> None:
    ruleset, game = played(name, seats, seed)
    for number, state in enumerate(game.states[:-1:EVERY]):
        seat = seat_to_act(ruleset, state, seats)
        if seat is not None:
            chosen = quick(name, seats, level).choose(state, seat, chance_of(number))
            for other in range(2):
                twin = lookalike_state(ruleset, state, seat, chance_of(1_000 + other))
                assert quick(name, seats, level).choose(twin, seat, chance_of(number)) == chosen


@every_level
@fewest
@seeds
def test_a_choice_asks_the_chance_of_the_game_for_nothing(name: str, seats: int, level: Any, seed: int) -> None:
    ruleset, game = played(name, seats, seed)
    for number, state in enumerate(game.states[:-1:EVERY]):
        seat = seat_to_act(ruleset, state, seats)
        if seat is not None:
            dice = Witness(Chance(number.to_bytes(32, "big")))
            quick(name, seats, level).choose(state, seat, dice)
            asked = {draw["label"] for draw in dice.taken()}
            assert asked and not asked & set(game.labels)


@pytest.mark.parametrize(
    ("name", "seats", "level"),
    [(name, seats, level) for name, seats in FEWER_TABLES for level in levels_for(TRIED[name], seats)],
)
def test_no_choice_that_people_wait_for_takes_two_seconds_of_cpu_time(name: str, seats: int, level: Level) -> None:
    ruleset, game = played(name, seats, 1)
    decisions = [
        (state, seat) for state in game.states[:-1] if (seat := seat_to_act(ruleset, state, seats)) is not None
    ]
    state, seat = max(decisions, key=lambda decision: len(ruleset.legal(*decision)))
    began = process_time()
    player(ruleset, seats, level).choose(state, seat, chance_of(1))
    assert process_time() - began < 2


def test_a_choice_can_be_computed_again_from_game_decision_seat_level_and_version() -> None:
    ruleset, game = played("new-corp-order", 2, 1)
    state = game.states[20]
    [seat] = ruleset.to_act(state)
    one = player(ruleset, 2, "random")
    decision = ruleset.decision(state)

    def chosen(*key: Any) -> Any:
        return one.choose(state, seat, dice_for(*key))

    assert len({chosen("game", decision, seat, "random", 1) for _ in range(3)}) == 1
    for others in (
        [(f"game {number}", decision, seat, "random", 1) for number in range(9)],
        [("game", decision + number, seat, "random", 1) for number in range(9)],
        [("game", decision, number, "random", 1) for number in range(9)],
        [("game", decision, seat, level, 1) for level in LEVELS],
        [("game", decision, seat, "random", number) for number in range(9)],
    ):
        assert len({chosen(*key) for key in others}) > 1


def test_the_dice_of_a_choice_stay_the_same_for_ever() -> None:
    assert dice_for("game", 7, 1, "easy", 1).roll("any", 1_000, 3) == (767, 818, 252)


@few
@seeds
def test_easy_takes_an_action_after_which_no_other_has_a_greater_lead(seed: int) -> None:
    ruleset, game = played("new-corp-order", 2, seed)
    state = game.states[len(game.states) // 2]
    [seat] = ruleset.to_act(state)
    value = value_of(ruleset, 2, "easy")
    chosen = player(ruleset, 2, "easy").choose(state, seat, chance_of(seed))

    def worth(action: Any) -> float:
        return value(fold(ruleset, ruleset.decide(state, seat, action, chance_of(1)), state), seat)

    assert worth(chosen) == max(map(worth, ruleset.legal(state, seat)))


def test_a_game_that_is_over_is_worth_its_end_and_a_shared_victory_half() -> None:
    ruleset, game = played("new-corp-order", 2, 1)
    end = game.states[-1]
    result = end.result
    value = value_of(ruleset, 2, "easy")
    [winner] = result.winners
    assert (value(end, winner), value(end, 1 - winner)) == (WON, -WON)


def test_a_game_that_cannot_deal_again_is_played_by_what_it_imagines() -> None:
    ruleset = replace(TRIED["sealed-bids"], deal_again=None)
    start = fold(ruleset, begin(ruleset, 3, {"double": False}, chance_of(3), "", ()))
    tables = [lookalike_state(ruleset, start, 1, chance_of(number)) for number in range(9)]
    assert all(table in ruleset.imagine(start, 1) for table in tables) and len({str(table) for table in tables}) > 1
    assert player(ruleset, 3, "easy").choose(start, 1, chance_of(1)) in ruleset.legal(start, 1)


def test_a_game_without_features_has_no_levels_that_need_them() -> None:
    ruleset = TRIED["sealed-bids"]
    assert levels_of(ruleset, 3) == ("random", "easy")
    for level in LEVELS[2:]:
        with pytest.raises(LookupError, match="Sealed Bids has no level"):
            player(ruleset, 3, level)


# Stand-ins, computer players of the game's middle level.


@pytest.mark.parametrize(
    ("name", "seats", "level"),
    [("new-corp-order", 2, "normal"), ("new-corp-order", 1, "easy"), ("sealed-bids", 3, "easy")],
)
@few
@seeds
def test_the_stand_in_plays_as_normal_and_as_easy_where_there_is_none(
    name: str, seats: int, level: Level, seed: int
) -> None:
    ruleset, game = played(name, seats, seed)
    step = next(step for step in game.steps[len(game.steps) // 2 :] if step.seat < seats)
    decision = ruleset.decision(step.before)
    as_level = player(ruleset, seats, level).choose(
        step.before, step.seat, dice_for("game", decision, step.seat, level)
    )
    assert substitute_action(ruleset, seats, "game", decision, step.before, step.seat) == as_level


def test_what_stood_in_in_any_version_and_before_there_were_computer_players_could_be_played_too() -> None:
    ruleset, game = played("new-corp-order", 2, 1)
    step = game.steps[20]
    where = ruleset, 2, "game", ruleset.decision(step.before), step.before, step.seat
    versions = [substitute_action(*where, version) for version in range(1, VERSIONS["normal"] + 1)]
    assert [*possible_substitute_actions(*where)] == [ruleset.on_timeout(step.before, step.seat), *versions]
    assert substitute_action(*where) == versions[-1]


def test_where_the_rules_say_what_is_played_for_an_absent_seat_no_computer_player_stands_in() -> None:
    ruleset, game = played("bastards-inc", 3, 1)
    for step in game.steps[::9]:
        decision = ruleset.decision(step.before)
        ruled = ruleset.on_timeout(step.before, step.seat)
        assert substitute_action(ruleset, 3, "game", decision, step.before, step.seat) == ruled


# The search.

TABLES = 12


def searched(name: str, seats: int, state: Any, tables: int = TABLES) -> Search:
    ruleset, _ = played(name, seats, 1)
    search = Search(ruleset, seats, value_of(ruleset, seats, "easy"))
    for number in range(tables):
        search.follow(state, chance_of(number))
    return search


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_each_table_is_followed_through_one_action_of_the_root(seats: int) -> None:
    ruleset, game = played("new-corp-order", seats, 1)
    state = game.states[len(game.states) // 2]
    root = searched("new-corp-order", seats, state).root
    [seat] = ruleset.to_act(state)
    assert sum(branch.visits for branch in root.values()) == TABLES
    assert set(root) == set(worth_trying(ruleset, state, seat))
    assert any(branch.node for branch in root.values()), "nobody looked further than one action"


@pytest.mark.parametrize("seed", range(6))
def test_a_victory_that_is_at_hand_is_taken(seed: int) -> None:
    ruleset, game = played("new-corp-order", 2, seed)
    step = game.steps[-1]

    def wins(action: Any) -> bool:
        after = fold(ruleset, ruleset.decide(step.before, step.seat, action, chance_of(1)), step.before)
        outcome = ruleset.outcome(after)
        return outcome is not None and list(outcome["winners"]) == [step.seat]

    actions = worth_trying(ruleset, step.before, step.seat)
    if any(map(wins, actions)):
        assert wins(searched("new-corp-order", 2, step.before).choice(actions))


def test_of_the_actions_the_one_of_the_greatest_known_worth_is_tried_first() -> None:
    ruleset, game = played("new-corp-order", 2, 1)
    state = game.states[len(game.states) // 2]
    [seat] = ruleset.to_act(state)
    *_, last = worth_trying(ruleset, state, seat)
    search = Search(ruleset, 2, value_of(ruleset, 2, "easy"), {last: 100.0})
    search.follow(state, chance_of(1))
    assert [action for action, branch in search.root.items() if branch.visits] == [last]


def test_in_some_of_these_games_a_victory_was_at_hand_and_in_some_it_was_not() -> None:
    won = {
        list(played("new-corp-order", 2, seed)[1].states[-1].result.winners) == [step_seat(seed)] for seed in range(6)
    }
    assert won == {True, False}


def step_seat(seed: int) -> int:
    return played("new-corp-order", 2, seed)[1].steps[-1].seat


def test_secret_bids_are_searched_with_dice_and_several_seats_to_act() -> None:
    ruleset, game = played("sealed-bids", 3, 1)
    search = searched("sealed-bids", 3, game.start, tables=40)
    actions = worth_trying(ruleset, game.start, 0)
    assert search.choice(actions) in actions
    assert sum(branch.visits for branch in search.root.values()) == 40


def test_the_automaton_moves_by_itself_in_the_tree() -> None:
    ruleset, game = played("new-corp-order", 1, 1)
    state = next(step.before for step in game.steps[20:] if step.seat == 0)
    search = searched("new-corp-order", 1, state)
    assert search.choice(worth_trying(ruleset, state, 0)) in worth_trying(ruleset, state, 0)


def test_the_same_tables_and_dice_grow_the_same_tree() -> None:
    _, game = played("new-corp-order", 2, 2)
    one, other = (searched("new-corp-order", 2, game.states[30]).root for _ in range(2))
    assert [(action, branch.visits, branch.total) for action, branch in one.items()] == [
        (action, branch.visits, branch.total) for action, branch in other.items()
    ]


# `hard` looks at its whole turn since its second version; games go on with the version that they began with.

NAME, SEATS = "new-corp-order", 4
RULESET, GAME = played(NAME, SEATS, 1)
VALUE = value_of(RULESET, SEATS, "hard")
EVERY_FIFTH_STATE = 5
KEPT: dict[tuple[Level, int], list[str]] = {
    ("normal", 1): ["M I 1K+B B4", "I 1K D2", "P 5", "T B2-C2 2", "I 3R A4 =M", "I 3R C3 =C"],
    ("normal", 2): ["M I 1B+W C3", "I 1K B4", "P 4", "I 1K A2", "I 3R A4 =M", "P 2 4"],
    ("hard", 1): ["P 3 4", "P 1 5", "P 1", "P 1 3", "I 3R A4 =M", "I 2K D2"],
    ("hard", 2): ["P 3 4", "P 1 5", "P 1", "T B2-A2 2", "I 3R A4 =C", "I 2K D2"],
}
"""Choices of versions when they were current: records of their games are checked by computing the choices again."""


def at_its_end(state: Any, seat: int, action: Any, dice: Any) -> float:
    """Return what a turn that begins with an action comes to, if its rest is played as well as it can be."""
    turn = RULESET.turn(state)
    while True:
        state = after(RULESET, state, seat, action, Apart(dice, "chance 0"))
        if RULESET.outcome(state) is not None or RULESET.turn(state) != turn or seat not in RULESET.to_act(state):
            return VALUE(state, seat)
        action = best_of_turn(RULESET, state, seat, worth_trying(RULESET, state, seat), VALUE, dice)


def test_where_the_whole_turn_tells_more_than_its_first_action_it_comes_to_more() -> None:
    others = 0
    for number, state in enumerate(GAME.states[:-1:EVERY_FIFTH_STATE]):
        seat, dice = min(RULESET.to_act(state)), chance_of(number)
        actions = worth_trying(RULESET, state, seat)
        first = best(RULESET, [state], seat, actions, VALUE, dice)
        chosen = best_of_turn(RULESET, state, seat, actions, VALUE, dice)
        if chosen != first:
            others += 1
            assert at_its_end(state, seat, chosen, dice) > at_its_end(state, seat, first, dice)
    assert others, "no position shows the difference"


def chosen_by(level: Level, version: int) -> list[str]:
    """Return what a version of a level chooses in positions of one game, as moves are written."""
    written = []
    for state in GAME.states[3:-1:17]:
        computer = ComputerSeated(seat=min(RULESET.to_act(state)), level=level, version=version)
        chosen = choice(RULESET, SEATS, "game", RULESET.decision(state), state, computer)
        written.append(RULESET.notate(chosen))
    return written


@pytest.mark.parametrize(("level", "version"), KEPT)
def test_what_an_earlier_version_chooses_stays_the_same_for_ever(level: Level, version: int) -> None:
    assert chosen_by(level, version) == KEPT[level, version]


def test_new_weights_and_old_ones_choose_otherwise_with_the_same_dice() -> None:
    value_then = value_of(RULESET, SEATS, "hard", 2)
    others = 0
    for number, state in enumerate(GAME.states[:-1:EVERY_FIFTH_STATE]):
        seat, dice = min(RULESET.to_act(state)), chance_of(number)
        actions = worth_trying(RULESET, state, seat)
        then, now = (best_of_turn(RULESET, state, seat, actions, value, dice) for value in (value_then, VALUE))
        others += then != now
    assert others, "no position shows the difference"


def test_a_level_that_a_table_had_not_yet_in_a_version_chooses_nothing() -> None:
    with pytest.raises(LookupError, match="no level hard with 1 players"):
        value_of(RULESET, 1, "hard", 2)


def test_a_version_that_is_not_here_yet_chooses_nothing() -> None:
    state = GAME.states[20]
    computer = ComputerSeated(seat=min(RULESET.to_act(state)), level="hard", version=VERSIONS["hard"] + 1)
    with pytest.raises(VersionGone, match=f"version {VERSIONS['hard'] + 1} of hard"):
        choice(RULESET, SEATS, "game", RULESET.decision(state), state, computer)


def test_alone_a_turn_is_worth_what_the_automaton_leaves_of_it() -> None:
    games = [played(NAME, 1, seed) for seed in range(6)]
    value, others = value_of(RULESET, 1, "hard"), 0
    for ruleset, game in games:
        for number, state in enumerate(game.states[:-1]):
            actions = worth_trying(ruleset, state, 0) if state.phase == "placement" else []
            if not 1 < len(actions) <= PROMISING:
                continue
            dice = chance_of(number)
            ends = [after(ruleset, state, 0, action, Apart(dice, "chance 0")) for action in actions]
            left = [value(answered(end, dice), 0) for end in ends]
            chosen = actions.index(best_of_turn(ruleset, state, 0, actions, value, dice))
            assert left[chosen] == max(left)
            others += value(ends[chosen], 0) < max(value(end, 0) for end in ends)
    assert others, "in no position the answer makes a difference"


def answered(state: Any, dice: Any) -> Any:
    """Return what ODS makes of a position, if it has to move there."""
    forced = RULESET.automaton(state)
    return state if forced is None else after(RULESET, state, *forced, Apart(dice, "chance 0"))
