"""A process remembers folded states, and is never wrong because of it."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from uuid import uuid4

import pytest
from msgspec import structs
from sqlalchemy import event

from service.handlers.take_back import Wish, take_back
from service.log.codec import Codec
from service.rules.pace import PACES
from service.runtime import Runtime
from service.shared import clock
from service.store.fast_path import hand_of
from service.store.game_row import UnknownGame
from service.store.games import Games, RulesNotInstalled, StateCache
from tests.builders import act, now_at, opened, paced, sealed_bids
from tests.dropping import Drop, with_dropping
from tests.games.sealed_bids.actions import Hold
from tests.people import alice, bob, carol
from tests.statements import heard


def test_another_process_sees_what_this_one_wrote(games: Games) -> None:
    elsewhere = Games(games.engine, games.rulesets)
    position = sealed_bids(games)
    for seat in (0, 1, 2):
        assert now_at(elsewhere, position.game.id) == position
        position = act(games, position, seat, Hold()).position
    assert now_at(elsewhere, position.game.id) == position


def test_only_the_events_not_yet_folded_are_read(games: Games) -> None:
    position = sealed_bids(games)
    elsewhere = Games(games.engine, games.rulesets)
    now_at(elsewhere, position.game.id)
    act(games, position, 0, Hold())
    asked: list[object] = []

    def note(*call: object) -> None:
        if "from event where" in str(call[2]):
            asked.append(call[3])

    event.listen(hand_of(games.engine).engine, "before_cursor_execute", note)
    now_at(elsewhere, position.game.id)
    now_at(elsewhere, position.game.id)
    event.remove(hand_of(games.engine).engine, "before_cursor_execute", note)
    assert asked == [
        {"game": position.game.id, "after": position.version, "until": position.version + 1, "head": position.head}
    ]


def test_a_game_that_has_moved_on_elsewhere_is_read_by_one_statement_with_what_has_happened(games: Games) -> None:
    # given games, one of them with a clock, that this process knows, and in which another one has played two moves
    for known in (sealed_bids(games), paced(games, PACES["daily"])):
        elsewhere = Games(games.engine, games.rulesets)
        now = act(elsewhere, act(elsewhere, known, 0, Hold()).position, 1, Hold()).position
        # when this one goes on from what it knows, then it asks once, and knows what the other does
        with heard(games) as statements, games.engine.connect() as db:
            assert games.open_on(db, known) == now
        assert len(statements) == 1
        assert games.remembered(known.game.id) == now
        # and goes on from there as well if nothing has happened
        with games.engine.connect() as db:
            assert games.open_on(db, now) == now


def test_one_in_which_an_action_was_taken_back_elsewhere_is_read_as_a_whole(games: Games) -> None:
    # given a process that knows the game as it was after a move that another process has let its player take back
    before, elsewhere = sealed_bids(games), Games(games.engine, games.rulesets)
    known = act(games, before, 0, Hold()).position
    wish = Wish(before.game.id, 0, before.decision, "api")
    now = take_back(elsewhere, wish, timedelta(minutes=10), clock.now()).position
    with games.engine.connect() as db:
        assert games.open_on(db, known) == now


def test_one_with_an_event_of_a_later_release_is_refused_as_it_is_when_read_as_a_whole(
    runtime: Runtime, games: Games
) -> None:
    later = with_dropping(runtime).games
    begun = sealed_bids(later)
    act(later, begun, 0, Drop(card=begun.state.hands[0][0]))
    known = replace(begun, codec=Codec(games.rulesets["sealed-bids"]))
    with games.engine.connect() as db, pytest.raises(RulesNotInstalled, match="card-dropped"):
        games.open_on(db, known)


def test_an_unknown_game_is_unknown_where_it_would_be_gone_on_from(games: Games) -> None:
    known = sealed_bids(games)
    nowhere = replace(known, game=structs.replace(known.game, id=uuid4()))
    with games.engine.connect() as db, pytest.raises(UnknownGame):
        games.open_on(db, nowhere)


def test_a_move_that_does_not_reach_the_log_leaves_no_state_behind(games: Games) -> None:
    position = sealed_bids(games)

    def refuse(_: object, cursor: object, statement: str, *__: object) -> None:
        if "insert into event" in statement:
            raise ConnectionError

    event.listen(hand_of(games.engine).engine, "before_cursor_execute", refuse)
    with pytest.raises(ConnectionError):
        act(games, position, 0, Hold())
    event.remove(hand_of(games.engine).engine, "before_cursor_execute", refuse)
    assert now_at(games, position.game.id) == position


def test_an_unknown_game_is_said_to_be_unknown(games: Games) -> None:
    with pytest.raises(UnknownGame):
        now_at(games, uuid4())


def test_the_cache_keeps_the_newest_positions_of_the_games_used_last(games: Games) -> None:
    cache, (one, two, three) = StateCache(capacity=2), [sealed_bids(games) for _ in range(3)]
    newer = act(games, one, 0, Hold()).position
    for position in (newer, one, two):
        cache.put(position)
    assert cache.get(one.game.id) is newer
    cache.put(three)
    assert cache.get(two.game.id) is None
    assert cache.get(one.game.id) is newer
    cache.forget(one.game.id)
    assert cache.get(one.game.id) is None


def test_games_that_are_opened_together_are_what_each_is_alone(games: Games) -> None:
    # given games which this process knows as they are, as they were before a move, as they were before a move was
    # taken back, and not at all; with a clock, and before they begin
    elsewhere = Games(games.engine, games.rulesets)
    known, moved, undone, unknown = (sealed_bids(elsewhere) for _ in range(4))
    timed = paced(elsewhere, PACES["daily"])
    waiting = opened(elsewhere, "sealed-bids", [alice(games), bob(games), carol(games)])
    for each in (known, moved, timed):
        now_at(games, each.game.id)
    for each in (moved, timed, unknown):
        act(elsewhere, each, 1, Hold())
    act(games, undone, 0, Hold())
    take_back(elsewhere, Wish(undone.game.id, 0, undone.decision, "api"), timedelta(minutes=10), clock.now())
    wanted = [each.game.id for each in (known, moved, undone, unknown, timed)]
    # when they are opened together, with one that there is not
    with heard(games) as statements, games.engine.connect() as db:
        found = games.open_all(db, [*wanted, waiting, uuid4()])
    # then each is as it is, by two statements, and two more for the one with the move that was taken back
    fresh = Games(games.engine, games.rulesets)
    assert found == {each: now_at(fresh, each) for each in (*wanted, waiting)}
    assert len(statements) == 4
    assert [games.remembered(each) for each in wanted] == [found[each] for each in wanted]


def test_a_game_whose_rules_are_not_installed_is_left_out_of_those_that_are_opened_together(games: Games) -> None:
    position, without = sealed_bids(games), Games(games.engine, {})
    with games.engine.connect() as db:
        assert without.open_all(db, [position.game.id]) == {}


def test_a_log_that_was_set_back_is_read_anew_when_games_are_opened_together(games: Games) -> None:
    # given a process that knows a game by a move which the log does not have: another one was made there
    position, elsewhere = sealed_bids(games), Games(games.engine, games.rulesets)
    act(elsewhere, act(elsewhere, position, 0, Hold()).position, 1, Hold())
    games.committed(replace(position, game=structs.replace(position.game, head="00" * 32)))
    with games.engine.connect() as db:
        assert games.open_all(db, [position.game.id]) == {position.game.id: now_at(elsewhere, position.game.id)}
