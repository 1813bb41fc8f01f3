"""A pause stops everybody's time: T-21, T-22."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from msgspec import structs
from sqlalchemy import text

from service.handlers import pace
from service.handlers.play import resign
from service.handlers.refusals import (
    AlreadyResigned,
    BadPause,
    CannotPause,
    NoPause,
    NotRunning,
    NotSeated,
    UnknownGame,
)
from service.runtime import Runtime
from service.shared import clock
from service.store.games import Games
from tests import lapsing
from tests.builders import act, finished, first_legal, now_at, sealed_bids
from tests.consenting import (
    DAILY,
    DAY,
    HOUR,
    after,
    clocked,
    logged,
    moment,
    names,
    pending,
    player,
    told,
)
from tests.pausing import ALICE, BOB, CAROL, PAUSED, agreed, deadlines, paused, proposed, resumed
from tests.people import bob


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
    twice = structs.replace(position.clocks, lapses=(0, 0, 2))
    games.committed(replace(position, folded=structs.replace(position.folded, clocks=twice)))
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
        pace.agree_to_pause(games, first.game.id, player(first, CAROL), earlier, "api", clock.now())
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
        pace.propose_pause(games, position.game.id, stranger.id, now + DAY, "api", now)
    with pytest.raises(UnknownGame):
        pace.stop_pause(games, stranger.id, stranger.id, "api", now)
    with pytest.raises(NoPause, match="not-paused"):
        resumed(games, position, ALICE)
    with pytest.raises(NoPause, match="not-proposed"):
        pace.agree_to_pause(games, position.game.id, player(position, BOB), now + DAY, "api", now)
    stopped = paused(games, position)
    with pytest.raises(CannotPause, match="paused"):
        proposed(games, stopped, BOB)
    over = finished(games, stopped)
    for seat in (ALICE, BOB):
        with pytest.raises(NotRunning):
            resumed(games, over, seat)
    assert names(games, untimed) == []
    assert names(games, stopped)[-1] != "game-resumed"


def test_t21_an_absent_seat_neither_proposes_nor_agrees(games: Games) -> None:
    position = clocked(games)
    assert position.clocks is not None
    with_carol = structs.replace(position.folded, clocks=structs.replace(position.clocks, absent=frozenset({CAROL})))
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
