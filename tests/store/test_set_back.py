"""A database that was set back, as by a failover to a standby that was behind: no process goes on from what it lost."""

from __future__ import annotations

import pytest

from service.audit.inspect import examine
from service.handlers.play import Move, play_remembered
from service.store.events import StaleVersion
from service.store.games import Games, Position
from tests.builders import act, now_at, sealed_bids
from tests.games.sealed_bids.actions import Bid, Hold
from tests.set_back import SetBack


def first_hand(position: Position, seat: int) -> Bid:
    return next(each for each in position.ruleset.legal(position.state, seat) if isinstance(each, Bid))


def holds(games: Games, position: Position) -> bool:
    with games.engine.connect() as db:
        return examine(db, Games(games.engine, games.rulesets), position.game.id) > position.version


def test_a_process_that_remembers_a_lost_move_reads_the_game_as_it_went_on_without_it(
    games: Games, set_back: SetBack
) -> None:
    # given a move that this process has seen, and that the database loses
    elsewhere, before = Games(games.engine, games.rulesets), sealed_bids(games)
    lose = set_back(before)
    lost = act(games, before, 0, Hold()).position
    lose()
    # when another process plays on, by another move that leads to the same version and then one more
    other = act(elsewhere, before, 0, first_hand(before, 0)).position
    assert other.version == lost.version
    # then this process shows that one, and so does its list of steps
    assert now_at(games, before.game.id) == other != lost
    further = act(elsewhere, other, 1, Hold()).position
    assert now_at(games, before.game.id) == further
    act(games, further, 2, Hold())
    assert holds(games, before)


def test_nor_does_it_go_on_from_there_when_more_has_happened_meanwhile(games: Games, set_back: SetBack) -> None:
    elsewhere, before = Games(games.engine, games.rulesets), sealed_bids(games)
    lose = set_back(before)
    lost = act(games, before, 0, Hold()).position
    with games.engine.connect() as db:
        games.timeline(db, lost)
    lose()
    other = act(elsewhere, before, 0, first_hand(before, 0)).position
    further = act(elsewhere, other, 1, Hold()).position
    with games.engine.connect() as db:
        assert games.open_on(db, lost) == further
    assert now_at(games, before.game.id) == further
    with games.engine.connect() as db:
        assert games.timeline(db, further).folds[-1] == further.folded


def test_an_action_on_a_remembered_position_that_was_lost_is_not_written(games: Games, set_back: SetBack) -> None:
    # given a lost position with as many events as the game has now
    elsewhere, before = Games(games.engine, games.rulesets), sealed_bids(games)
    lose = set_back(before)
    lost = act(games, before, 0, Hold()).position
    lose()
    other = act(elsewhere, before, 0, first_hand(before, 0)).position
    # when somebody plays from it, then nothing is written
    move = Move(before.game.id, 1, lost.decision, Hold(), "api", player=before.seats[1].player_id)
    with pytest.raises(StaleVersion):
        play_remembered(games, move, lost, None)
    assert now_at(elsewhere, before.game.id) == other
