"""Workers make the moves of computer players, once each, in a queue of their own, after an even pause."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from redis import Redis
from sqlalchemy import event, text

from service.log.recorded import Recorded
from service.runtime import Runtime
from service.store import events, notices
from service.store.games import Games, Position
from tests.builders import now_at
from tests.people import alice
from tests.seating import against, owed
from tests.workers import solo
from workers.effects import of_urgency
from workers.jobs import carry_out
from workers.queue import Jobs
from workers.relay import Relay

DUE = text("""
select extract(epoch from not_before - added_at)::float8 as pause from outbox
where game_id = :game and kind = 'computer'
""")

PENDING = text("select count(*) from outbox where kind = any(:kinds) and state = 'pending'")


@pytest.fixture
def table(games: Games) -> Position:
    """A game in which all have to act at once: Alice and two computer players."""
    return against(games, "sealed-bids", alice(games), ["easy", "easy"])


def moves(games: Games, position: Position) -> list[Recorded]:
    """Return the actions of computer players."""
    with games.engine.connect() as db:
        log = events.read(db, position.codec, position.game.id)
    return [each for each in log if each.door == "worker" and each.action is not None]


def test_each_computer_player_that_has_to_act_gets_a_row_that_is_due_after_the_same_pause(
    runtime: Runtime, table: Position
) -> None:
    assert [seat for _, seat in owed(runtime.games, table.game.id)] == [1, 2]
    with runtime.engine.connect() as db:
        pauses = [row.pause for row in db.execute(DUE, {"game": table.game.id})]
    assert min(pauses) >= notices.PAUSE
    assert max(pauses) - min(pauses) < 0.1


def test_their_moves_wait_in_a_queue_where_nothing_waits_behind_them(
    runtime: Runtime, queue: Redis, table: Position
) -> None:
    solo.hurry(runtime)
    Relay(runtime).drain()
    with runtime.engine.connect() as db:
        # What other tests have left waits there, too.
        due = db.execute(PENDING, {"kinds": of_urgency("computer")}).scalar_one()
    assert due >= 2
    assert {name: Jobs(queue, name).waiting() for name in ("moves", "computers")} == {"moves": 0, "computers": due}


def test_workers_that_got_the_same_rows_at_once_make_one_move_each(runtime: Runtime, table: Position) -> None:
    rows = [row for row, _ in owed(runtime.games, table.game.id)]
    with ThreadPoolExecutor(6) as threads:
        list(threads.map(lambda row: carry_out(runtime, row), rows * 3))
    assert sorted(each.seat or 0 for each in moves(runtime.games, table)) == [1, 2]
    assert [solo.state_of(runtime, row)[0] for row in rows] == ["done", "done"]


@pytest.mark.parametrize("point", ["for update skip locked", "insert into event"])
def test_a_worker_that_dies_leaves_the_move_to_the_next(runtime: Runtime, table: Position, point: str) -> None:
    (row, seat), *_ = owed(runtime.games, table.game.id)

    class Died(BaseException):
        pass

    def die(*call: object) -> None:
        if point in str(call[2]):
            raise Died

    event.listen(runtime.engine, "before_cursor_execute", die)
    with pytest.raises(Died):
        carry_out(runtime, row)
    event.remove(runtime.engine, "before_cursor_execute", die)
    assert now_at(runtime.games, table.game.id).version == table.version
    assert solo.state_of(runtime, row) == ("pending", 1)
    carry_out(runtime, row)
    assert [each.seat for each in moves(runtime.games, table)] == [seat]
    assert solo.state_of(runtime, row)[0] == "done"


def test_a_row_about_nothing_that_is_owed_any_more_is_skipped(runtime: Runtime, table: Position) -> None:
    (row, _), *_ = owed(runtime.games, table.game.id)
    carry_out(runtime, row)
    with runtime.engine.begin() as db:
        db.execute(text("update outbox set state = 'pending' where id = :row"), {"row": row})
    carry_out(runtime, row)
    assert solo.state_of(runtime, row)[0] == "skipped"
    assert len(moves(runtime.games, table)) == 1
