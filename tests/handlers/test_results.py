"""Results of rated games: written once, in one order, and counted as docs/ratings.md says (p05 is ruling P-05)."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta

import pytest
from flask import Flask
from freezegun import freeze_time
from sqlalchemy import text
from sqlalchemy.exc import ProgrammingError

from schemas.lobby import NewFork
from service.competition.ratings import MAX_DOUBTFUL_POINTS, MAX_GAMES_OF_PAIR, NEWCOMER, UNRATED, places
from service.handlers import delete_account, lobby
from service.handlers.lobby import Plan, terms_of
from service.handlers.people import Arrival, newly_met
from service.handlers.refusals import BadOption
from service.handlers.results import doubted, rebuild, record_result, turns_left
from service.handlers.sessions import new_mark, note_mark
from service.handlers.substitutes import Substitute, take_over
from service.runtime import Runtime
from service.shared import clock
from service.store import events
from service.store.game_row import Terms
from service.store.games import Games
from service.store.results import Category
from tests.archiving import archive, archiving, forgetful, hot, seal
from tests.browsing import browser
from tests.builders import now_at
from tests.challenged import bot_of
from tests.lapsing import AT_ONCE, HOURLY, carried_out, stood_in
from tests.lapsing import begun as begun_ago
from tests.people import Person, guest, register
from tests.rated import (
    RULESET,
    TERMS,
    TO_THE_END,
    at_turn,
    begun,
    given_up,
    people,
    rated,
    rating_of,
    won_by_resignation,
)
from tests.rest import Caller

__all__ = ["archiving"]


@pytest.fixture
def two(games: Games) -> list[Person]:
    return people(games, 2)


def test_a_rated_game_that_is_over_is_one_result_and_changes_the_ratings_of_both(
    runtime: Runtime, two: list[Person]
) -> None:
    games = runtime.games
    over = at_turn(games, begun(games, two), TO_THE_END)
    assert rated(runtime, over.game.id) is None
    kept = [rating_of(games, person) for person in two]
    with runtime.engine.begin() as db:
        record_result(db, games, over.game.id)
    assert [rating_of(games, person) for person in two] == kept
    alices, bobs = kept
    assert over.outcome and alices and bobs and alices.games == bobs.games == 1
    assert alices.skill.sigma < NEWCOMER.sigma > bobs.skill.sigma
    # The deal decides who wins, and both can.
    gains = {(0,): (1, -1), (1,): (-1, 1), (0, 1): (0, 0)}[tuple(over.outcome["winners"])]
    assert tuple((mu > NEWCOMER.mu) - (mu < NEWCOMER.mu) for mu in (alices.skill.mu, bobs.skill.mu)) == gains


def test_p01_tables_among_people_with_a_clock_may_be_rated_and_no_others(games: Games, two: list[Person]) -> None:
    def opened(seats: int, terms: Terms, computers: tuple[str, ...] = ()) -> bool:
        plan = Plan("new-corp-order", seats, terms=terms, computers=computers)  # type: ignore[arg-type] # levels are words
        return lobby.create(games, two[0].id, plan, clock.now()).game.terms.rated

    assert opened(2, TERMS)
    with pytest.raises(BadOption):
        opened(2, replace(TERMS, pace=None))
    with pytest.raises(BadOption):
        opened(1, replace(TERMS, access="invitation", pace=None))
    with pytest.raises(BadOption):
        opened(3, TERMS, ("easy",))
    with pytest.raises(BadOption):
        opened(2, replace(TERMS, training=True))


def test_p22_a_table_with_house_rules_is_not_rated_and_says_so_everywhere(
    app: Flask, games: Games, two: list[Person]
) -> None:
    plan = Plan(RULESET, 2, options={"deluxe": True}, terms=TERMS)
    position = lobby.create(games, two[0].id, plan, clock.now())
    assert not position.game.terms.rated
    lobby.join(games, position.game.id, two[1].id, clock.now())
    web, path = browser(app, games, two[0]), f"/games/{position.game.id}"
    titled = "New Corp Order (house rules: Deluxe)"
    for page in (path, f"{path}/replay", f"{path}/proof", "/games"):
        assert titled in web.get(page, follow_redirects=True).text, page
    assert Caller(app.test_client(), two[0].token).get(f"/games/{position.game.id}/listing").text.startswith(titled)


def test_p01_a_table_at_which_a_computer_player_sits_down_is_rated_no_more(games: Games, two: list[Person]) -> None:
    table = lobby.create(games, two[0].id, Plan("new-corp-order", 3, terms=TERMS), clock.now())
    with games.engine.begin() as db:
        lobby.seat_computer(db, games, games.lock(db, table.game.id), "easy", clock.now())
    assert not now_at(games, table.game.id).game.terms.rated


def test_p02_forks_are_never_rated() -> None:
    assert not terms_of({"start": "full"}, 2).rated and not NewFork().validate({"seq": 1})
    assert "rated" in NewFork().validate({"seq": 1, "rated": True})


def test_p03_a_table_at_which_a_program_sits_down_is_rated_no_more(games: Games, two: list[Person]) -> None:
    bot = bot_of(games, two[1], "Rob")
    assert not begun(games, [two[0], bot]).game.terms.rated
    assert not begun(games, [bot, two[0]]).game.terms.rated


def test_p04_guests_are_not_rated(runtime: Runtime, two: list[Person]) -> None:
    stranger = guest(runtime.games, "nobody.has.confirmed@example.org")
    assert rated(runtime, won_by_resignation(runtime.games, two[0], stranger)) == "unconfirmed"


def test_p08_who_resigned_is_last_whatever_the_stand_in_made_of_the_seat(runtime: Runtime) -> None:
    games, three = runtime.games, people(runtime.games, 3)
    position = given_up(games, at_turn(games, begun(games, three), 5), three[0])
    over = given_up(games, position, three[1])
    assert rated(runtime, over.game.id) is None
    found = text("select place from result_seat join result using (number) where game_id = :game order by seat")
    with runtime.engine.connect() as db:
        assert list(db.execute(found, {"game": over.game.id}).scalars()) == [2, 2, 1]


def test_p08_who_is_absent_at_the_end_has_left_in_the_turn_of_the_last_lapse(runtime: Runtime, games: Games) -> None:
    position = begun_ago(games, timedelta(hours=9), AT_ONCE)
    for _ in range(3):
        position = stood_in(runtime, position)
    assert position.clocks and position.clocks.absent
    with games.engine.connect() as db:
        left = turns_left(position, events.read(db, position.codec, position.game.id))
    assert left.keys() == set(position.clocks.absent) and max(left.values()) <= position.ruleset.turn(position.state)


def test_p08_who_ends_a_game_by_a_lapse_is_last_and_the_others_tie(runtime: Runtime, games: Games) -> None:
    position = begun_ago(games, timedelta(hours=3), replace(HOURLY, on_lapse="end"))
    over = carried_out(runtime, position, seat=0)
    assert over.outcome
    with games.engine.connect() as db:
        left = turns_left(over, events.read(db, over.codec, over.game.id))
    assert left.keys() == {0} and places(3, over.outcome, left) == (3, 1, 1)


def test_p09_a_substitute_is_not_rated_and_who_was_replaced_is_last(runtime: Runtime) -> None:
    games, (dora, *three) = runtime.games, [register(runtime.games, "Dora", None, "en"), *people(runtime.games, 3)]
    position = given_up(games, at_turn(games, begun(games, three), 5), three[0])
    with games.engine.begin() as db:
        take_over(db, games, games.lock(db, position.game.id), Substitute(dora.id, 0, "api"), clock.now())
    for person in (dora, three[1]):
        position = given_up(games, now_at(games, position.game.id), person)
    assert rated(runtime, position.game.id) is None
    ratings = [rating_of(games, person, Category(RULESET, 3)) for person in (dora, *three)]
    assert ratings[0] is None and ratings[1] == ratings[2] and ratings[3]
    assert ratings[1] and ratings[3].skill.mu > NEWCOMER.mu > ratings[1].skill.mu


def test_p15_results_that_are_written_at_once_change_ratings_one_after_the_other(runtime: Runtime) -> None:
    games, three = runtime.games, people(runtime.games, 3)
    over = [won_by_resignation(games, *pair) for pair in (three[:2], three[1:], three[::2])]
    # Other tests write ratings that follow from no result.
    rebuild(games)
    with ThreadPoolExecutor(3) as threads:
        assert list(threads.map(lambda game: rated(runtime, game), over)) == [None] * 3
    assert rebuild(games).mended == 0
    assert [rating.games for person in three if (rating := rating_of(games, person))] == [2, 2, 2]


def test_p18_a_result_can_be_written_after_the_log_has_moved_into_the_archive(archiving: Runtime) -> None:
    two = people(archiving.games, 2)
    game = seal(archiving, won_by_resignation(archiving.games, *two))
    archive(archiving)
    assert hot(archiving, game) == (0, True)
    assert rated(forgetful(archiving), game) is None


def test_p15_p17_a_rebuild_follows_the_log_alone_also_after_an_account_was_deleted(
    runtime: Runtime, two: list[Person]
) -> None:
    games = runtime.games
    for winner, loser in (two, two[::-1]):
        assert rated(runtime, won_by_resignation(games, winner, loser)) is None
    kept = [rating_of(games, person) for person in two]
    delete_account.delete_account(games, two[1].id, "api", clock.now())
    rebuild(games)
    assert rebuild(games).mended == 0
    with runtime.engine.begin() as db:
        db.execute(text("update rating set mu = mu + 1 where player_id = :id"), {"id": two[0].id})
        db.execute(text("delete from rating_step where player_id = :id"), {"id": two[1].id})
    assert rebuild(games).mended == 3
    assert [rating_of(games, person) for person in two] == kept
    listed = text("select listed from rating where player_id = :id")
    with runtime.engine.connect() as db:
        assert [db.execute(listed, {"id": each.id}).scalar_one() for each in two] == [True, False]


@pytest.mark.parametrize("change", ["update result set uncounted = null", "delete from result_seat"])
def test_p16_the_log_of_results_only_grows(games: Games, change: str) -> None:
    with pytest.raises(ProgrammingError, match="append-only"), games.engine.begin() as db:
        db.execute(text(change))


class TestFarmers:
    """Accounts that somebody has made in order to win against them."""

    def test_p05_gain_nothing_with_another_spelling_of_their_address(self, runtime: Runtime, two: list[Person]) -> None:
        assert two[0].email
        name, _, domain = two[0].email.partition("@")
        with runtime.engine.begin() as db:
            values = {"email": f"{name.upper()}+second@{domain}", "id": two[1].id}
            db.execute(text("update player set email = :email where id = :id"), values)
        assert rated(runtime, won_by_resignation(runtime.games, *two)) == "one-address"
        assert rating_of(runtime.games, two[0]) is None

    def test_p06_gain_nothing_at_one_browser(self, runtime: Runtime, two: list[Person]) -> None:
        games, mark = runtime.games, new_mark()
        with runtime.engine.begin() as db:
            for person in two:
                _, secret = newly_met(games, Arrival("en", person.name), clock.now())
                note_mark(games, secret, mark)
                db.execute(
                    text("update token set player_id = :id where hash = sha256(convert_to(:secret, 'UTF8'))"),
                    {"id": person.id, "secret": secret},
                )
        assert rated(runtime, won_by_resignation(games, *two)) == "one-browser"

    def test_p11_gain_nothing_by_early_resignations(self, runtime: Runtime, two: list[Person]) -> None:
        assert rated(runtime, won_by_resignation(runtime.games, *two, turn=4)) == "left-early"
        assert rating_of(runtime.games, two[0]) is None

    def test_p12_gain_nothing_after_three_games_of_a_pair_and_week(self, runtime: Runtime, two: list[Person]) -> None:
        games = runtime.games
        for _ in range(MAX_GAMES_OF_PAIR):
            assert rated(runtime, won_by_resignation(games, *two)) is None
        before = rating_of(games, two[0])
        assert rated(runtime, won_by_resignation(games, *two)) == "often"
        assert rating_of(games, two[0]) == before != UNRATED
        with freeze_time(clock.now() + timedelta(days=8), tick=True):
            assert rated(runtime, won_by_resignation(games, *two)) is None

    def test_p20_gain_sixty_points_in_a_week_with_three_accounts(self, runtime: Runtime) -> None:
        games, (winner, *puppets) = runtime.games, people(runtime.games, 3)
        for puppet in puppets:
            for _ in range(MAX_GAMES_OF_PAIR):
                assert rated(runtime, won_by_resignation(games, winner, puppet)) is None
        rating = rating_of(games, winner)
        assert rating and rating.skill.number == 1500 + MAX_DOUBTFUL_POINTS and rating.provisional
        with games.engine.connect() as db:
            (seen,) = (each for each in doubted(db, clock.now()) if each.player == winner.id)
        assert (seen.games, seen.points, seen.opponents) == (6, MAX_DOUBTFUL_POINTS, 2)
        kept = {each: rating_of(games, each) for each in (winner, *puppets)}
        rebuild(games)
        assert {each: rating_of(games, each) for each in kept} == kept
        with freeze_time(clock.now() + timedelta(days=8), tick=True):
            assert rated(runtime, won_by_resignation(games, winner, puppets[0])) is None
            later = rating_of(games, winner)
        assert later and rating.skill.number < later.skill.number <= rating.skill.number + MAX_DOUBTFUL_POINTS
        assert rebuild(games).mended == 0
