"""A league that Alice, Bob and Carol enter, and a tournament that Alice hosts."""

from __future__ import annotations

from uuid import uuid4

from sqlalchemy import text

from service.handlers import leagues, rounds
from service.log.ids import new_id
from service.log.recorded import milliseconds
from service.rules.pace import PACES
from service.runtime import Runtime
from service.shared import clock
from service.store.competition import League
from service.store.operation import Operator
from tests.recording.scribe import Scribe

_TO_BE_MADE = text("select id from pairing where points is null and game_id is null")


def the_league(house: Runtime, seats: list[Scribe]) -> None:
    """An operator opens a league, and its season begins."""
    alice, now = seats[0], clock.now()
    new = League(new_id(), "first-fridays", "First Fridays", "new-corp-order", {}, PACES["daily"], 4, 7, now)
    season = leagues.open_league(house.games, new, Operator("shell:zoe", "Many have asked for it"), now)
    alice.post("/leagues/first-fridays/entry")
    alice.call("DELETE", "/leagues/first-fridays/entry")
    for seat in seats:
        seat.post("/leagues/first-fridays/entry")
    assert season.entry_until
    with house.engine.begin() as db:
        leagues.begin_season(db, house.games, season.id, milliseconds(season.entry_until), now)
    the_games_are_made(house)
    alice.post("/leagues/first-fridays/entry")
    for path in ("", "/first-fridays", "/first-fridays/seasons", "/first-fridays/seasons/1/groups", "/last-fridays"):
        alice.get(f"/leagues{path}")


def the_tournament(house: Runtime, seats: list[Scribe]) -> None:
    """Alice invites Bob, and Carol enters; they begin, and Carol does not want to go on."""
    alice, bob, carol = seats
    wanted = {"title": "Spring Cup", "ruleset": "new-corp-order", "seats": 2, "system": "swiss"}
    opened = alice.post("/tournaments", wanted, Idempotency_Key="spring-cup")["id"]
    alice.post(f"/tournaments/{opened}/rounds", {"after": 0})
    alice.post(f"/tournaments/{opened}/invitations", {"to": bob.get("/me")["handle"]})
    for seat in (alice, bob, carol):
        seat.post(f"/tournaments/{opened}/entry")
    alice.post(f"/tournaments/{opened}/rounds", {"after": 0})
    the_games_are_made(house)
    alice.get(f"/tournaments/{opened}/table")
    alice.get(f"/tournaments/{opened}")
    alice.get("/tournaments")
    alice.get(f"/tournaments/{uuid4()}")
    carol.call("DELETE", f"/tournaments/{opened}/entry")
    other = alice.post("/tournaments", {**wanted, "title": "Summer Cup"})["id"]
    alice.call("DELETE", f"/tournaments/{other}")


def the_games_are_made(house: Runtime) -> None:
    """The games of the round are made, as a worker does it."""
    with house.engine.begin() as db:
        for pairing in list(db.execute(_TO_BE_MADE).scalars()):
            rounds.make_game(db, house.games, pairing, clock.now())
