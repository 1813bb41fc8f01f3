"""The stand-in is a computer player of the game's middle level."""

from __future__ import annotations

import pytest

from service.players.levels import VERSIONS, Level, dice_for
from service.players.player import player, possible_substitute_actions, substitute_action
from tests.rules.playouts import few, played, seeds


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
