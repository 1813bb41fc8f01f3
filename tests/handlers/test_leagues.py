"""Leagues: seasons begin, go from round to round and end by themselves (docs/leagues.md)."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from time import monotonic
from uuid import UUID

import pytest
from freezegun import freeze_time
from sqlalchemy import text

from service.competition.leagues import groups_of
from service.handlers import delete_account, leagues, play, rounds
from service.handlers.leagues import LeagueEntry, LeagueExists
from service.handlers.people import BySeat, block_player
from service.handlers.refusals import BadOption, BotsMayNot, EntryOver, UnknownLeague, UnknownRuleset, UnknownSubject
from service.log.recorded import milliseconds
from service.runtime import Runtime
from service.shared import clock
from service.store import operation
from service.store.games import Games
from service.views.leagues import groups
from tests.builders import now_at, started
from tests.challenged import bot_of
from tests.competing import (
    OPERATOR,
    carried,
    crowd,
    enter,
    league_of,
    lines,
    newest,
    played,
    read,
    row_of,
    under_way,
)
from workers.hourly_jobs import count_games

WEEK = timedelta(days=7)


def mails(games: Games, kind: str, competition: UUID) -> int:
    query = "select count(*) from outbox where kind = :kind and payload ->> 'competition' = :id"
    with games.engine.connect() as db:
        return int(db.execute(text(query), {"kind": kind, "id": str(competition)}).scalar_one())


def test_l01_a_league_is_of_a_ruleset_for_three_and_four_and_its_name_is_its_own(games: Games) -> None:
    league, season = league_of(games)
    assert (season.number, season.state, season.entry_until) == (1, "entry", season.entry_until)
    with pytest.raises(LeagueExists):
        leagues.open_league(games, league, OPERATOR, clock.now())
    with pytest.raises(UnknownRuleset):
        league_of(games, ruleset="chess")
    with pytest.raises(BadOption):
        league_of(games, options={"no-such": True})


def test_l02_l17_a_season_begins_when_entry_ends_and_the_next_one_opens_when_it_is_over(runtime: Runtime) -> None:
    games, people = runtime.games, crowd(runtime.games, 4)
    league, season = league_of(games, people, rounds=2)
    carried(runtime, "season")
    assert read(games, season.id).state == "entry"
    with freeze_time(clock.now() + WEEK, tick=True):
        with pytest.raises(EntryOver):
            enter(games, league, people[0])
        carried(runtime, "season")
        assert read(games, season.id).state == "running"
        carried(runtime)
        (first,) = under_way(games, season.id)
        position = now_at(games, first)
        assert [row.player_id for row in position.seats] == [person.id for person in people]
        terms = position.game.terms
        assert (terms.access, terms.pace, terms.on_resignation) == ("public", league.pace, "play-on")
        assert terms.rated
        played(games, first)
        while carried(runtime, "counted", "pairing"):
            pass
        (second,) = under_way(games, season.id)
        assert [row.player_id for row in now_at(games, second).seats] == [people[at].id for at in (1, 2, 3, 0)]
        played(games, second)
        carried(runtime, "counted")
        assert read(games, season.id).state == "over"
        following = newest(games, league)
        assert (following.number, following.state) == (2, "entry")
        assert following.entry_until and WEEK - timedelta(hours=1) < following.entry_until - clock.now() <= WEEK
        assert mails(games, "competition-begun", season.id) == mails(games, "competition-over", season.id) == 4


def test_l03_with_fewer_than_three_entry_goes_on(runtime: Runtime) -> None:
    games = runtime.games
    _, season = league_of(games, crowd(games, 2))
    for week in (1, 2):
        with freeze_time(clock.now() + week * WEEK, tick=True):
            carried(runtime, "season")
            longer = read(games, season.id)
            assert longer.state == "entry" and longer.entry_until and longer.entry_until > clock.now()


def test_l04_people_enter_and_leave_until_it_begins_and_programs_do_not(games: Games) -> None:
    alice, bob = crowd(games, 2)
    league, season = league_of(games, [alice, alice, bob])
    leagues.leave(games, LeagueEntry(league.slug, row_of(games, bob)), clock.now())
    leagues.leave(games, LeagueEntry(league.slug, row_of(games, bob)), clock.now())
    assert [line.player_id for line in lines(games, season.id)] == [alice.id]
    with pytest.raises(BotsMayNot):
        enter(games, league, bot_of(games, alice, "Robot"))
    with pytest.raises(UnknownLeague):
        leagues.enter(games, LeagueEntry("no-such", row_of(games, alice)), clock.now())


def test_l06_of_five_the_last_is_left_out(runtime: Runtime) -> None:
    games, people = runtime.games, crowd(runtime.games, 5)
    _, season = league_of(games, people)
    begun(runtime)
    states = {line.player_id: line.state for line in lines(games, season.id)}
    assert [states[person.id] for person in people] == ["entered"] * 4 + ["left-out"]


def test_l07_who_blocks_whom_comes_into_two_groups_and_where_there_is_one_they_play(runtime: Runtime) -> None:
    games, people = runtime.games, crowd(runtime.games, 12)
    lower, (one_side, *_, other_side) = people[4:], people[4:8]
    block_player(games, one_side.id, BySeat(started(games, "sealed-bids", people[4:8]).game.id, 3), clock.now())
    _, one = league_of(games, people[4:8])
    _, several = league_of(games, people)
    begun(runtime)
    (game,) = under_way(games, one.id)
    assert now_at(games, game).game.status == "running"
    group = {line.player_id: line.group_number for line in lines(games, several.id)}
    assert group[one_side.id] != group[other_side.id]
    plain = groups_of([person.id for person in lower])
    assert any({one_side.id, other_side.id} <= set(each) for each in plain), "without the block they are in one"


def begun(runtime: Runtime) -> None:
    with freeze_time(clock.now() + WEEK, tick=True):
        carried(runtime, "season")
        carried(runtime, "pairing")


def test_l10_l11_who_resigns_gets_nothing_and_is_in_the_next_round_again(runtime: Runtime) -> None:
    games, people = runtime.games, crowd(runtime.games, 4)
    _, season = league_of(games, people, rounds=2)
    begun(runtime)
    (game,) = under_way(games, season.id)
    play.resign(games, game, people[0].id, "api", clock.now())
    played(games, game)
    while carried(runtime, "counted", "pairing", "automaton"):
        if now_at(games, game).game.status == "running":
            played(games, game)
    table = lines(games, season.id)
    assert table[-1].player_id == people[0].id and table[-1].points == 0
    assert sum(line.points for line in table) == 24
    (second,) = under_way(games, season.id)
    assert people[0].id in {row.player_id for row in now_at(games, second).seats}


def test_l12_the_others_play_without_those_who_are_gone(runtime: Runtime) -> None:
    games, people = runtime.games, crowd(runtime.games, 8)
    _, season = league_of(games, people)
    with freeze_time(clock.now() + WEEK, tick=True):
        carried(runtime, "season")
    first = [line.player_id for line in lines(games, season.id) if line.group_number == 1]
    second = [line.player_id for line in lines(games, season.id) if line.group_number == 2]
    delete_account.delete_account(games, first[0], "api", clock.now())
    delete_account.delete_account(games, second[0], "api", clock.now())
    with games.engine.begin() as db:
        operation.block_player(db, second[1], "Spam.")
    carried(runtime, "pairing")
    (game,) = under_way(games, season.id)
    assert [row.player_id for row in now_at(games, game).seats] == first[1:]
    points = {line.player_id: line.points for line in lines(games, season.id)}
    # Sealed bids is for three and more: two are too few.
    assert [points[player] for player in second] == [0, 0, 6, 6]


def test_a_game_of_which_nobody_was_told_that_it_is_over_counts_within_the_hour(runtime: Runtime) -> None:
    games = runtime.games
    _, season = league_of(games, crowd(games, 4))
    begun(runtime)
    (game,) = under_way(games, season.id)
    played(games, game)
    with games.engine.begin() as db:
        db.execute(text("delete from outbox where kind = 'counted' and game_id = :game"), {"game": game})
    carried(runtime, "counted")
    assert read(games, season.id).state == "running"
    count_games(games.engine)
    count_games(games.engine)
    carried(runtime, "counted")
    assert read(games, season.id).state == "over"


def test_l15_l16_who_sits_a_season_out_is_reminded_and_loses_the_place(runtime: Runtime) -> None:
    games, people = runtime.games, crowd(runtime.games, 4)
    league, season = league_of(games, people)
    begun(runtime)
    (game,) = under_way(games, season.id)
    played(games, game)
    carried(runtime, "counted")
    ladder = sorted(lines(games, season.id), key=lambda line: line.ladder)
    by_id = {person.id: person for person in people}
    for line in (ladder[3], ladder[2], ladder[1]):
        enter(games, league, by_id[line.player_id])
    carried(runtime, "entry-closing")
    assert mails(games, "entry-reminder", newest(games, league).id) == 1
    begun(runtime)
    following = sorted(lines(games, newest(games, league).id), key=lambda line: line.rank)
    assert [line.player_id for line in following] == [line.player_id for line in ladder[1:]]


def test_l18_a_closed_league_plays_its_season_to_the_end_and_has_no_other(runtime: Runtime) -> None:
    games = runtime.games
    league, season = league_of(games, crowd(games, 4))
    begun(runtime)
    leagues.close_league(games, league.slug, OPERATOR, clock.now())
    with pytest.raises(UnknownSubject):
        leagues.close_league(games, league.slug, OPERATOR, clock.now())
    (game,) = under_way(games, season.id)
    played(games, game)
    carried(runtime, "counted")
    assert (read(games, season.id).state, newest(games, league).id) == ("over", season.id)
    other, entry = league_of(games)
    leagues.close_league(games, other.slug, OPERATOR, clock.now())
    assert read(games, entry.id).state == "cancelled"


def until_somebody_waits(games: Games) -> None:
    """Return when a transaction waits for another one at a row of a competition or an entrant."""
    waiting = text(
        "select from pg_stat_activity where wait_event_type = 'Lock' and query ~ 'competition'"
        " and datname = current_database()"
    )
    deadline = monotonic() + 60
    with games.engine.connect() as watch:
        while watch.execute(waiting).first() is None:
            assert monotonic() < deadline, "nobody waits"
            watch.rollback()


def test_l18_a_season_that_opens_while_the_league_is_being_closed_is_cancelled(runtime: Runtime) -> None:
    games = runtime.games
    league, season = league_of(games, crowd(games, 4))
    begun(runtime)
    (game,) = under_way(games, season.id)
    played(games, game)
    with ThreadPoolExecutor(1) as threads:
        # given the last game is being counted, which opens the next season
        with games.engine.begin() as db:
            rounds.count_game(db, games, game, clock.now())
            # when the league is closed before that is there for others
            closing = threads.submit(leagues.close_league, games, league.slug, OPERATOR, clock.now())
            until_somebody_waits(games)
        closing.result()
    # then
    assert (newest(games, league).number, newest(games, league).state) == (2, "cancelled")


def test_with_an_account_its_entry_into_a_season_that_has_not_begun_is_gone(games: Games) -> None:
    (person,) = crowd(games, 1)
    _, season = league_of(games, [person])
    delete_account.delete_account(games, person.id, "api", clock.now())
    assert not lines(games, season.id)


def test_l12_who_goes_while_the_season_begins_stays_in_the_table_of_the_group(games: Games) -> None:
    _, season = league_of(games, people := crowd(games, 4))
    assert season.entry_until
    with ThreadPoolExecutor(1) as threads:
        with games.engine.begin() as db:
            leagues.begin_season(db, games, season.id, milliseconds(season.entry_until), clock.now())
            going = threads.submit(delete_account.delete_account, games, people[0].id, "api", clock.now())
            until_somebody_waits(games)
        assert going.result()
    with games.engine.connect() as db:
        (group,) = groups(db, season.id, [1], "en")
    assert sorted(line["state"] for line in group["table"]) == ["entered"] * 3 + ["withdrawn"]
    assert len(group["games"][0]["players"]) == 4
