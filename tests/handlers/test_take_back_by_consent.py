"""Take-backs to which all agree: clocks, records, refusals, races (T-06, T-35)."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest
from sqlalchemy import event, text

from service.handlers import links, pace
from service.handlers.append import record
from service.handlers.play import play_automaton, resign
from service.handlers.refusals import (
    NothingToTakeBack,
    TakeBackOver,
    TooLateToTakeBack,
)
from service.handlers.take_back import Wish, take_back
from service.record.verify import verify
from service.rules.shared_events import ActionTakenBack, TimeGiven
from service.runtime import Runtime
from service.shared import clock
from service.store.events import Cause
from service.store.games import Games, Position
from tests.asking_back import ALICE, BOB, CAROL, TEN_MINUTES, agreed, asked, bids, deadlines, fresh, lapsed, standing
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
    player,
    record_of,
    told,
    verified,
)
from tests.games.sealed_bids.actions import Hold
from tests.people import alice, bob
from tests.record.forging import Lines, rewritten
from tests.record.records import KEYS
from tests.record.test_two_verifiers import node, with_node


def test_t35_agreed_by_all_the_game_is_where_it_was_before_and_what_the_others_did_since_is_gone_too(
    games: Games,
) -> None:
    before = clocked(games)
    shown = bids(games, before, ALICE, BOB, CAROL)
    assert shown.state != before.state and shown.decision == 2
    request = asked(games, before)
    assert not agreed(games, before, request, BOB).events
    told_of = agreed(games, before, request, CAROL)
    after_it = told_of.position
    (fact,) = told_of.events
    last = logged(games, before)[-2].seq
    assert fact.event == ActionTakenBack(seat=ALICE, first=before.version + 1, last=last, agreed=(BOB, CAROL))
    assert (fact.seat, fact.door, fact.action) == (ALICE, "web", None)
    assert (after_it.state, after_it.awaited, after_it.decision) == (before.state, {ALICE, BOB, CAROL}, 3)
    assert fresh(games, before).folded == now_at(games, before.game.id).folded == after_it.folded
    assert standing(games, before) is None
    for seat in (BOB, CAROL):
        with pytest.raises(TakeBackOver):
            agreed(games, before, request, seat)


def test_t35_the_request_of_one_who_acted_in_the_middle_leaves_what_was_done_before_it(games: Games) -> None:
    before = clocked(games)
    bids(games, before, BOB, ALICE)
    back = agreed(games, before, asked(games, before), BOB, CAROL).position
    assert (set(back.state.sealed), back.awaited, back.decision) == ({BOB}, {ALICE, CAROL}, 1)


def test_t35_where_the_decision_keeps_its_number_all_who_face_it_again_are_asked_again(games: Games) -> None:
    before = clocked(games)
    bids(games, before, ALICE, BOB)
    with games.engine.begin() as db:
        db.execute(text("update outbox set state = 'done' where game_id = :game"), {"game": before.game.id})
    back = agreed(games, before, asked(games, before), BOB, CAROL).position
    assert (back.decision, back.awaited) == (1, {ALICE, BOB, CAROL})
    assert told(games, before, "turn-mail") == [ALICE, BOB]
    over = finished(games, back)
    verified(games, over)


def test_t35_where_the_decision_keeps_its_number_the_service_plays_again_for_those_who_left(
    runtime: Runtime, games: Games
) -> None:
    before = clocked(games)
    resign(games, before.game.id, player(before, CAROL), "api", clock.now())
    bids(games, now_at(games, before.game.id), ALICE)
    assert CAROL in carried_out(runtime, before, "automaton").state.sealed
    back = agreed(games, before, asked(games, before), BOB).position
    assert not back.state.sealed and back.decision == 1
    again = carried_out(runtime, before, "automaton")
    assert CAROL in again.state.sealed and again.awaited == {ALICE, BOB}
    assert not play_automaton(games, before.game.id, CAROL)
    verified(games, now_finished(runtime, games, again))


def now_finished(runtime: Runtime, games: Games, position: Position) -> Position:
    """Play the game to its end, the workers acting for those who left."""
    while position.game.status == "running":
        position = carried_out(runtime, position, "automaton")
        for seat in position.awaited:
            position = act(games, position, seat, first_legal(position, seat)).position
    return position


def test_t35_what_the_service_played_for_a_seat_is_not_taken_back(runtime: Runtime, games: Games) -> None:
    before = clocked(games)
    bids(games, before, BOB)
    lapsed(games, now_at(games, before.game.id), ALICE)
    position = carried_out(runtime, before, "automaton")
    assert ALICE in position.state.sealed
    with pytest.raises(NothingToTakeBack):
        asked(games, before, ALICE)


def test_t35_old_links_of_all_whose_actions_were_taken_back_are_out_of_use(games: Games) -> None:
    before = clocked(games)
    with games.engine.begin() as db:
        tokens = [links.issue(db, before.game.id, seat, 1, clock.now()) for seat in (ALICE, BOB, CAROL)]
    bids(games, before, ALICE, BOB)
    agreed(games, before, asked(games, before), BOB, CAROL)
    with games.engine.connect() as db:
        found = [links.resolve(db, token) for token in tokens]
    assert [link and link.revoked_for for link in found] == ["taken-back", "taken-back", None]


def test_t35_of_two_who_agree_at_once_one_takes_it_back(games: Games) -> None:
    before = clocked(games)
    bids(games, before, ALICE, BOB)
    request = asked(games, before)
    with ThreadPoolExecutor(2) as threads:
        list(threads.map(lambda seat: agreed(games, before, request, seat), (BOB, CAROL)))
    assert names(games, before).count("action-taken-back") == 1


def test_t35_whoever_dies_at_the_last_consent_leaves_the_request_as_it_was(games: Games) -> None:
    before = clocked(games)
    bids(games, before, ALICE, BOB)
    request = asked(games, before)
    agreed(games, before, request, BOB)

    class Died(BaseException):
        pass

    def die(*call: Any) -> None:
        if "delete from take_back_request" in str(call[2]):
            raise Died

    event.listen(games.engine, "before_cursor_execute", die)
    try:
        with pytest.raises(Died):
            agreed(games, before, request, CAROL)
    finally:
        event.remove(games.engine, "before_cursor_execute", die)
    assert standing(games, before) == replace(request, agreed=frozenset({BOB}))
    assert agreed(games, before, request, CAROL).events


GAMES = [("sealed-bids", 3), ("new-corp-order", 2), ("new-corp-order", 3)]


@pytest.mark.parametrize(("name", "seats"), GAMES)
def test_t35_whole_games_with_actions_taken_back_by_consent_hold_by_their_records(
    games: Games, name: str, seats: int
) -> None:
    over = game_of_second_thoughts(games, name, seats, seed=1)
    assert any(isinstance(each.event, ActionTakenBack) and each.event.agreed for each in logged(games, over))
    verified(games, over)


def test_t35_a_record_in_which_somebody_had_not_agreed_does_not_hold(games: Games) -> None:
    def without_the_last(lines: Lines) -> None:
        events = (line["events"][0] for line in lines if line["kind"] == "step")
        agreed = (each["data"]["agreed"] for each in events if each["type"] == "action-taken-back")
        next(seats for seats in agreed if len(seats) == 2).pop()

    record = record_of(games, game_of_second_thoughts(games, "sealed-bids", 3, seed=1))
    found = verify(rewritten(without_the_last, record), games.rulesets, KEYS).findings[-1]
    assert (found.level, found.holds, found.said) == ("rules", False, "not all have agreed to this taking back")


@pytest.mark.long
@with_node
def test_t35_the_verifier_in_javascript_says_the_same_of_such_games(games: Games, tmp_path: Path) -> None:
    records = [record_of(games, game_of_second_thoughts(games, *game, seed)) for game in GAMES for seed in (2, 3)]
    assert any(b"action-taken-back" in record for record in records)
    assert all(verify(record, games.rulesets, KEYS).holds for record in records)
    reports = node(tmp_path, records)
    assert [[level["holds"] for level in report["levels"]] for report in reports] == [[True] * 5] * len(records), (
        reports
    )


def game_of_second_thoughts(games: Games, name: str, seats: int, seed: int) -> Position:
    """A random game, over by now, in whose first steps players had their actions taken back."""
    random, people = Random(seed), [alice(games), bob(games), bob(games)][:seats]
    position = clocked(games, ruleset=name, people=people)
    for _ in range(12):
        if position.game.status != "running":
            break
        seat = random.choice(sorted(position.awaited))
        position = act(games, position, seat, random.choice(position.ruleset.legal(position.state, seat))).position
        if position.game.status == "running" and random.random() < 0.5:
            position = try_to_take_back(games, position, random.randrange(seats))
        assert fresh(games, position).folded == position.folded
    return finished(games, position)


def try_to_take_back(games: Games, position: Position, seat: int) -> Position:
    """The game after all have agreed to the seat's request, if it has anything to ask for."""
    mine = [each.decision for each in logged(games, position) if each.seat == seat and each.action is not None]
    try:
        request = asked(games, position, seat, mine[-1] if mine else 1)
    except NothingToTakeBack:
        return position
    others = [each for each in range(position.game.seats) if each != seat]
    return agreed(games, position, request, *others).position


def test_t06_a_move_that_is_taken_back_gives_the_seat_the_time_it_had(games: Games) -> None:
    before = clocked(games)
    assert before.clocks is not None
    with after(30 * HOUR):
        acted = act(games, before, ALICE, Hold()).position
        assert acted.clocks is not None and acted.clocks.banks[ALICE] != before.clocks.banks[ALICE]
        back = take_back(games, Wish(before.game.id, ALICE, 1, "api"), TEN_MINUTES, clock.now()).position
    assert deadlines(back) == deadlines(before)
    assert back.clocks is not None and back.clocks.banks == before.clocks.banks
    assert fresh(games, before).folded == back.folded


def test_t06_what_the_players_have_said_of_their_time_since_stays(games: Games) -> None:
    before = clocked(games)
    act(games, before, ALICE, Hold())
    with games.engine.begin() as db:
        given = TimeGiven(seat=BOB, by=CAROL, seconds=DAILY.free, reason="player")
        locked = games.lock(db, before.game.id)
        later, _ = record(db, locked, [given], Cause(BOB, "api", 1))
    games.committed(later)
    back = take_back(games, Wish(before.game.id, ALICE, 1, "api"), TEN_MINUTES, clock.now()).position
    was, now = deadlines(before), deadlines(back)
    assert (now[ALICE], now[CAROL]) == (was[ALICE], was[CAROL])
    assert now[BOB] == (was[BOB] or 0) + DAILY.free * 1000


def test_t06_once_a_deadline_that_would_run_again_has_passed_it_is_too_late(games: Games) -> None:
    before = clocked(games)
    deadline = moment(deadlines(before)[ALICE])
    with after(deadline - clock.now() - timedelta(minutes=1)):
        acted = act(games, before, ALICE, Hold()).position
        request = asked(games, before)
        agreed(games, before, request, BOB)
    with after(deadline - clock.now() + timedelta(minutes=1)):
        for late in (
            lambda: take_back(games, Wish(before.game.id, ALICE, 1, "api"), TEN_MINUTES, clock.now()),
            lambda: agreed(games, before, request, CAROL),
        ):
            with pytest.raises(TooLateToTakeBack, match="deadline"):
                late()
        with pytest.raises(TooLateToTakeBack, match="deadline"):
            asked(games, before)
    assert now_at(games, before.game.id) == acted


def test_t06_in_a_pause_no_deadline_passes_and_it_is_not_too_late(games: Games) -> None:
    before = clocked(games)
    now = clock.now()
    pace.propose_pause(games, before.game.id, player(before, ALICE), now + 30 * DAY, "api", now)
    for seat in (BOB, CAROL):
        pace.agree_to_pause(games, before.game.id, player(before, seat), now + 30 * DAY, "api", now)
    act(games, now_at(games, before.game.id), ALICE, Hold())
    with after(20 * DAY):
        back = agreed(games, before, asked(games, before), BOB, CAROL).position
    assert back.awaited == {ALICE, BOB, CAROL} and set(deadlines(back).values()) == {None}
    assert pending(games, before, "pause-end")


def test_t06_the_deadline_that_runs_again_has_its_row(games: Games) -> None:
    before = clocked(games)
    bids(games, before, ALICE, BOB, CAROL)
    back = agreed(games, before, asked(games, before), BOB, CAROL).position
    waiting = {(row.payload["seat"], row.payload["deadline"]) for row in pending(games, before, "lapse")}
    assert {*deadlines(back).items()} <= waiting
