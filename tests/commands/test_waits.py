"""Number of waits for the players of a game (T-03)."""

from __future__ import annotations

from statistics import median

import pytest

from service.commands.arena import playing
from service.commands.selfplay import Waits, play_out
from service.players.levels import Level
from service.players.match import Chair, play_on
from service.rules.chance import Chance
from service.rules.kernel import begin, fold
from tests.rules.playouts import RULESETS


def counted(*asked: tuple[int | None, set[int]]) -> int:
    """Return the waits of a game in which these seats had to act after actions of those seats."""
    waits = Waits()
    for actor, seats in asked:
        waits.note(actor, frozenset(seats))
    return waits.count


def test_decisions_of_a_seat_in_a_row_are_one_wait() -> None:
    assert counted((None, {0}), (0, {0}), (0, {0}), (0, {1}), (1, {0})) == 3


def test_seats_that_act_at_once_are_each_waited_for() -> None:
    assert counted((None, {0, 1, 2}), (1, {0, 2}), (0, {2}), (2, {0, 1, 2})) == 6


def test_a_step_of_an_answer_ends_no_wait() -> None:
    assert counted((None, {0, 1}), (0, {0, 1}), (0, {1}), (1, {1}), (1, set())) == 2


@pytest.mark.parametrize(("name", "seats"), [("new-corp-order", 1), ("sealed-bids", 3)])
def test_a_whole_game_waits_as_often_as_its_clocks_would(name: str, seats: int) -> None:
    options = {option.name: option.default for option in RULESETS[name].meta.options}
    game = play_out(RULESETS[name], seats, options, "waits", recorded=False)
    players = [seat for _, seat, _ in game.actions if seat < seats]
    assert 0 < game.waits.count <= len(players)
    assert name != "sealed-bids" or game.waits.count == len(players)


def in_a_row(*asked: tuple[int | None, set[int]]) -> int:
    """Return the waits in a row of a game in which these seats had to act after actions of those seats."""
    waits = Waits()
    for actor, seats in asked:
        waits.note(actor, frozenset(seats))
    return waits.in_a_row


def test_waits_at_once_count_once_in_a_row() -> None:
    assert in_a_row((None, {0}), (0, {0}), (0, {1}), (1, {0}), (0, set())) == 3
    assert in_a_row((None, {0, 1, 2}), (1, {0, 2}), (0, {2}), (2, {0, 1, 2}), (0, {1, 2}), (2, {1}), (1, set())) == 2


@pytest.mark.slow  # measures figures of the games' pages by dozens of games of strong players, 25 s of CPU
@pytest.mark.parametrize(("name", "level"), [("new-corp-order", "hard"), ("bastards-inc", "normal")])
def test_the_waits_that_a_game_states_are_those_of_computer_players(name: str, level: Level) -> None:
    meta = RULESETS[name].meta
    short = next(option for option in meta.options if option.waits)
    for seats, stated in meta.waits.items():
        assert _counted(name, seats, level, {}) == pytest.approx(stated, rel=0.25)
    for seats, stated in short.waits.items():
        assert _counted(name, seats, level, {short.name: True}) == pytest.approx(stated, rel=0.25)


def _counted(name: str, seats: int, level: Level, options: dict[str, bool], games: int = 3) -> float:
    ruleset, found = RULESETS[name], []
    chair = Chair(level, playing(ruleset, seats, level).choose)
    for number in range(games):
        chance, waits = Chance(f"{seats} {number}".encode().rjust(32)), Waits()
        chosen = {option.name: option.default for option in ruleset.meta.options} | options
        state = fold(ruleset, begin(ruleset, seats, chosen, chance, "", ()))
        waits.note(None, ruleset.to_act(state))
        for seat, after in play_on(ruleset, [chair] * seats, f"waits {number}", state, chance)[0]:
            waits.note(seat, ruleset.to_act(after))
        found.append(waits.in_a_row)
    return median(found)
