"""How a pause ends, and that no failure, race or other fact of time breaks it (T-21, T-22)."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import event

from service.handlers.play import Move, play
from service.log.clocks import acted, awaiting, noted, started
from service.rules.shared_events import GamePaused, GameResumed, PlayerAway, PlayerBack, TimeGiven
from service.runtime import Runtime
from service.store.games import Games
from tests.builders import act, finished, first_legal, now_at
from tests.consenting import (
    DAILY,
    DAY,
    HOUR,
    after,
    carried_out,
    clocked,
    logged,
    moment,
    names,
    pending,
    told,
    verified,
)
from tests.pausing import ALICE, BOB, CAROL, WEEK, agreed, deadlines, paused, proposed, resumed
from tests.rules.playouts import times
from workers.jobs import carry_out


def test_t21_anybody_ends_it_and_the_time_goes_on_where_it_was(games: Games) -> None:
    before = clocked(games)
    with after(10 * HOUR):
        stopped = paused(games, before)
    with after(60 * HOUR):
        onward = resumed(games, stopped, BOB)
    for was, now in zip(deadlines(before), deadlines(onward), strict=True):
        assert was is not None and now is not None
        assert abs(now - was - 50 * HOUR / timedelta(milliseconds=1)) < 60_000
    assert {row.payload["deadline"] for row in pending(games, before, "lapse")} >= {*deadlines(onward)}
    assert now_at(Games(games.engine, games.rulesets), before.game.id).folded == onward.folded


def test_t21_it_ends_by_itself_once_when_its_time_has_come(runtime: Runtime, games: Games) -> None:
    stopped = paused(games, clocked(games))
    (row,) = pending(games, stopped, "pause-end")
    assert stopped.clocks is not None and stopped.clocks.paused is not None
    assert row.due_at == moment(stopped.clocks.paused.until)
    carry_out(runtime, row.id)
    assert [each.id for each in pending(games, stopped, "pause-end")] == [row.id]
    with after(WEEK + HOUR):
        with ThreadPoolExecutor(4) as threads:
            list(threads.map(lambda _: carry_out(runtime, row.id), range(4)))
        onward = now_at(games, stopped.game.id)
    assert names(games, stopped) == ["game-resumed"]
    last = logged(games, stopped)[-1]
    assert (last.event, last.seat, last.door) == (GameResumed(seat=ALICE), ALICE, "worker")
    assert not pending(games, stopped, "pause-end")
    assert told(games, stopped, "pause", "ended") == [ALICE, BOB, CAROL]
    assert None not in deadlines(onward)


def test_t21_the_end_of_a_pause_that_was_ended_before_is_void(runtime: Runtime, games: Games) -> None:
    onward = resumed(games, paused(games, clocked(games)), CAROL)
    later = agreed(games, proposed(games, onward, BOB, 2 * WEEK), ALICE, CAROL)
    with after(WEEK + HOUR):
        first, second = pending(games, later, "pause-end")
        carry_out(runtime, first.id)
    assert now_at(games, later.game.id) == later
    assert [row.id for row in pending(games, later, "pause-end")] == [second.id]


@pytest.mark.parametrize("point", ["insert into event", "commit"])
def test_t21_a_worker_that_dies_while_it_ends_a_pause_leaves_it_to_the_next(
    runtime: Runtime, games: Games, point: str
) -> None:
    stopped = paused(games, clocked(games))
    (row,) = pending(games, stopped, "pause-end")

    class Died(BaseException):
        pass

    written: list[str] = []

    def die(*call: Any) -> None:
        if point == "commit":
            if any("insert into event" in each for each in written):
                raise Died
        elif point in str(call[2]):
            raise Died

    def note(*call: Any) -> None:
        written.append(str(call[2]))

    event.listen(runtime.engine, "before_cursor_execute", note)
    event.listen(runtime.engine, "commit" if point == "commit" else "before_cursor_execute", die)
    try:
        with after(WEEK + HOUR), pytest.raises(Died):
            carry_out(runtime, row.id)
    finally:
        event.remove(runtime.engine, "commit" if point == "commit" else "before_cursor_execute", die)
        event.remove(runtime.engine, "before_cursor_execute", note)
    assert names(games, stopped) == []
    with after(WEEK + HOUR):
        carried_out(runtime, stopped, "pause-end")
    assert names(games, stopped) == ["game-resumed"]


def test_t22_whoever_dies_between_the_last_consent_and_the_pause_leaves_neither(games: Games) -> None:
    waiting = agreed(games, proposed(games, clocked(games)), BOB)

    class Died(BaseException):
        pass

    appended = []

    def die(*call: Any) -> None:
        appended.extend(["insert into event"] if "insert into event" in str(call[2]) else [])
        if len(appended) == 2:
            raise Died

    event.listen(games.engine, "before_cursor_execute", die)
    try:
        with pytest.raises(Died):
            agreed(games, waiting, CAROL)
    finally:
        event.remove(games.engine, "before_cursor_execute", die)
    assert names(games, waiting) == []
    assert names(games, agreed(games, waiting, CAROL)) == []
    assert names(games, waiting) == ["pause-agreed", "game-paused"]


def test_t22_the_deadline_rows_of_before_a_pause_are_void_in_it_and_after_it(games: Games) -> None:
    before = clocked(games)
    with after(HOUR):
        stopped = paused(games, before)
        old = {row.payload["deadline"] for row in pending(games, before, "lapse")}
        assert not old & {*deadlines(stopped)}
    with after(2 * HOUR):
        onward = resumed(games, stopped, ALICE)
    assert not old & {*deadlines(onward)}


facts = st.sampled_from(["act", "give", "away", "back", "resume"])


@times(200)
@given(st.lists(st.tuples(facts, st.integers(0, 2), st.integers(1, 100)), max_size=12))
def test_t22_no_seat_has_a_deadline_in_a_pause_whatever_happens_in_it(
    steps: list[tuple[str, int, int]],
) -> None:
    everybody, now = frozenset({ALICE, BOB, CAROL}), 1_800_000_000_000
    clocks = awaiting(started(DAILY, 3), everybody, None, now)
    used = clocks.deadline(ALICE)
    clocks = noted(clocks, GamePaused(seat=ALICE, until=now + 10**9), now)
    assert used is not None
    for what, seat, hours in steps:
        now += hours * 3600_000
        if what == "act":
            clocks = awaiting(acted(clocks, seat, "api"), everybody - {seat}, seat, now)
            clocks = awaiting(acted(clocks, seat, "api"), everybody, (seat + 1) % 3, now)
        elif what == "give":
            clocks = noted(clocks, TimeGiven(seat=seat, by=(seat + 1) % 3, seconds=60, reason="player"), now)
        elif what == "away" and seat not in clocks.away:
            clocks = noted(clocks, PlayerAway(seat=seat, until=now + 10**6), now)
        elif what == "back" and seat in clocks.away:
            clocks = noted(clocks, PlayerBack(seat=seat), now)
        elif what == "resume":
            break
        assert [clocks.deadline(each) for each in everybody] == [None] * 3
        assert all(clocks.bank(each, now) >= DAILY.bank * 1000 for each in everybody)
    clocks = noted(clocks, GameResumed(seat=BOB), now)
    for seat in everybody - clocks.away.keys():
        deadline = clocks.deadline(seat)
        assert deadline is not None and deadline >= now + DAILY.free * 1000


def test_t21_the_end_of_a_pause_in_a_game_that_is_over_is_void(runtime: Runtime, games: Games) -> None:
    over = finished(games, paused(games, clocked(games)))
    with after(WEEK + HOUR):
        assert carried_out(runtime, over, "pause-end") == over
    assert not pending(games, over, "pause-end")


def test_t21_a_whole_game_with_pauses_holds_by_its_record(runtime: Runtime, games: Games) -> None:
    position = clocked(games)
    with after(HOUR):
        position = paused(games, position)
        position = act(games, position, BOB, first_legal(position, BOB)).position
    with after(WEEK + 2 * HOUR):
        position = carried_out(runtime, position, "pause-end")
        position = proposed(games, position, CAROL, DAY)
        position = resumed(games, agreed(games, position, ALICE, BOB), BOB)
        position = proposed(games, position, ALICE, DAY)
        position = agreed(games, position, BOB)
        over = finished(games, position)
    verified(games, over)


def test_t21_of_two_who_agree_at_once_the_second_begins_the_pause(games: Games) -> None:
    waiting = proposed(games, clocked(games))
    with ThreadPoolExecutor(2) as threads:
        list(threads.map(lambda seat: agreed(games, waiting, seat), (BOB, CAROL)))
    assert names(games, waiting) == ["pause-agreed", "pause-agreed", "game-paused"]


def test_t21_a_move_at_the_moment_of_a_pause_is_kept(games: Games) -> None:
    waiting = agreed(games, proposed(games, clocked(games)), BOB)
    move = Move(waiting.game.id, ALICE, waiting.decision, first_legal(waiting, ALICE), "api")
    with ThreadPoolExecutor(2) as threads:
        both = [threads.submit(agreed, games, waiting, CAROL), threads.submit(play, games, move)]
        assert all(each.result() for each in both)
    told_of = names(games, waiting)
    assert "game-paused" in told_of and ALICE not in now_at(games, waiting.game.id).awaited
    assert told_of.index("game-paused") == told_of.index("pause-agreed") + 1
