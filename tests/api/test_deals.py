"""The deal of a day over REST: one try for everybody with the same cards, and nothing of others before it is over."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

from sqlalchemy import text

from schemas.competition import place_cursor
from service.handlers.delete_account import delete_account
from service.handlers.people import change_player, take_handle
from service.runtime import Runtime
from service.shared import clock
from service.store import daily_deals
from service.store.games import Games
from tests.dealing import AFTER, DAY, NOON, at, counted, dealing, played, tried
from tests.people import Person, alice, bob, carol
from tests.rest import Caller, refused

__all__ = ["dealing"]

TODAY = DAY.date().isoformat()


def named(games: Games, person: Person, handle: str) -> Person:
    """Give a person a handle."""
    take_handle(games, person.id, handle, clock.now())
    return person


def over(runtime: Runtime, games: Games, person: Person, choice: int = 0) -> UUID:
    """Return the game in which a person has tried the deal, always by the same of the legal actions."""
    game = played(games, tried(games, person), choice).game.id
    counted(runtime, games, game)
    return game


def results(api: Caller, query: str = "") -> list[dict[str, Any]]:
    """The rows of the day's table."""
    items: list[dict[str, Any]] = api.get(f"/deals/{TODAY}/results{query}").json["items"]
    return items


def test_d_01_all_games_of_a_day_have_the_same_cards_whatever_the_seats_add(dealing: Runtime, games: Games) -> None:
    first, second = tried(games, alice(games)), tried(games, bob(games))
    assert first.state == second.state
    assert first.game.id != second.game.id
    assert first.game.commitment == second.game.commitment


def test_d_02_nothing_of_others_is_shown_before_the_own_try_is_over(
    dealing: Runtime, games: Games, api: Caller
) -> None:
    over(dealing, games, named(games, bob(games), "bob-of-the-deal"))
    me = alice(games)
    caller = api.by(me)
    with at(NOON):
        before = caller.get("/deals/today").json
        refused(caller.get("/deals/today/results"), 409, "deal-not-tried")
        caller.post("/deals/today/games", {})
        refused(caller.get("/deals/today/results"), 409, "deal-not-tried")
    assert (before["played"], before["results_shown"], before["own"], before["best"]) == (1, False, None, None)
    over(dealing, games, me)
    with at(NOON):
        assert [row["handle"] for row in results(caller)] == ["bob-of-the-deal"]
        assert caller.get("/deals/today").json["results_shown"]
    with at(AFTER):
        assert [row["handle"] for row in results(api.by(carol(games)))] == ["bob-of-the-deal"]


def test_d_03_there_is_one_try_for_an_account_however_often_it_asks(
    dealing: Runtime, games: Games, api: Caller
) -> None:
    caller = api.by(alice(games))
    with at(NOON):
        first, again = (caller.post("/deals/today/games", {}) for _ in range(2))
        assert (first.status_code, first.headers["Location"]) == (201, again.headers["Location"])
    over(dealing, games, me := bob(games))
    assert tried(games, me).game.status == "finished"


def test_d_04_equal_results_share_a_place_and_pages_go_on_where_they_ended(
    dealing: Runtime, games: Games, api: Caller
) -> None:
    people = [named(games, bob(games), f"bob-equal-{number}") for number in range(3)]
    for person in people:
        tried(games, person)
    best = named(games, alice(games), "alice-ahead")
    tried(games, best)
    with dealing.engine.begin() as db:
        for person, margin in ((best, 9), *((each, 2) for each in people)):
            own = daily_deals.try_of(db, DAY.date(), person.id)
            assert own is not None
            daily_deals.end(db, own.game, NOON, margin, True, 9)
    with at(NOON):
        caller = api.by(best)
        assert [row["place"] for row in results(caller)] == [1, 2, 2, 2]
        page = caller.get("/deals/today/results?limit=2").json
        rest = caller.get(f"/deals/today/results?limit=2&after={page['next']}").json
    assert [row["place"] for row in page["items"] + rest["items"]] == [1, 2, 2, 2]
    assert {row["handle"] for row in rest["items"]} < {f"bob-equal-{number}" for number in range(3)}


def test_d_05_who_gives_up_has_no_result(dealing: Runtime, games: Games, api: Caller) -> None:
    me = named(games, alice(games), "alice-gives-up")
    game = tried(games, me).game.id
    with at(NOON):
        assert api.by(me).post(f"/games/{game}/resignation", {"confirm": True}).status_code == 201
    counted(dealing, games, game)
    with at(NOON):
        own = api.by(me).get("/deals/today").json["own"]
        assert (own["margin"], own["place"]) == (None, None)
        assert own["ended_at"] is not None
        assert results(api.by(me)) == []


def test_d_06_what_ends_after_midnight_has_no_result(dealing: Runtime, games: Games, api: Caller) -> None:
    me = named(games, alice(games), "alice-is-late")
    game = played(games, tried(games, me), moment=AFTER).game.id
    counted(dealing, games, game)
    with at(AFTER):
        assert results(api.by(me)) == []
        assert api.by(me).get("/me/deals").json["items"][0]["margin"] is None


def test_d_07_bots_have_a_table_of_their_own_and_guests_stand_in_none(
    dealing: Runtime, games: Games, api: Caller
) -> None:
    owner, guest = alice(games), bob(games)
    with dealing.engine.begin() as db:
        db.execute(
            text("update player set owner = :owner, email = null where id = :id"), {"owner": owner.id, "id": guest.id}
        )
    bot = named(games, guest, "a-bot-of-deals")
    over(dealing, games, bot)
    over(dealing, games, nobody := carol(games))
    with at(AFTER):
        assert results(api.by(nobody)) == []
        assert [row["handle"] for row in results(api.by(nobody), "?players=bots")] == ["a-bot-of-deals"]
        named(games, nobody, "carol-after-all")
        assert [row["handle"] for row in results(api.by(nobody))] == ["carol-after-all"]


def test_d_08_the_week_counts_the_five_best_leads_of_days_that_are_over(
    dealing: Runtime, games: Games, api: Caller
) -> None:
    me = named(games, alice(games), "alice-all-week")
    monday = DAY.date() - timedelta(days=DAY.weekday())
    margins = [3, -7, 5, 1, 2, 4, 6]
    with dealing.engine.begin() as db:
        for number, margin in enumerate(margins):
            _past_try(db, me, monday + timedelta(days=number), margin)
        for _ in range(3):
            daily_deals.settle(db, monday + timedelta(days=6), 2)
    with at(DAY + timedelta(days=4)):
        week = api.by(me).get("/deal-standings").json
    with dealing.engine.begin() as db:
        daily_deals.settle(db, monday + timedelta(days=6), 100)
        assert daily_deals.settle(db, monday + timedelta(days=6), 100) == 0
    with at(DAY + timedelta(days=4)):
        assert week == api.by(me).get("/deal-standings").json
        month = api.by(me).get("/deal-standings?period=month").json
    # Sunday is not over, and a lost day costs nothing.
    assert week["since"] == monday.isoformat()
    assert [(row["handle"], row["total"], row["days"]) for row in week["items"]] == [("alice-all-week", 15, 6)]
    assert month["items"][0]["total"] == 15


def test_d_09_who_hides_the_profile_keeps_the_place_without_a_name(dealing: Runtime, games: Games, api: Caller) -> None:
    hidden, other = named(games, alice(games), "alice-unseen"), bob(games)
    over(dealing, games, hidden)
    change_player(games, hidden.id, {"visibility": "hidden"}, clock.now())
    with at(AFTER):
        (row,) = results(api.by(other))
        assert (row["place"], row["name"], row["handle"], row["you"]) == (1, None, None, False)
        (own,) = results(api.by(hidden))
        assert (own["handle"], own["you"]) == ("alice-unseen", True)
    delete_account(games, hidden.id, "web", clock.now())
    with at(AFTER):
        assert [(row["place"], row["name"]) for row in results(api.by(other))] == [(1, None)]


def _past_try(db: Any, person: Person, day: Any, margin: int) -> None:
    """Write a try of another day; its game is one that nobody plays."""
    made = daily_deals.find(db, DAY.date())
    values = {"day": day, "player": person.id, "margin": margin, "at": NOON}
    db.execute(
        text(
            "insert into deal (day, ruleset, seats, options, commitment, at, public, signature, rooted)"
            " select :day, ruleset, seats, options, commitment, at, public, signature, day from deal"
            " where day = (select max(day) from deal) on conflict do nothing"
        ),
        values,
    )
    assert made is not None
    db.execute(
        text(
            "insert into deal_try (day, player_id, game_id, bot, named, begun_at, ended_at, margin, won, points)"
            " select :day, :player, id, false, true, :at, :at, :margin, :margin > 0, 5 from game"
            " where id not in (select game_id from deal_try) limit 1"
        ),
        values,
    )


def test_a_forged_place_in_a_table_is_none_that_was_given_out(dealing: Runtime, games: Games, api: Caller) -> None:
    for _ in range(2):
        over(dealing, games, named(games, alice(games), f"forger-{uuid4().hex[:12]}"))
    caller, largest = api.by(bob(games)), 2**32 - 1
    with at(AFTER):
        for place, rows in ((largest, 0), (0, largest), (0, 2**31)):
            forged = place_cursor(2**31 - 1, True, UUID(int=2**128 - 1), place, rows)
            for path in (f"/deals/{TODAY}/results", "/deal-standings"):
                assert caller.get(f"{path}?limit=1&after={forged}").status_code == 422
