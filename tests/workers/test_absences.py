"""An absence begins and ends in the logs of its player's games, whatever is killed in between (T-19, T-22)."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import text

from service.handlers import pace
from service.handlers.pace import AbsencePlan, announce_absence, end_absence, return_from_absence, tell_absences
from service.handlers.play import resign
from service.handlers.take_back import Wish, take_back
from service.log.recorded import milliseconds
from service.rules.pace import Pace
from service.rules.shared_events import PlayerAway, PlayerBack, TimeGiven
from service.runtime import Runtime
from service.shared import clock as real
from service.store.games import Games
from service.views.pace import away_until
from tests.away import DAILY, DAY, HOUR, NOON, Clock, carry_out, clocked, deadline_of, stopped_clock, told
from tests.builders import act, first_legal, now_at, opened, paced, started
from tests.lapsing import AT_ONCE, carried_out
from tests.people import Person, alice, bob, carol
from workers import pace as worker

TODAY = NOON.date()
FACTS = (PlayerAway, PlayerBack, TimeGiven)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return stopped_clock(monkeypatch)


@pytest.fixture
def people(games: Games, clock: Clock) -> list[Person]:
    return [alice(games), bob(games), carol(games)]


@pytest.mark.parametrize("ruleset", ["sealed-bids", "new-corp-order", "bastards-inc"])
def test_t19_the_time_of_an_absent_player_stops_and_goes_on_where_it_was(
    runtime: Runtime, games: Games, clock: Clock, people: list[Person], ruleset: str
) -> None:
    position = clocked(games, people, ruleset=ruleset)
    game, seat = position.game.id, min(position.awaited)
    person = people[seat]
    before = deadline_of(position, seat)
    announce_absence(games, person.id, AbsencePlan(TODAY + DAY), clock.pass_time(HOUR))
    carry_out(runtime, person, clock.now)
    clocks = now_at(games, game).clocks
    assert clocks and clocks.deadline(seat) is None
    clock.now = NOON + timedelta(hours=36)
    carry_out(runtime, person, clock.now)
    assert deadline_of(now_at(games, game), seat) == before + milliseconds(clock.now) - milliseconds(NOON + HOUR)
    facts = told(games, game, *FACTS)
    assert [each.event for each in facts] == [
        PlayerAway(seat=seat, until=milliseconds(NOON + timedelta(hours=36))),
        PlayerBack(seat=seat),
    ]
    assert {(each.seat, each.door, each.action) for each in facts} == {(seat, "worker", None)}


def test_t19_each_of_simultaneous_seats_has_its_own_absence(
    runtime: Runtime, games: Games, clock: Clock, people: list[Person]
) -> None:
    game = clocked(games, people).game.id
    for person in people[:2]:
        announce_absence(games, person.id, AbsencePlan(TODAY), clock.now)
        carry_out(runtime, person, clock.now)
    clocks = now_at(games, game).clocks
    assert clocks and [clocks.deadline(seat) is None for seat in range(3)] == [True, True, False]


def test_t18_it_holds_for_all_running_games_whose_terms_allow_it(
    runtime: Runtime, games: Games, clock: Clock, people: list[Person]
) -> None:
    strict = Pace(free=3600, bank=3600, credit=0, cap=3600, away=False)
    held = [clocked(games, people).game.id for _ in range(2)]
    others = [clocked(games, people, strict).game.id, started(games, "sealed-bids", people).game.id]
    waiting = opened(games, "sealed-bids", people)
    announce_absence(games, people[1].id, AbsencePlan(TODAY), clock.now)
    carry_out(runtime, people[1], clock.now)
    assert [len(told(games, game, *FACTS)) for game in (*held, *others)] == [1, 1, 0, 0]
    assert now_at(games, waiting).version == 0


def test_t19_a_player_who_is_away_when_a_game_begins_is_so_in_its_log(
    games: Games, clock: Clock, people: list[Person]
) -> None:
    announce_absence(games, people[2].id, AbsencePlan(TODAY + DAY), clock.now)
    position = clocked(games, people)
    assert position.clocks and position.clocks.deadline(2) is None and position.clocks.deadline(0) is not None
    assert now_at(games, position.game.id).version == position.version
    assert [each.event.seat for each in told(games, position.game.id, PlayerAway)] == [2]


def test_t19_a_seat_that_the_service_plays_has_no_absence(
    runtime: Runtime, games: Games, clock: Clock, people: list[Person]
) -> None:
    game = clocked(games, people).game.id
    resign(games, game, people[0].id, "api", clock.now)
    announce_absence(games, people[0].id, AbsencePlan(TODAY), clock.now)
    carry_out(runtime, people[0], clock.now)
    assert told(games, game, *FACTS) == []


def test_t18_ending_early_ends_it_in_the_logs_and_what_was_due_later_changes_nothing(
    runtime: Runtime, games: Games, clock: Clock, people: list[Person]
) -> None:
    game = clocked(games, people).game.id
    row = announce_absence(games, people[0].id, AbsencePlan(TODAY + 5 * DAY), clock.now).row
    carry_out(runtime, people[0], clock.now)
    end_absence(games, people[0].id, row.id, clock.pass_time(DAY))
    carry_out(runtime, people[0], clock.now)
    assert len(told(games, game, *FACTS)) == 2
    carry_out(runtime, people[0], clock.pass_time(10 * DAY))
    assert len(told(games, game, *FACTS)) == 2


def test_t18_an_absence_that_is_called_off_never_was(
    runtime: Runtime, games: Games, clock: Clock, people: list[Person]
) -> None:
    game = clocked(games, people).game.id
    row = announce_absence(games, people[0].id, AbsencePlan(TODAY + 5 * DAY, TODAY + 3 * DAY), clock.now).row
    end_absence(games, people[0].id, row.id, clock.pass_time(DAY))
    assert carry_out(runtime, people[0], clock.pass_time(10 * DAY)) == 3
    assert told(games, game, *FACTS) == []


def test_t19_a_worker_that_is_killed_between_two_games_leaves_the_second_to_the_next(
    runtime: Runtime, games: Games, clock: Clock, people: list[Person], monkeypatch: pytest.MonkeyPatch
) -> None:
    game_ids = sorted(clocked(games, people).game.id for _ in range(3))
    announce_absence(games, people[0].id, AbsencePlan(TODAY), clock.now)
    done = 0

    def killed(*args: object) -> None:
        nonlocal done
        if done:
            raise KeyboardInterrupt
        done += 1
        tell_absences(*args)  # type: ignore[arg-type] # passed on as they come

    with monkeypatch.context() as patched:
        patched.setattr(worker, "tell_absences", killed)
        with pytest.raises(KeyboardInterrupt):
            carry_out(runtime, people[0], clock.now)
    assert [len(told(games, game, *FACTS)) for game in game_ids] == [1, 0, 0]
    carry_out(runtime, people[0], clock.now)
    assert [len(told(games, game, *FACTS)) for game in game_ids] == [1, 1, 1]


def test_a_game_that_cannot_be_told_does_not_hold_up_the_others(
    runtime: Runtime, games: Games, clock: Clock, people: list[Person], monkeypatch: pytest.MonkeyPatch
) -> None:
    game_ids = sorted(clocked(games, people).game.id for _ in range(2))
    announce_absence(games, people[0].id, AbsencePlan(TODAY), clock.now)

    def fails(games: Games, game: object) -> None:
        if game == game_ids[0]:
            raise RuntimeError
        tell_absences(games, game)  # type: ignore[arg-type] # passed on as they come

    with monkeypatch.context() as patched:
        patched.setattr(worker, "tell_absences", fails)
        with pytest.raises(RuntimeError):
            carry_out(runtime, people[0], clock.now)
    assert [len(told(games, game, *FACTS)) for game in game_ids] == [0, 1]
    carry_out(runtime, people[0], clock.now)
    assert [len(told(games, game, *FACTS)) for game in game_ids] == [1, 1]


def test_t20_an_away_player_may_act_and_take_it_back_and_stays_away(
    runtime: Runtime, games: Games, clock: Clock, people: list[Person]
) -> None:
    position = clocked(games, people)
    announce_absence(games, people[0].id, AbsencePlan(TODAY + DAY), clock.now)
    played = act(games, position, 0, first_legal(position, 0)).position
    carry_out(runtime, people[0], clock.now)
    back = take_back(games, Wish(played.game.id, 0, position.decision, "api"), timedelta(minutes=10), clock.now)
    assert 0 in back.position.awaited
    assert back.position.clocks and 0 in back.position.clocks.away


def test_t20_the_others_see_who_is_away_until_when_with_a_clock_and_without(
    runtime: Runtime, games: Games, clock: Clock, people: list[Person]
) -> None:
    until = NOON + timedelta(hours=36)
    games_of_both = [clocked(games, people).game.id, started(games, "sealed-bids", people).game.id]
    announce_absence(games, people[1].id, AbsencePlan(TODAY + DAY), clock.now)
    carry_out(runtime, people[1], clock.now)
    with games.engine.connect() as db:
        seen = [
            [dict(away_until(db, games.open(db, game), seat, clock.now)) for seat in (0, None)]
            for game in games_of_both
        ]
    # Of a game with a clock the log tells everybody who may see it.
    assert seen == [[{1: until}, {1: until}], [{1: until}, {}]]
    carry_out(runtime, people[1], clock.pass_time(2 * DAY))
    with games.engine.connect() as db:
        assert [dict(away_until(db, games.open(db, game), 0, clock.now)) for game in games_of_both] == [{}] * 2


def test_t20_who_comes_back_from_lapses_by_acting_is_still_away_as_announced(runtime: Runtime, games: Games) -> None:
    people = [alice(games), bob(games)]
    position = paced(games, AT_ONCE, "new-corp-order", people, **{"first-player": 0})
    while position.clocks and 0 not in position.clocks.absent:
        others = position.awaited - {0}
        if others:
            position = act(games, position, 1, first_legal(position, 1)).position
        elif 0 in position.awaited:
            position = carried_out(runtime, position, seat=0)
        else:
            position = carried_out(runtime, position, "automaton")
    announce_absence(games, people[0].id, AbsencePlan(real.now().date() + 2 * DAY), real.now())
    carry_out(runtime, people[0], real.now())
    # An absent seat has no time that could stop.
    assert told(games, position.game.id, PlayerAway) == []
    back = return_from_absence(games, position.game.id, 0, people[0].id, "api")
    assert back.clocks and not back.clocks.absent and 0 in back.clocks.away


def test_t18_each_moment_is_a_row_of_the_outbox(runtime: Runtime, games: Games, people: list[Person]) -> None:
    announce_absence(games, people[0].id, AbsencePlan(TODAY + 5 * DAY, TODAY + 3 * DAY), NOON)
    query = text("select not_before from outbox where payload ->> 'player' = :player and kind = 'absence' order by 1")
    with runtime.engine.connect() as db:
        due = db.execute(query, {"player": str(people[0].id)}).scalars().all()
    midnight = NOON - timedelta(hours=12)
    assert due == [NOON, midnight + 3 * DAY, midnight + 6 * DAY]
    assert pace.MAX_ABSENCES_A_DAY == 5
    assert DAILY.away
