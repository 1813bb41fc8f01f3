"""Leagues and tournaments whose steps are carried out by hand, at once."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import text

from service.handlers import leagues, tournaments
from service.handlers.authentication import authenticate
from service.handlers.leagues import LeagueEntry
from service.handlers.tournaments import Tournament
from service.log.ids import new_id
from service.rules.pace import PACES
from service.runtime import Runtime
from service.shared import clock
from service.store.access import PlayerRow
from service.store.competition import Competition, League, read_competition
from service.store.games import Games
from service.store.operation import Operator
from tests.builders import act, first_legal, now_at
from tests.people import Person, register
from workers.jobs import carry_out

OPERATOR = Operator("shell:root", "A league was asked for.")
STEPS = ("season", "entry-closing", "pairing", "counted", "next-round")

_PENDING = text("select id from outbox where state = 'pending' and kind = any(:kinds) order by id")
_GAMES = text("select game_id from pairing where competition_id = :id and points is null order by round, number")
_NEWEST = text("select id from competition where league_id = :league order by number desc limit 1")


def row_of(games: Games, person: Person) -> PlayerRow:
    """Return the account of a person."""
    identity = authenticate(games, person.token)
    assert identity
    return identity.player


def crowd(games: Games, number: int) -> list[Person]:
    """Register so many people, A, B and so on."""
    return [register(games, f"Player {at}", f"player{at}@example.org", "en") for at in range(number)]


def league_of(games: Games, people: Sequence[Person] = (), **how: Any) -> tuple[League, Competition]:
    """Return a league whose first season has been entered by the people, in their order."""
    slug = f"league-{new_id().hex}"
    usual: dict[str, Any] = {"ruleset": "sealed-bids", "options": {}, "pace": PACES["daily"], "rounds": 1}
    now = clock.now()
    new = League(id=new_id(), slug=slug, title="First Fridays", created_at=now, **usual | {"entry_days": 7} | how)
    season = leagues.open_league(games, new, OPERATOR, now)
    for person in people:
        enter(games, new, person)
    return new, season


def enter(games: Games, league: League, person: Person, now: datetime | None = None) -> None:
    """Let a person enter the season that is open."""
    leagues.enter(games, LeagueEntry(league.slug, row_of(games, person)), now or clock.now())


def tournament_of(games: Games, host: Person, people: Sequence[Person] = (), **how: Any) -> Competition:
    """Return a tournament that the people have entered, in their order."""
    usual: dict[str, Any] = {"ruleset": "three-harbours", "seats": 2, "pace": PACES["daily"], "system": "swiss"}
    wanted = Tournament("Spring Cup", **usual | how)
    opened = tournaments.open_tournament(games, row_of(games, host), wanted, clock.now())
    for person in people:
        tournaments.enter(games, opened.id, row_of(games, person), clock.now())
    return opened


def carried(runtime: Runtime, *kinds: str, times: int = 1) -> int:
    """Carry out what is pending of these kinds, or of all steps, some times each; return how many rows there were."""
    with runtime.engine.connect() as db:
        rows = list(db.execute(_PENDING, {"kinds": list(kinds or STEPS)}).scalars())
    for row in rows:
        for _ in range(times):
            carry_out(runtime, row)
    return len(rows)


def under_way(games: Games, competition: UUID) -> list[UUID]:
    """Return the games of a competition that are played."""
    with games.engine.connect() as db:
        return [game for game in db.execute(_GAMES, {"id": competition}).scalars() if game is not None]


def played(games: Games, game: UUID) -> None:
    """Play a game to its end by first legal actions."""
    position = now_at(games, game)
    while seats := position.awaited:
        position = act(games, position, min(seats), first_legal(position, min(seats))).position


def read(games: Games, competition: UUID) -> Competition:
    """Return a competition as it is."""
    with games.engine.connect() as db:
        found = read_competition(db, competition)
    assert found
    return found


def newest(games: Games, league: League) -> Competition:
    """Return the newest season of a league."""
    with games.engine.connect() as db:
        return read(games, db.execute(_NEWEST, {"league": league.id}).scalar_one())


def lines(games: Games, competition: UUID) -> list[Any]:
    """Return the entrants as they stand in the table."""
    query = "select * from entrant where competition_id = :id order by group_number, place, entered_at"
    with games.engine.connect() as db:
        return list(db.execute(text(query), {"id": competition}))
