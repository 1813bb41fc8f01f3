"""A deadline passes: the log tells it once, never early, and the game goes on as its table's pace has it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from freezegun import freeze_time
from sqlalchemy import event as sqlalchemy_event
from sqlalchemy import text

from service.handlers.play import Move, play, play_automaton
from service.handlers.refusals import NotYourTurn, StaleDecision, TimeHasLapsed
from service.log.codec import action_json
from service.log.recorded import milliseconds
from service.rules.shared_events import SeatResigned, TimeLapsed
from service.runtime import Runtime
from service.shared import clock
from service.store.games import Games, Position
from tests.builders import act, first_legal, now_at, paced, sealed_bids
from tests.games.sealed_bids.actions import Hold
from tests.lapsing import AT_ONCE, HOUR, HOURLY, begun, carried_out, instead_of, logged, pending, read, stood_in
from tests.ordering import alice_plots, by_order, order, rows, try_orders, unconditional
from tests.people import alice, bob
from tests.rules.playouts import RULESETS
from workers.jobs import carry_out

ALICE, BOB, CAROL = 0, 1, 2


def corp(games: Games, ago: timedelta = timedelta(0), pace: Any = AT_ONCE) -> Position:
    """New Corp Order between Alice, who begins, and Bob."""
    people = [alice(games), bob(games)]
    return begun(games, ago, pace, ruleset="new-corp-order", people=people, **{"first-player": ALICE})


def deadline(position: Position, seat: int) -> int:
    assert position.clocks is not None
    found = position.clocks.deadline(seat)
    assert found is not None
    return found


def test_t10_a_deadline_that_has_passed_is_told_by_the_log_once(runtime: Runtime, games: Games) -> None:
    position = begun(games, 2 * HOUR)
    rows = pending(games, position)
    assert [row.payload for row in rows] == [
        {"seat": seat, "deadline": deadline(position, seat)} for seat in (ALICE, BOB, CAROL)
    ]
    for row in [*rows, *rows]:
        carry_out(runtime, row.id)
    told = logged(games, position, TimeLapsed)
    assert [(each.seat, each.door, each.decision, each.event) for each in told] == [
        (seat, "timeout", 1, TimeLapsed(seat=seat, decision=1, deadline=deadline(position, seat), ends=False))
        for seat in (ALICE, BOB, CAROL)
    ]
    assert not pending(games, position)


def test_t10_a_seat_that_has_answered_does_not_lapse(runtime: Runtime, games: Games) -> None:
    position = paced(games, AT_ONCE)
    after = act(games, position, BOB, Hold()).position
    carried_out(runtime, after)
    assert {each.event.seat for each in logged(games, position, TimeLapsed)} == {ALICE, CAROL}


def test_t10_a_worker_whose_clock_is_ahead_lets_nothing_lapse_early(runtime: Runtime, games: Games) -> None:
    position = paced(games, HOURLY)
    with freeze_time(clock.now() + 5 * HOUR, tick=True):
        carried_out(runtime, position)
    assert not logged(games, position, TimeLapsed)
    row = read(games, pending(games, position)[0].id)
    assert row is not None and row.attempts == 0


def test_t10_a_worker_whose_clock_is_behind_lets_nothing_lapse_early_and_looks_again_soon(
    runtime: Runtime, games: Games
) -> None:
    position = begun(games, 2 * HOUR)
    with freeze_time(clock.now() - 3 * HOUR, tick=True):
        carried_out(runtime, position)
    assert not logged(games, position, TimeLapsed)
    carried_out(runtime, position)
    assert len(logged(games, position, TimeLapsed)) == 3


def test_t10_killed_before_the_commit_it_lapses_the_next_time_and_once(runtime: Runtime, games: Games) -> None:
    position = paced(games, AT_ONCE)

    class Killed(BaseException):
        pass

    def die(_connection: object) -> None:
        raise Killed

    row = pending(games, position)[0]
    seen: list[object] = []

    def die_at_the_second(connection: object) -> None:
        # The first commit is that of the attempt.
        seen.append(connection)
        if len(seen) == 2:
            die(connection)

    sqlalchemy_event.listen(games.engine, "commit", die_at_the_second)
    try:
        with pytest.raises(Killed):
            carry_out(runtime, row.id)
    finally:
        sqlalchemy_event.remove(games.engine, "commit", die_at_the_second)
    assert not logged(games, position, TimeLapsed)
    carry_out(runtime, row.id)
    carry_out(runtime, row.id)
    assert len(logged(games, position, TimeLapsed)) == 1


def test_t10_killed_between_lapse_and_stand_in_the_stand_in_still_plays_once(runtime: Runtime, games: Games) -> None:
    position = carried_out(runtime, corp(games))
    assert position.stood_in == {ALICE}
    (row,) = pending(games, position, "automaton")
    # Another process, which remembers nothing, goes on with what the log says.
    fresh = replace(runtime, games=Games(games.engine, games.rulesets))
    carry_out(fresh, row.id)
    carry_out(fresh, row.id)
    with games.engine.connect() as db:
        after = games.open(db, position.game.id)
    assert after.version > position.version
    assert not play_automaton(games, position.game.id, ALICE) or after.to_act == {ALICE}


def test_t11_a_move_after_the_lapse_is_refused_with_what_was_played_instead(runtime: Runtime, games: Games) -> None:
    position = corp(games)
    instead = action_json(instead_of(position, ALICE))
    stood_in(runtime, position)
    with pytest.raises(TimeHasLapsed) as refused:
        act(games, position, ALICE, first_legal(position, ALICE))
    assert refused.value.played is not None
    assert refused.value.played.door == "timeout" and refused.value.played.action == instead


def test_t11_a_move_between_lapse_and_stand_in_is_refused_too(runtime: Runtime, games: Games) -> None:
    position = paced(games, AT_ONCE)
    carried_out(runtime, position)
    with pytest.raises(TimeHasLapsed) as refused:
        act(games, position, BOB, Hold())
    assert refused.value.played is None


def test_t11_while_others_still_decide_the_refusal_is_the_same(runtime: Runtime, games: Games) -> None:
    position = paced(games, AT_ONCE)
    instead = action_json(instead_of(position, BOB))
    carried_out(runtime, position, seat=BOB)
    position = carried_out(runtime, position, "automaton")
    assert position.awaited == {ALICE, CAROL}
    with pytest.raises(TimeHasLapsed) as refused:
        act(games, position, BOB, Hold())
    assert refused.value.played is not None and refused.value.played.action == instead


def test_t11_an_older_decision_that_was_answered_in_time_is_only_stale(runtime: Runtime, games: Games) -> None:
    first = paced(games, HOURLY)
    position = first
    for seat in (ALICE, BOB, CAROL):
        position = act(games, position, seat, Hold()).position
    with pytest.raises(StaleDecision) as refused:
        act(games, first, ALICE, Hold())
    assert not isinstance(refused.value, TimeHasLapsed)
    again = act(games, position, ALICE, Hold()).position
    with pytest.raises(NotYourTurn):
        act(games, again, ALICE, Hold())


@pytest.mark.parametrize("leads_to", ["stand-in", "resign", "end"])
@pytest.mark.parametrize("make", [paced, None], ids=["sealed-bids", "new-corp-order"])
def test_t13_what_a_lapse_leads_to_is_a_term(
    runtime: Runtime, games: Games, leads_to: Any, make: Callable[..., Position] | None
) -> None:
    pace = replace(AT_ONCE, on_lapse=leads_to)
    position = corp(games, pace=pace) if make is None else make(games, pace)
    after = carried_out(runtime, position, seat=ALICE)
    (lapsed,) = logged(games, position, TimeLapsed)
    assert lapsed.event.ends is (leads_to == "end")
    if leads_to == "end":
        assert (after.game.status, after.outcome) == ("finished", {"winners": [], "scores": None, "reason": "time"})
        assert (after.awaited, after.to_act) == (frozenset(), frozenset())
        assert len(pending(games, position, "game-over")) == position.game.seats
        carried_out(runtime, position)
        assert len(logged(games, position, TimeLapsed)) == 1
    elif leads_to == "resign":
        assert after.resigned == (ALICE,)
        (gave_up,) = logged(games, position, SeatResigned)
        assert (gave_up.seq, gave_up.door) == (lapsed.seq + 1, "timeout")
        assert after.game.status == ("finished" if make is None else "running")
    else:
        assert after.stood_in == {ALICE} and after.game.status == "running"


def test_t13_the_stand_in_plays_on_until_another_seat_is_asked(runtime: Runtime, games: Games) -> None:
    position = stood_in(runtime, corp(games))
    assert position.awaited == {BOB}
    played = [each for each in logged(games, position, object) if each.door == "timeout" and each.action]
    assert played and {each.seat for each in played} == {ALICE}
    assert [each.event.seat for each in logged(games, position, TimeLapsed)] == [ALICE]


def test_t17_the_clock_runs_for_a_player_whose_mails_come_back(runtime: Runtime, games: Games) -> None:
    position = corp(games)
    with games.engine.begin() as db:
        db.execute(text("update player set unreachable = true where id = :id"), {"id": position.seats[ALICE].player_id})
    carried_out(runtime, position)
    assert [each.event.seat for each in logged(games, position, TimeLapsed)] == [ALICE]


@pytest.mark.parametrize("ruleset", sorted(name for name in RULESETS if "@" not in name))
def test_t13_a_game_that_nobody_plays_comes_to_its_end_by_the_stand_in(
    runtime: Runtime, games: Games, ruleset: str
) -> None:
    seats = max(2, min(RULESETS[ruleset].meta.seats))
    people = [alice(games), *(bob(games) for _ in range(seats - 1))]
    position = paced(games, AT_ONCE, ruleset, people)
    for _ in range(2000):
        if position.game.status != "running":
            break
        rows = [*pending(games, position), *pending(games, position, "automaton")]
        assert rows, f"nothing is due in {ruleset}, and yet it goes on"
        for row in rows:
            carry_out(runtime, row.id)
        position = now_at(games, position.game.id)
    assert position.outcome is not None and position.outcome.get("reason") != "time"
    assert position.clocks is not None and position.clocks.absent == frozenset(range(seats))
    lapses = logged(games, position, TimeLapsed)
    assert max(milliseconds(each.at) - each.event.deadline for each in lapses) >= 0
    assert [len([each for each in lapses if each.event.seat == seat]) for seat in range(seats)] == [3] * seats


def test_t10_a_game_without_a_clock_has_no_lapses(games: Games) -> None:
    position = sealed_bids(games)
    assert not pending(games, position)


def test_t11_the_move_that_comes_first_is_the_one_that_counts(runtime: Runtime, games: Games) -> None:
    position = paced(games, AT_ONCE)
    rows = pending(games, position)
    played = play(games, Move(position.game.id, ALICE, 1, Hold(), "reply"))
    carry_out(runtime, rows[ALICE].id)
    assert now_at(games, position.game.id).version == played.position.version


def test_t30_an_order_that_no_worker_has_tried_in_time_is_tried_before_the_seat_lapses(
    runtime: Runtime, games: Games
) -> None:
    with freeze_time(clock.now() - 2 * HOUR, tick=True):
        position = corp(games, pace=HOURLY)
        order(games, position, BOB, unconditional(position, "P D D"))
        after = alice_plots(games, position)
    assert rows(runtime, after.game.id) and milliseconds(clock.now()) > deadline(after, BOB)
    carried_out(runtime, after, seat=BOB, kind="lapse")
    assert not logged(games, after, TimeLapsed)
    after = try_orders(runtime, after)
    (played,) = by_order(games, after.game.id)
    assert played.seat == BOB
    carried_out(runtime, after)
    assert {each.event.seat for each in logged(games, after, TimeLapsed)} <= {ALICE}
