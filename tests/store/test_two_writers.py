"""Several writers at once: the log takes one after the other, and nobody is told a lie."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from time import monotonic

import pytest
from sqlalchemy import text

from service.handlers import lobby
from service.handlers.append import Played
from service.handlers.refusals import NotOpen, StaleDecision, Unavailable
from service.shared import clock
from service.store import events
from service.store.games import Games, Position
from tests.builders import act, first_legal, now_at, sealed_bids, table_for
from tests.games.sealed_bids.actions import Hold
from tests.people import alice, bob, carol

_WAITING = text(
    "select count(*) from pg_stat_activity where wait_event_type = 'Lock'"
    # The end of a long statement is cut off there, and with it what it locks.
    " and (query like '%json_build_object%' or query like '%update game set version%'"
    " or query like 'select id, status from game%')"
)
_TERMINATE = text(_WAITING.text.replace("count(*)", "pg_terminate_backend(pid)"))


@contextmanager
def held(games: Games, position: Position, writers: int) -> Iterator[Callable[[], None]]:
    """Hold the game's lock; what is yielded waits until so many writers queue for it."""
    with games.engine.connect() as db, games.engine.connect() as watch:
        games.lock(db, position.game.id)

        def queue() -> None:
            deadline = monotonic() + 60
            while watch.execute(_WAITING).scalar_one() < writers:
                assert monotonic() < deadline, "the writers do not come"
                watch.rollback()

        yield queue


def result(attempt: Future[Played]) -> Played | BaseException:
    return attempt.exception() or attempt.result()


def test_of_two_writers_on_one_decision_one_wins_and_the_other_is_stale(games: Games) -> None:
    position = sealed_bids(games)
    for seat in (0, 1):
        position = act(games, position, seat, Hold()).position
    actions = position.ruleset.legal(position.state, 2)[:2]
    with ThreadPoolExecutor(2) as threads:
        with held(games, position, 2) as wait_for_queue:
            attempts = [threads.submit(act, games, position, 2, action) for action in actions]
            wait_for_queue()
        ends = [result(attempt) for attempt in attempts]
    (won,) = [end for end in ends if isinstance(end, Played)]
    (lost,) = [end for end in ends if isinstance(end, StaleDecision)]
    assert lost.position == won.position == now_at(games, position.game.id)
    assert lost.since[-2:] == won.events
    assert won.position.version == position.version + 2


def test_secret_moves_of_several_seats_at_once_are_all_accepted(games: Games) -> None:
    position = sealed_bids(games)
    with ThreadPoolExecutor(3) as threads:
        with held(games, position, 3) as wait_for_queue:
            bids = [threads.submit(act, games, position, seat, first_legal(position, seat)) for seat in (0, 1, 2)]
            wait_for_queue()
        played = [bid.result() for bid in bids]
    assert sorted(len(each.events) for each in played) == [1, 1, 2]
    after = now_at(games, position.game.id)
    assert after.state.lot == 2
    with games.engine.connect() as db:
        assert games.at_version(db, after, after.version) == after
        assert [each.seq for each in events.read(db, after.codec, after.game.id)] == list(range(1, after.version + 1))


def test_of_two_who_want_the_last_seat_one_gets_it(games: Games) -> None:
    game = table_for(games, "sealed-bids", alice(games), 3)
    lobby.join(games, game, bob(games).id, clock.now())
    rivals = [carol(games).id, carol(games).id]
    with ThreadPoolExecutor(2) as threads:
        with held(games, now_at(games, game), 2) as wait_for_queue:
            attempts = [threads.submit(lobby.join, games, game, rival, clock.now()) for rival in rivals]
            wait_for_queue()
        ends = [attempt.exception() or attempt.result() for attempt in attempts]
    assert sorted(map(str, ends)) == ["2", "full"]
    assert isinstance(next(end for end in ends if end != 2), NotOpen)


def test_a_writer_whose_connection_is_lost_is_told_to_come_back(games: Games) -> None:
    position = sealed_bids(games)
    with ThreadPoolExecutor(1) as threads, held(games, position, 1) as wait_for_queue:
        attempt = threads.submit(act, games, position, 0, Hold())
        wait_for_queue()
        with games.engine.connect() as db:
            db.execute(_TERMINATE)
        with pytest.raises(Unavailable):
            attempt.result()
    assert now_at(games, position.game.id) == position
    act(games, position, 0, Hold())


def test_a_writer_does_not_wait_for_a_lock_for_ever(games: Games) -> None:
    position = sealed_bids(games)
    with ThreadPoolExecutor(1) as threads, held(games, position, 1), pytest.raises(Unavailable):
        threads.submit(act, games, position, 0, Hold()).result()
    assert now_at(games, position.game.id) == position
