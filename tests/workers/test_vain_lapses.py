"""The rows of deadlines that no longer count are taken away together, and nobody waits for that."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from freezegun import freeze_time
from sqlalchemy import event as sqlalchemy_event

from service.handlers.play import resign
from service.rules.shared_events import TimeLapsed
from service.runtime import Runtime
from service.shared import clock
from service.store import pace
from service.store.games import Games, Position
from tests.builders import act, first_legal, now_at
from tests.house import forget_what_is_due
from tests.lapsing import HOUR, begun, logged, pending, seen
from workers import relay
from workers.relay import Lane

ALICE, BOB, CAROL = 0, 1, 2


@pytest.fixture(autouse=True)
def _quiet(runtime: Runtime) -> None:
    forget_what_is_due(runtime)
    for what in ("relay", "mail", "web"):
        seen(runtime.games, what, clock.now())


def answered(games: Games) -> Position:
    """A game whose deadlines passed an hour ago, and in which Alice acted half an hour before hers.

    Each deadline has a row, as the version before has written them, or as one is left that an action has overtaken.
    """
    position = begun(games, 2 * HOUR)
    assert seats(games, position) == [ALICE, BOB, CAROL]
    with freeze_time(clock.now() - timedelta(minutes=90), tick=True):
        return act(games, position, ALICE, first_legal(position, ALICE)).position


def seats(games: Games, position: Position) -> list[int]:
    return [row.payload["seat"] for row in pending(games, position)]


def test_a_deadline_that_was_kept_is_no_job_and_one_that_was_not_is(
    runtime: Runtime, games: Games, monkeypatch: pytest.MonkeyPatch
) -> None:
    # given a game in which one seat has answered in time, and two have not
    position = answered(games)
    rows = {row.payload["seat"]: row.id for row in pending(games, position)}
    handed_out: list[int] = []
    # when the relay hands out what is due
    monkeypatch.setattr(relay, "carry_out", lambda _, row_id: handed_out.append(row_id))
    Lane(replace(runtime, redis=None), "moves").drain()
    # then the row of the first is gone, and those of the others are jobs
    assert seats(games, position) == [BOB, CAROL]
    assert rows[ALICE] not in handed_out and {rows[BOB], rows[CAROL]} <= set(handed_out)


def test_the_rows_of_a_game_that_is_over_go_too_and_those_of_no_other(games: Games) -> None:
    # given a game that is over, one that waits, and one whose deadlines are still ahead
    over, waits, ahead = answered(games), answered(games), begun(games, timedelta(0))
    for seat in (BOB, CAROL):
        resign(games, over.game.id, over.seats[seat].player_id, "web", clock.now())
    assert now_at(games, over.game.id).game.status == "finished"
    # when the rows are looked through
    with games.engine.begin() as db:
        pace.forget_stale_lapses(db)
    # then each game has the rows of the seats that it awaits
    assert [seats(games, each) for each in (over, waits, ahead)] == [[], [BOB, CAROL], [ALICE, BOB, CAROL]]


def test_a_game_that_somebody_has_locked_is_left_alone(games: Games) -> None:
    # given a game in which an action is being written
    position = answered(games)
    with games.engine.begin() as acting, games.engine.begin() as db:
        games.lock(acting, position.game.id)
        # when the rows are looked through, then nobody waits and nothing of the game is taken away
        assert pace.forget_stale_lapses(db) == 0
    assert seats(games, position) == [ALICE, BOB, CAROL]
    with games.engine.begin() as db:
        assert pace.forget_stale_lapses(db) == 1


def test_an_action_waits_until_the_rows_are_gone(games: Games) -> None:
    # given rows that are being taken away, whose transaction is not over
    position = answered(games)
    with games.engine.begin() as db:
        assert pace.forget_stale_lapses(db) == 1
        # then another transaction cannot lock the game meanwhile
        with games.engine.begin() as other:
            left = other.exec_driver_sql(
                "select id from game where id = %s for no key update skip locked", (position.game.id,)
            ).all()
        assert left == []


def test_killed_before_the_commit_all_rows_are_still_there(games: Games) -> None:
    position = answered(games)

    class Killed(BaseException):
        pass

    def die(_connection: object) -> None:
        raise Killed

    sqlalchemy_event.listen(games.engine, "commit", die)
    try:
        with pytest.raises(Killed), games.engine.begin() as db:
            pace.forget_stale_lapses(db)
    finally:
        sqlalchemy_event.remove(games.engine, "commit", die)
    assert seats(games, position) == [ALICE, BOB, CAROL]
    assert not logged(games, position, TimeLapsed)
