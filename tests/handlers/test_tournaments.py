"""Tournaments by hand of a host (docs/leagues.md)."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import Any
from uuid import UUID, uuid4

import pytest
from sqlalchemy import text

from service.handlers import delete_account, operators, tournaments
from service.handlers.people import block_player
from service.handlers.refusals import (
    BadOption,
    BotsMayNot,
    EntryOver,
    NotHost,
    OwnAccount,
    RoundNotReady,
    TooMany,
    UnknownRuleset,
    UnknownTournament,
)
from service.handlers.tournaments import MOST_HOSTED
from service.runtime import Runtime
from service.shared import clock
from service.shared.refusal import NotFound
from service.store.competition import Competition
from service.store.games import Games
from service.views import leagues as views
from service.views.pages import PageWanted
from tests.builders import now_at
from tests.challenged import bot_of, called
from tests.competing import OPERATOR, carried, crowd, lines, played, read, row_of, tournament_of, under_way


def started(runtime: Runtime, opened: Competition, after: int = 0) -> Competition:
    assert opened.host
    begun = tournaments.start_round(runtime.games, opened.id, opened.host, after, clock.now())
    carried(runtime, "pairing")
    return begun


def round_played(runtime: Runtime, opened: Competition) -> None:
    for game in under_way(runtime.games, opened.id):
        played(runtime.games, game)
    while carried(runtime, "counted", "pairing"):
        pass


def met(games: Games, opened: Competition) -> Counter[frozenset[UUID]]:
    query = text("select players from pairing where competition_id = :id")
    with games.engine.connect() as db:
        tables = list(db.execute(query, {"id": opened.id}).scalars())
    return Counter(frozenset(pair) for table in tables for pair in combinations(table, 2))


def test_l20_a_person_hosts_five_at_most_and_programs_none(games: Games) -> None:
    host, other = crowd(games, 2)
    for _ in range(MOST_HOSTED):
        opened = tournament_of(games, host)
    with pytest.raises(TooMany):
        tournament_of(games, host)
    tournaments.close(games, opened.id, host.id, clock.now())
    assert tournament_of(games, host).state == "entry"
    with pytest.raises(BotsMayNot):
        tournament_of(games, bot_of(games, other, "Robot"))
    with pytest.raises(BadOption):
        tournament_of(games, other, seats=1, ruleset="three-harbours")


def test_l20_an_option_has_to_fit_every_table_that_may_be_made(runtime: Runtime) -> None:
    games, people = runtime.games, crowd(runtime.games, 3)
    how: dict[str, Any] = {"ruleset": "new-corp-order", "seats": 4}
    # With three players of four there is no fourth seat, and with two who are left no third one.
    for seat in (2, 3):
        with pytest.raises(BadOption):
            tournament_of(games, people[0], options={"first-player": seat}, **how)
    opened = tournament_of(games, people[0], people, options={"first-player": 1}, **how)
    started(runtime, opened)
    (game,) = under_way(games, opened.id)
    assert now_at(games, game).game.options["first-player"] == 1


def test_a_tournament_whose_game_is_not_installed_any_more_does_not_begin(games: Games) -> None:
    host, other = crowd(games, 2)
    opened = tournament_of(games, host, [host, other])
    without = {name: each for name, each in games.rulesets.items() if name != opened.ruleset}
    with pytest.raises(UnknownRuleset):
        tournaments.start_round(Games(games.engine, without), opened.id, host.id, 0, clock.now())
    assert read(games, opened.id).state == "entry"


def test_l21_those_who_block_each_other_invite_in_vain_and_programs_have_no_handle_here(games: Games) -> None:
    host, guest, stranger = crowd(games, 3)
    opened, now = tournament_of(games, host, public=False), clock.now()
    robot, handle = bot_of(games, guest, "Robot"), f"host{uuid4().hex[:12]}"
    called(games, host, handle)
    with pytest.raises(NotFound):
        tournaments.invite(games, opened.id, host.id, robot.id, now)
    with pytest.raises(OwnAccount):
        tournaments.invite(games, opened.id, host.id, host.id, now)
    tournaments.invite(games, opened.id, host.id, guest.id, now)
    for blocked in (guest, stranger):
        block_player(games, blocked.id, handle, now)
        with pytest.raises(NotFound):
            tournaments.invite(games, opened.id, host.id, blocked.id, now)
    with games.engine.connect() as db:
        assert not views.tournaments_listed(db, guest.id, PageWanted(9), mine=True)
        assert not views.tournaments_listed(db, stranger.id, PageWanted(9), mine=True)
    assert not lines(games, opened.id)


def test_l21_one_by_invitation_does_not_exist_for_those_who_are_not_invited(games: Games) -> None:
    host, guest, stranger = crowd(games, 3)
    opened, now = tournament_of(games, host, public=False), clock.now()
    with pytest.raises(UnknownTournament):
        tournaments.enter(games, opened.id, row_of(games, stranger), now)
    with games.engine.connect() as db, pytest.raises(UnknownTournament):
        tournaments.known(db, opened.id, stranger.id)
    with pytest.raises(UnknownTournament):
        tournaments.invite(games, opened.id, stranger.id, guest.id, now)
    tournaments.invite(games, opened.id, host.id, guest.id, now)
    tournaments.invite(games, opened.id, host.id, guest.id, now)
    with pytest.raises(NotHost):
        tournaments.invite(games, opened.id, guest.id, stranger.id, now)
    tournaments.enter(games, opened.id, row_of(games, guest), now)
    assert [(line.player_id, line.state) for line in lines(games, opened.id)] == [(guest.id, "entered")]


def test_l22_who_leaves_is_in_no_later_round_and_keeps_the_points(runtime: Runtime) -> None:
    games, people = runtime.games, crowd(runtime.games, 4)
    opened = tournament_of(games, people[0], people, rounds=2)
    started(runtime, opened)
    tournaments.leave(games, opened.id, people[3].id)
    delete_account.delete_account(games, people[2].id, "api", clock.now())
    round_played(runtime, opened)
    table = {line.player_id: line for line in lines(games, opened.id)}
    assert sum(line.points for line in table.values()) == 24
    assert table[people[3].id].state == table[people[2].id].state == "withdrawn"
    (game,) = under_way(games, opened.id)
    assert {row.player_id for row in now_at(games, game).seats} == {people[0].id, people[1].id}


def test_l23_in_a_round_robin_of_five_each_pair_meets_once(runtime: Runtime) -> None:
    games, people = runtime.games, crowd(runtime.games, 5)
    opened = tournament_of(games, people[0], people, system="round-robin")
    assert started(runtime, opened).rounds == 5
    for _ in range(5):
        round_played(runtime, opened)
    assert read(games, opened.id).state == "over"
    assert met(games, opened) == Counter(frozenset(pair) for pair in combinations([person.id for person in people], 2))
    assert sum(line.points for line in lines(games, opened.id)) == 12 * (10 + 5)


def test_l24_l25_a_swiss_of_nine_has_as_many_rounds_as_halving_takes(runtime: Runtime) -> None:
    games, people = runtime.games, crowd(runtime.games, 9)
    opened = tournament_of(games, people[0], people)
    assert started(runtime, opened).rounds == 4
    assert sorted(line.points for line in lines(games, opened.id)) == [0] * 8 + [12]
    for _ in range(4):
        round_played(runtime, opened)
    assert read(games, opened.id).state == "over"
    assert set(met(games, opened).values()) == {1}


def test_l26_l27_the_host_begins_each_round_and_ends_between_two(runtime: Runtime) -> None:
    games, people = runtime.games, crowd(runtime.games, 4)
    host, now = people[0].id, clock.now()
    opened = tournament_of(games, people[0], people, by_itself=False, rounds=3)
    with pytest.raises(NotHost):
        tournaments.start_round(games, opened.id, people[1].id, 0, now)
    assert started(runtime, opened).round == 1
    with pytest.raises(EntryOver):
        tournaments.enter(games, opened.id, row_of(games, people[1]), now)
    # Pressed twice, it begins once.
    assert started(runtime, opened).round == 1
    for act in (lambda: started(runtime, opened, 1), lambda: tournaments.close(games, opened.id, host, now)):
        with pytest.raises(RoundNotReady) as refused:
            act()
        assert refused.value.case == "games"
    round_played(runtime, opened)
    assert not under_way(games, opened.id) and read(games, opened.id).round == 1
    assert started(runtime, opened, 1).round == 2
    round_played(runtime, opened)
    assert tournaments.close(games, opened.id, host, now).state == "over"
    assert tournaments.close(games, opened.id, host, now).state == "over"
    with pytest.raises(RoundNotReady):
        started(runtime, opened, 2)


def test_l26_a_tournament_needs_players_for_a_table(runtime: Runtime) -> None:
    games, people = runtime.games, crowd(runtime.games, 1)
    opened = tournament_of(games, people[0], people)
    with pytest.raises(RoundNotReady) as refused:
        started(runtime, opened)
    assert refused.value.case == "entrants"


@pytest.mark.parametrize("gone", ["closed", "blocked"])
def test_l28_without_its_host_a_tournament_goes_on_by_itself_or_is_called_off(runtime: Runtime, gone: str) -> None:
    games, people = runtime.games, crowd(runtime.games, 5)
    host = people[4]
    waiting, running = tournament_of(games, host), tournament_of(games, host, people[:4], by_itself=False, rounds=2)
    started(runtime, running)
    round_played(runtime, running)
    if gone == "closed":
        delete_account.delete_account(games, host.id, "api", clock.now())
    else:
        operators.block_account(games, host.id, OPERATOR, clock.now())
    assert read(games, waiting.id).state == "cancelled"
    carried(runtime, "next-round", times=2)
    carried(runtime, "pairing")
    assert read(games, running.id).round == 2 and len(under_way(games, running.id)) == 2
    round_played(runtime, running)
    assert read(games, running.id).state == "over"


def test_l24_tables_of_four_are_smaller_where_players_are_missing(runtime: Runtime) -> None:
    games, people = runtime.games, crowd(runtime.games, 7)
    opened = tournament_of(games, people[0], people, seats=4, rounds=1)
    started(runtime, opened)
    sizes = [now_at(games, game).game.seats for game in under_way(games, opened.id)]
    assert sizes == [4, 3]
