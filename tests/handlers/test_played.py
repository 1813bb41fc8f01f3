"""Results of finished games for their players, and the figures of a profile that follow from them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from freezegun import freeze_time
from sqlalchemy import text

from service.handlers import delete_account
from service.handlers.results import is_kept_otherwise, keep_all, keep_played, known_places
from service.log.ids import new_id
from service.shared import clock
from service.store import operation
from service.store.games import Games, Position
from service.views.people import BOUND, profile_by_handle
from tests.builders import act, finished, first_legal, now_at, started
from tests.challenged import called
from tests.leaving import PRIVATE, leave, left, played_out, running, taken_over
from tests.people import Person, alice, bob, carol, register

_ROWS = text("select * from played_game where game_id = :game order by player_id")


def kept(games: Games, over: Position) -> dict[Any, Any]:
    """Keep what a game counts; return the rows by player."""
    with games.engine.begin() as db:
        keep_played(db, games, over.game.id)
        return {row.player_id: row for row in db.execute(_ROWS, {"game": over.game.id})}


def test_places_follow_from_scores_and_are_open_without_them() -> None:
    assert known_places({"winners": [1], "scores": [3, 9, 5]}, 3) == {1: 1, 2: 2, 0: 3}
    assert known_places({"winners": [0, 2], "scores": [7, 1, 7]}, 3) == {0: 1, 2: 1, 1: 3}
    assert known_places({"winners": [0], "scores": None, "reason": "resignation"}, 2) == {0: 1}
    assert known_places({"winners": [], "scores": None, "reason": "time"}, 2) == {}
    assert known_places({"winners": [1], "scores": [4], "reason": "goal"}, 1) == {0: 2}, "the automaton has won"


def test_a_game_counts_places_points_moves_and_the_time_to_each_answer(games: Games) -> None:
    # given a game in which Alice answers after a minute, Bob and Carol after an hour
    people = [alice(games), bob(games), carol(games)]
    at = datetime(2027, 3, 1, 12, tzinfo=UTC)
    with freeze_time(at):
        position = started(games, "sealed-bids", people)
    while position.to_act:
        seat, asked = min(position.to_act), at
        with freeze_time(asked + (timedelta(hours=1) if seat else timedelta(minutes=1))):
            position = act(games, position, seat, first_legal(position, seat)).position
            at = clock.now()
    # when it is counted
    rows = kept(games, position)
    # then
    outcome = position.outcome
    assert outcome and outcome["scores"] is not None
    for seat, person in enumerate(people):
        row = rows[person.id]
        assert row.points == outcome["scores"][seat]
        assert row.won == (seat in outcome["winners"]) == (row.place == 1)
        assert (row.people, row.seats, row.asked, row.lapsed, row.left) == (3, 3, 0, 0, False)
        assert row.moves == len(row.waits) > 0
    assert rows[people[0].id].waits[0] == 60
    assert rows[people[1].id].waits[0] == 3660


def test_who_leaves_a_seat_has_no_place_and_the_substitute_answers_for_the_rest(games: Games) -> None:
    position, people, third = left(games)
    taken_over(games, position, 1, third)
    over = played_out(games, position.game.id)
    rows = kept(games, over)
    gone, stayed = rows[people[1].id], rows[third.id]
    assert (gone.left, gone.place, gone.points, gone.won) == (True, None, None, False)
    assert not stayed.left and stayed.place is not None and stayed.moves > 0
    assert gone.moves == 0


def test_what_was_before_a_substitute_is_nobodys_when_the_one_who_left_has_no_account_any_more(games: Games) -> None:
    people, third = [alice(games), bob(games), register(games, "Dan", None, "en")], carol(games)
    position = running(games, "sealed-bids", people, PRIVATE)
    act(games, position, 1, first_legal(position, 1))
    position = leave(games, now_at(games, position.game.id), 1)
    taken_over(games, position, 1, third)
    over = played_out(games, position.game.id)
    rows = kept(games, over)
    assert rows[people[1].id].moves == 1
    delete_account.delete_account(games, people[1].id, "api", clock.now())
    with games.engine.connect() as db:
        assert not is_kept_otherwise(db, games, over.game.id)
    assert kept(games, over) == {player: row for player, row in rows.items() if player != people[1].id}


def test_a_rebuild_gives_the_same_and_leaves_out_who_is_gone(games: Games) -> None:
    people = [alice(games), bob(games), carol(games)]
    over = finished(games, started(games, "sealed-bids", people))
    before = kept(games, over)
    delete_account.delete_account(games, people[1].id, "api", clock.now())
    with games.engine.begin() as db:
        db.execute(
            text("delete from played_game where game_id = :game and player_id = :player"),
            {"game": over.game.id, "player": people[0].id},
        )
    assert keep_all(games) > 0
    with games.engine.connect() as db:
        after = {row.player_id: row for row in db.execute(_ROWS, {"game": over.game.id})}
    assert after == {player: row for player, row in before.items() if player != people[1].id}


def test_the_figures_of_a_profile_are_those_of_its_games(games: Games) -> None:
    people = [called(games, alice(games), "figures-of-alice"), bob(games), carol(games)]
    over = finished(games, started(games, "sealed-bids", people))
    rows = kept(games, over)
    with games.engine.connect() as db:
        shown = profile_by_handle(db, games.rulesets, people[1].id, "figures-of-alice", "en")
    own = rows[people[0].id]
    assert shown["results"] == [
        {
            "ruleset": "sealed-bids",
            "seats": 3,
            "computers": False,
            "games": 1,
            "won": int(own.won),
            "points": float(own.points),
            "best": own.points,
        }
    ]
    assert (shown["answers"]["games"], shown["answers"]["deadlines"], shown["answers"]["kept"]) == (1, 0, 0)
    (last,) = shown["last"]
    assert (last["game"], last["place"]) == (str(over.game.id), own.place)
    assert [each["name"] for each in last["others"]] == ["Bob", "Carol"]


@pytest.mark.parametrize("ruleset", ["new-corp-order", "bastards-inc", "sealed-bids"])
def test_a_profile_adds_points_up_by_where_they_come_from_and_tells_all_scores(games: Games, ruleset: str) -> None:
    # given a game that all three play to its end
    hers = f"sources-{new_id().hex[-12:]}"
    people = [called(games, alice(games), hers), bob(games), carol(games)]
    over = finished(games, started(games, ruleset, people))
    assert over.outcome and over.outcome["scores"] is not None
    scores = list(over.outcome["scores"])
    # when it is counted
    rows = kept(games, over)
    # then each player's points come from the sources that the game tells, and from nothing else
    told = {part.symbol for part in over.ruleset.contributions.sources("en")}
    for seat, person in enumerate(people):
        assert set(rows[person.id].sources) <= told
        assert not told or sum(rows[person.id].sources.values()) == scores[seat]
    # and the profile tells them in the words of the game, with the scores of all
    with games.engine.connect() as db:
        shown = profile_by_handle(db, games.rulesets, people[1].id, hers, "de")
    labels = {part.symbol: part.label for part in over.ruleset.contributions.sources("de")}
    assert {each["label"]: each["points"] for each in shown["sources"]} == {
        labels[source]: points for source, points in rows[people[0].id].sources.items()
    }
    assert shown["last"][0]["scores"] == scores


def test_scores_begin_with_the_players_and_are_told_where_the_table_may_be_seen(games: Games) -> None:
    hers = f"scores-{new_id().hex[-12:]}"
    people = [bob(games), called(games, alice(games), hers), carol(games)]
    over = finished(games, started(games, "sealed-bids", people))
    assert over.outcome and over.outcome["scores"]
    first, own, third = over.outcome["scores"]
    kept(games, over)
    with games.engine.begin() as db:
        stranger = alice(games).id
        (last,) = profile_by_handle(db, games.rulesets, stranger, hers, "en")["last"]
        assert last["scores"] == [own, first, third]
        db.execute(text("update game set access = 'invitation' where id = :id"), {"id": over.game.id})
        (last,) = profile_by_handle(db, games.rulesets, stranger, hers, "en")["last"]
        assert (last["scores"], last["points"]) == (None, own)
        db.rollback()


def test_what_an_older_version_has_kept_is_no_fault_and_a_rebuild_completes_it(games: Games) -> None:
    over = finished(games, started(games, "bastards-inc", [alice(games), bob(games)]))
    rows = kept(games, over)
    old = text("update played_game set scores = null, sources = null where game_id = :game")
    with games.engine.begin() as db:
        db.execute(old, {"game": over.game.id})
        assert not is_kept_otherwise(db, games, over.game.id)
        db.execute(text("update played_game set moves = moves + 1 where game_id = :game"), {"game": over.game.id})
        assert is_kept_otherwise(db, games, over.game.id)
    assert kept(games, over) == rows


def test_a_profile_leads_to_no_opponent_whose_profile_is_not_there(games: Games) -> None:
    hers, his = (f"{name}-{new_id().hex[-12:]}" for name in ("alice", "bob"))
    people = [called(games, alice(games), hers), called(games, bob(games), his), carol(games)]
    kept(games, finished(games, started(games, "sealed-bids", people)))
    handles = []
    for reason in (None, "Spam."):
        with games.engine.begin() as db:
            operation.block_player(db, people[1].id, reason)
            (last,) = profile_by_handle(db, games.rulesets, people[1].id, hers, "en")["last"]
        handles.append([each["handle"] for each in last["others"]])
    assert handles == [[his, None], [None, None]]


@pytest.mark.parametrize("reader", ["stranger", "opponent"])
def test_of_a_private_table_strangers_learn_neither_which_it_is_nor_with_whom(games: Games, reader: str) -> None:
    people = [called(games, alice(games), f"private-{reader}"), bob(games), carol(games)]
    over = finished(games, started(games, "sealed-bids", people))
    with games.engine.begin() as db:
        db.execute(text("update game set access = 'invitation', name = 'Hush' where id = :id"), {"id": over.game.id})
    kept(games, over)
    viewer = {"stranger": alice(games), "opponent": people[1]}[reader]
    with games.engine.connect() as db:
        (last,) = profile_by_handle(db, games.rulesets, viewer.id, f"private-{reader}", "en")["last"]
    told = {"stranger": (None, None, 0), "opponent": (str(over.game.id), "Hush", 2)}[reader]
    assert (last["game"], last["name"], len(last["others"])) == told


def test_a_profile_looks_at_no_more_than_the_last_two_hundred_games(games: Games) -> None:
    person: Person = called(games, alice(games), "many-games")
    over = finished(games, started(games, "sealed-bids", [person, bob(games), carol(games)]))
    copies = [new_id() for _ in range(BOUND + 5)]
    with games.engine.begin() as db:
        keep_played(db, games, over.game.id)
        db.execute(
            text("""
insert into game (id, ruleset, status, seats, options, host, commitment, created_at)
select unnest(cast(:ids as uuid[])), ruleset, 'cancelled', seats, options, host, commitment, created_at
  from game where id = :game
"""),
            {"ids": copies, "game": over.game.id},
        )
        db.execute(
            text("""
insert into played_game select id, player_id, ruleset, seats, people, began_at, ended_at, place, won, "left", points,
  moves, asked, lapsed, waits from played_game, unnest(cast(:ids as uuid[])) as id where game_id = :game
"""),
            {"ids": copies, "game": over.game.id},
        )
        shown = profile_by_handle(db, games.rulesets, person.id, "many-games", "en")
        assert (shown["answers"]["games"], len(shown["last"])) == (BOUND, 10)
        db.rollback()
    assert now_at(games, over.game.id).game.status == "finished"
