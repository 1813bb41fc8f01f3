"""A pause stops everybody's time: T-21, T-22."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import event, text

from service.handlers import pause
from service.handlers.play import Move, play
from service.handlers.refusals import (
    AlreadyResigned,
    BadPause,
    CannotPause,
    NoPause,
    NotRunning,
    NotSeated,
    UnknownGame,
)
from service.handlers.resign import resign
from service.log.clocks import acted, awaiting, noted, started
from service.rules.shared_events import GamePaused, GameResumed, PlayerAway, PlayerBack, TimeGiven
from service.runtime import Runtime
from service.shared import clock
from service.store.games import Games
from service.store.position import Position
from tests import lapsing
from tests.builders import act, finished, first_legal, now_at, sealed_bids
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
    player,
    told,
    verified,
)
from tests.people import bob
from tests.rules.playouts import times
from workers.jobs import carry_out

ALICE, BOB, CAROL = 0, 1, 2
WEEK = 7 * DAY
PAUSED = ["pause-proposed", "pause-agreed", "pause-agreed", "game-paused"]


def proposed(games: Games, position: Position, seat: int = ALICE, length: timedelta = WEEK, **more: Any) -> Position:
    now = clock.now()
    return pause.propose(games, position.game.id, player(position, seat), now + length, "api", now, **more)


def agreed(games: Games, position: Position, *seats: int) -> Position:
    for seat in seats:
        clocks = now_at(games, position.game.id).clocks
        assert clocks is not None and clocks.proposed is not None
        until = moment(clocks.proposed.until)
        position = pause.agree(games, position.game.id, player(position, seat), until, "web", clock.now())
    return position


def paused(games: Games, position: Position, length: timedelta = WEEK) -> Position:
    return agreed(games, proposed(games, position, length=length), BOB, CAROL)


def resumed(games: Games, position: Position, seat: int) -> Position:
    return pause.resume(games, position.game.id, player(position, seat), "api", clock.now())


def deadlines(position: Position) -> list[int | None]:
    assert position.clocks is not None
    return [position.clocks.deadline(seat) for seat in sorted(position.awaited)]


def test_t21_the_game_is_paused_by_the_last_consent_in_the_same_transaction(games: Games) -> None:
    before = clocked(games)
    with after(10 * HOUR):
        waiting = agreed(games, proposed(games, before), BOB)
        assert deadlines(waiting) == deadlines(before)
        stopped = agreed(games, waiting, CAROL)
    assert names(games, before) == PAUSED
    causes = [(each.seat, each.door, each.action) for each in logged(games, stopped)[before.version :]]
    assert causes == [(ALICE, "api", None), (BOB, "web", None), (CAROL, "web", None), (ALICE, "web", None)]
    assert deadlines(stopped) == [None, None, None]
    with games.engine.connect() as db:
        row = db.execute(text("select deadlines from game where id = :id"), {"id": before.game.id}).one()
    assert row.deadlines == [None, None, None]


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


def test_t21_players_may_act_in_a_pause_and_the_time_of_those_who_are_asked_then_does_not_run(games: Games) -> None:
    position = paused(games, clocked(games))
    with after(2 * DAY):
        for seat in (ALICE, BOB, CAROL):
            position = act(games, position, seat, first_legal(position, seat)).position
        assert position.decision > 1 and deadlines(position) == [None] * len(position.awaited)
        assert position.clocks is not None and min(position.clocks.banks) >= DAILY.bank * 1000
    with after(3 * DAY):
        onward = resumed(games, position, BOB)
        for deadline in deadlines(onward):
            assert moment(deadline) >= clock.now() + timedelta(seconds=DAILY.free + DAILY.bank - 60)


def test_t21_the_turn_mails_go_out_in_a_pause_as_ever(games: Games) -> None:
    position = paused(games, clocked(games))
    for seat in (ALICE, BOB, CAROL):
        position = act(games, position, seat, first_legal(position, seat)).position
    turns = [row.payload["decision"] for row in pending(games, position, "turn-mail")]
    assert turns.count(position.decision) == len(position.awaited)


def test_t21_absent_and_resigned_seats_are_not_asked(games: Games) -> None:
    position = clocked(games)
    resign(games, position.game.id, player(position, CAROL), "api", clock.now())
    stopped = agreed(games, proposed(games, now_at(games, position.game.id)), BOB)
    assert names(games, position) == ["seat-resigned", "pause-proposed", "pause-agreed", "game-paused"]
    assert stopped.clocks is not None and stopped.clocks.paused is not None
    with pytest.raises(AlreadyResigned):
        resumed(games, stopped, CAROL)


def test_t21_where_only_the_one_who_gives_up_had_not_agreed_the_game_is_paused_by_that(games: Games) -> None:
    position = clocked(games)
    agreed(games, proposed(games, position), BOB)
    resign(games, position.game.id, player(position, CAROL), "api", clock.now())
    assert names(games, position) == ["pause-proposed", "pause-agreed", "seat-resigned", "game-paused"]
    assert len(pending(games, position, "pause-end")) == 1


def test_t21_where_only_a_seat_that_becomes_absent_had_not_agreed_the_game_is_paused_by_that(
    runtime: Runtime, games: Games
) -> None:
    position = lapsing.begun(games, 10 * HOUR)
    assert position.clocks is not None
    twice = replace(position.clocks, lapses=(0, 0, 2))
    games.committed(replace(position, folded=replace(position.folded, clocks=twice)))
    agreed(games, proposed(games, position), BOB)
    stopped = lapsing.carried_out(runtime, position, seat=CAROL)
    assert names(games, position) == ["pause-proposed", "pause-agreed", "time-lapsed", "game-paused"]
    assert stopped.clocks is not None and stopped.clocks.absent == {CAROL}
    assert lapsing.carried_out(runtime, position) == stopped, "T-22: nothing lapses in a pause"


def test_t21_a_resignation_that_ends_the_game_pauses_nothing(games: Games) -> None:
    people = [bob(games), bob(games)]
    position = clocked(games, ruleset="new-corp-order", people=people)
    proposed(games, position)
    resign(games, position.game.id, player(position, BOB), "api", clock.now())
    assert names(games, position) == ["pause-proposed", "seat-resigned"]


def test_t21_a_proposal_lapses_when_another_is_made(games: Games) -> None:
    first = agreed(games, proposed(games, clocked(games)), BOB)
    assert first.clocks is not None and first.clocks.proposed is not None
    earlier = moment(first.clocks.proposed.until)
    proposed(games, first, BOB, DAY)
    with pytest.raises(NoPause):
        pause.agree(games, first.game.id, player(first, CAROL), earlier, "api", clock.now())
    stopped = agreed(games, first, CAROL, ALICE)
    assert stopped.clocks is not None and stopped.clocks.paused is not None
    assert (stopped.clocks.paused.seat, stopped.clocks.paused.agreed) == (BOB, {ALICE, BOB, CAROL})


def test_t21_a_proposal_whose_end_has_passed_is_none_any_more(games: Games) -> None:
    waiting = agreed(games, proposed(games, clocked(games), length=HOUR), BOB)
    with after(2 * HOUR):
        with pytest.raises(NoPause):
            agreed(games, waiting, CAROL)
        resign(games, waiting.game.id, player(waiting, CAROL), "api", clock.now())
    assert names(games, waiting) == ["seat-resigned"]


def test_t21_to_agree_again_changes_nothing(games: Games) -> None:
    waiting = agreed(games, proposed(games, clocked(games)), BOB)
    assert agreed(games, waiting, BOB, ALICE) == waiting


def test_t21_a_pause_lasts_at_most_30_days(games: Games) -> None:
    position = clocked(games)
    for length in (timedelta(0), -HOUR, timedelta(seconds=59), 30 * DAY + timedelta(seconds=1)):
        with pytest.raises(BadPause):
            proposed(games, position, length=length)
    assert names(games, position) == []
    assert names(games, proposed(games, position, length=30 * DAY)) == []


def test_t21_what_cannot_be_is_refused_and_changes_nothing(games: Games) -> None:
    position, stranger = clocked(games), bob(games)
    untimed = sealed_bids(games)
    now = clock.now()
    with pytest.raises(CannotPause, match="no-clock"):
        proposed(games, untimed)
    with pytest.raises(NotSeated):
        pause.propose(games, position.game.id, stranger.id, now + DAY, "api", now)
    with pytest.raises(UnknownGame):
        pause.resume(games, stranger.id, stranger.id, "api", now)
    with pytest.raises(NoPause, match="not-paused"):
        resumed(games, position, ALICE)
    with pytest.raises(NoPause, match="not-proposed"):
        pause.agree(games, position.game.id, player(position, BOB), now + DAY, "api", now)
    stopped = paused(games, position)
    with pytest.raises(CannotPause, match="paused"):
        proposed(games, stopped, BOB)
    over = finished(games, stopped)
    for seat in (ALICE, BOB):
        with pytest.raises(NotRunning):
            resumed(games, over, seat)
    assert names(games, untimed) == []
    assert names(games, stopped)[-1] != "game-resumed"


def test_t21_the_end_of_a_pause_in_a_game_that_is_over_is_void(runtime: Runtime, games: Games) -> None:
    over = finished(games, paused(games, clocked(games)))
    with after(WEEK + HOUR):
        assert carried_out(runtime, over, "pause-end") == over
    assert not pending(games, over, "pause-end")


def test_t21_an_absent_seat_neither_proposes_nor_agrees(games: Games) -> None:
    position = clocked(games)
    assert position.clocks is not None
    with_carol = replace(position.folded, clocks=replace(position.clocks, absent=frozenset({CAROL})))
    games.committed(replace(position, folded=with_carol))
    with pytest.raises(CannotPause, match="absent"):
        proposed(games, position, CAROL)
    stopped = agreed(games, proposed(games, position), BOB)
    assert stopped.clocks is not None and stopped.clocks.paused is not None


def test_t21_the_others_are_told_of_a_proposal_and_of_begin_and_end(games: Games) -> None:
    position = proposed(games, clocked(games), BOB)
    assert told(games, position, "pause", "proposed") == [ALICE, CAROL]
    stopped = agreed(games, position, ALICE, CAROL)
    assert told(games, position, "pause", "begun") == [ALICE, BOB]
    resumed(games, stopped, ALICE)
    assert told(games, position, "pause", "ended") == [BOB, CAROL]


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
