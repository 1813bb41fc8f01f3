"""Requests that come too late, or are meant for others: each is refused with its reason."""

from __future__ import annotations

from uuid import uuid4

from sqlalchemy import text

from service.handlers.people import ask_friend
from service.shared import clock
from service.store import people
from service.store.games import Games
from tests.challenged import called
from tests.competing import league_of, tournament_of
from tests.people import alice, bob
from tests.rest import Caller, refused


def handle() -> str:
    return f"late-{uuid4().hex[:10]}"


def run(games: Games, competition: object) -> None:
    """Let a competition run."""
    with games.engine.begin() as db:
        db.execute(text("update competition set state = 'running', round = 1 where id = :id"), {"id": competition})


def test_a_season_that_runs_is_neither_entered_nor_left(api: Caller, games: Games) -> None:
    person = alice(games)
    league, season = league_of(games, [person])
    run(games, season.id)
    for ask in (api.by(person).post, api.by(person).delete):
        refused(ask(f"/leagues/{league.slug}/entry"), 409, "entry-over")


def test_a_tournament_that_runs_is_neither_entered_nor_closed_in_a_round_and_one_that_is_over_not_left(
    api: Caller, games: Games
) -> None:
    host, other, name = alice(games), bob(games), handle()
    called(games, other, name)
    cup = tournament_of(games, host, [host]).id
    run(games, cup)
    refused(api.by(other).post(f"/tournaments/{cup}/entry"), 409, "entry-over")
    refused(api.by(host).post(f"/tournaments/{cup}/invitations", {"to": name}), 409, "entry-over")
    with games.engine.begin() as db:
        pairing = "insert into pairing (id, competition_id, round, number, players) values (:new, :id, 1, 1, :players)"
        db.execute(text(pairing), {"new": uuid4(), "id": cup, "players": [host.id]})
    refused(api.by(host).delete(f"/tournaments/{cup}"), 409, "round-not-ready")
    with games.engine.begin() as db:
        db.execute(text("update competition set state = 'over' where id = :id"), {"id": cup})
    refused(api.by(host).delete(f"/tournaments/{cup}/entry"), 409, "entry-over")


def test_ones_own_account_is_neither_friend_nor_blocked_nor_ignored_and_a_handle_is_one_accounts(
    api: Caller, games: Games
) -> None:
    person, other, name = alice(games), bob(games), handle()
    called(games, person, name)
    for path in ("/me/friends", "/me/blocks", "/me/ignored"):
        refused(api.by(person).post(path, {"handle": name}), 409, "own-account")
    refused(api.by(other).call("patch", "/me", {"handle": name}), 409, "handle-taken")


def test_a_request_is_not_accepted_by_one_whom_the_other_blocks(api: Caller, games: Games) -> None:
    person, other, name = alice(games), bob(games), handle()
    called(games, other, name)
    asked = ask_friend(games, person.id, name, clock.now())
    with games.engine.begin() as db:
        people.add_block(db, person.id, other.id, clock.now())
    refused(api.by(other).post(f"/me/friends/{asked.id}/acceptance"), 409, "no-friend")
