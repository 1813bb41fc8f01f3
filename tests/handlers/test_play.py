"""A move either is written with all that follows from it, or is refused and changes nothing."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from sqlalchemy import text

from service.handlers.play import Move, play, play_automaton
from service.handlers.refusals import NotRunning, NotSeated, NotYourTurn, StaleDecision, UnknownGame
from service.rules.kernel import Illegal
from service.store import events
from service.store.games import Games, Position
from tests.builders import act, first_legal, now_at, opened, sealed_bids
from tests.games.sealed_bids.actions import Bid, Hold
from tests.people import alice, bob, carol


def notices(games: Games, position: Position) -> list[str]:
    with games.engine.connect() as db:
        keys = text(
            "select dedupe_key from outbox where game_id = :game and kind not in ('seal', 'played') order by id"
        )
        return [key.split(":", 2)[2] for key in db.execute(keys, {"game": position.game.id}).scalars()]


def whole_game(games: Games) -> Position:
    position = sealed_bids(games)
    while position.game.status == "running":
        for seat in sorted(position.ruleset.to_act(position.state)):
            position = act(games, position, seat, first_legal(position, seat)).position
    return position


def test_an_accepted_move_is_in_the_log_with_its_cause(games: Games) -> None:
    position = sealed_bids(games)
    bid = first_legal(position, 1)
    played = play(games, Move(position.game.id, 1, 1, bid, "link"))
    (recorded,) = played.events
    assert (recorded.seq, recorded.seat, recorded.door, recorded.decision) == (position.version + 1, 1, "link", 1)
    assert recorded.action == {"type": "bid", "card": bid.card}
    assert played.position == now_at(games, position.game.id)
    assert played.position.ruleset.to_act(played.position.state) == {0, 2}


def test_a_whole_game_goes_through_the_handlers_and_folds_to_the_same_end(games: Games) -> None:
    position = whole_game(games)
    assert position.game.status == "finished"
    with games.engine.connect() as db:
        refolded = games.at_version(db, position, position.version)
        recorded = events.read(db, position.codec, position.game.id)
    assert refolded == position == now_at(games, position.game.id)
    assert [each.seq for each in recorded] == list(range(1, position.version + 1))
    assert sum(each.action is not None for each in recorded) == 9
    outcome = position.ruleset.outcome(position.state)
    assert outcome is not None
    assert sum(outcome["scores"]) == sum(sum(award.dice) for award in position.state.awarded)


def test_everybody_is_told_of_each_new_decision_and_of_the_end_and_of_nothing_else(games: Games) -> None:
    decisions = [f"{lot}:{seat}" for lot in (1, 2, 3) for seat in (0, 1, 2)]
    assert notices(games, whole_game(games)) == [*decisions, "0", "1", "2"]


def test_secret_moves_on_one_decision_do_not_make_each_other_stale(games: Games) -> None:
    before = sealed_bids(games)
    for seat in (2, 0, 1):
        after = act(games, before, seat, first_legal(before, seat)).position
    assert after.state.lot == 2


def test_a_stale_move_is_refused_and_learns_what_has_happened_since(games: Games) -> None:
    before = sealed_bids(games)
    for seat in (0, 1, 2):
        after = act(games, before, seat, first_legal(before, seat)).position
    with pytest.raises(StaleDecision) as refused:
        act(games, before, 0, Hold())
    assert refused.value.position == after == now_at(games, before.game.id)
    assert [each.name for each in refused.value.since] == ["bid-sealed"] * 3 + ["lot-awarded"]
    with pytest.raises(StaleDecision) as early:
        play(games, Move(before.game.id, 0, 9, Hold(), "api"))
    assert early.value.since == []


def test_a_seat_that_has_nothing_to_decide_is_refused(games: Games) -> None:
    before = sealed_bids(games)
    after = act(games, before, 0, Hold()).position
    with pytest.raises(NotYourTurn):
        act(games, after, 0, Hold())
    assert now_at(games, before.game.id) == after


def test_an_illegal_move_is_refused_and_changes_nothing(games: Games) -> None:
    position = sealed_bids(games)
    with pytest.raises(Illegal, match="not-in-hand"):
        act(games, position, 0, Bid(card=99))
    assert now_at(games, position.game.id) == position
    assert len(notices(games, position)) == 3


@pytest.mark.parametrize("seat", [-1, 3, 99])
def test_a_seat_that_does_not_exist_is_refused(games: Games, seat: int) -> None:
    with pytest.raises(NotSeated):
        act(games, sealed_bids(games), seat, Hold())


def test_a_game_that_does_not_exist_or_is_not_running_is_refused(games: Games) -> None:
    waiting = opened(games, "sealed-bids", [alice(games), bob(games), carol(games)])
    with pytest.raises(NotRunning, match="open"):
        play(games, Move(waiting, 0, 1, Hold(), "api"))
    with pytest.raises(UnknownGame):
        play(games, Move(uuid4(), 0, 1, Hold(), "api"))
    with pytest.raises(NotRunning, match="finished"):
        act(games, whole_game(games), 0, Hold())


def test_where_no_automaton_plays_none_moves(games: Games) -> None:
    position = sealed_bids(games)
    waiting = opened(games, "sealed-bids", [alice(games), bob(games), carol(games)])
    assert not play_automaton(games, position.game.id)
    assert not play_automaton(games, waiting)


def test_the_waker_is_called_after_the_commit(games: Games) -> None:
    position = sealed_bids(games)
    seen: list[Any] = []
    watched = Games(games.engine, games.rulesets, lambda _: seen.append(now_at(games, position.game.id).version))
    act(watched, position, 0, Hold())
    assert seen == [position.version + 1]
