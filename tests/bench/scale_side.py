"""A database that is measured, with the service on it; and pairs of them, which take turns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from time import perf_counter
from uuid import UUID

from flask.testing import FlaskClient
from sqlalchemy import text

from service.app import create_app
from service.handlers.sessions import let_in
from service.handlers.tokens import issue
from service.local.postgres import APPLICATION
from service.local.servers import LocalServers
from service.rules.registry import GAMES
from service.runtime import Runtime
from service.shared import clock
from service.store.access import SCOPES
from tests.bench.large import SEAL_KEY
from tests.house import settings_on

PEOPLE = 40
# Of as many games in all databases, and of one that runs, is as long, and waits for them.
_PEOPLE = text("""
select s.player_id, (array_agg(g.id) filter (where g.status = 'running'))[1] as game
  from seat s join game g on g.id = s.game_id group by s.player_id
having count(*) between 7 and 13 and count(*) filter (where g.status = 'running') = 1
   and count(*) filter (where s.seat = any(g.awaited) and g.version between 30 and 90) = 1
 order by s.player_id limit :most
""")


@dataclass(frozen=True, slots=True)
class Person:
    """A player with their token and browser, and their game that runs."""

    token: str
    cookie: str
    game: UUID


@dataclass(frozen=True, slots=True)
class Side:
    """A database's name, and the service on it with a client and some of its players."""

    name: str
    runtime: Runtime
    client: FlaskClient
    people: list[Person]


def side(servers: LocalServers, name: str) -> Side:
    """Return the service on a database that is filled."""
    assert servers.postgres is not None
    address = servers.postgres.url(APPLICATION, name)
    runtime = Runtime.build(
        replace(settings_on(servers), database_url=address, ruleset_packages=GAMES, seal_key=SEAL_KEY)
    )
    now = clock.now()
    with runtime.engine.begin() as db:
        db.execute(text("set local statement_timeout = 0"))
        people = [
            Person(issue(db, row.player_id, "bench", SCOPES, None, now)[1], let_in(db, row.player_id, now), row.game)
            for row in db.execute(_PEOPLE, {"most": PEOPLE}).all()
        ]
    return Side(name, runtime, create_app(runtime).test_client(use_cookies=False), people)


def in_turn(one: Callable[[int], object], other: Callable[[int], object], rounds: int) -> tuple[list[float], ...]:
    """Do both so many times in turn, each told the number of the round; return the seconds that each took."""
    taken: tuple[list[float], list[float]] = ([], [])
    for number in range(rounds):
        # Each of them first every other time.
        for place in (0, 1) if number % 2 else (1, 0):
            begun = perf_counter()
            (one, other)[place](number)
            taken[place].append(perf_counter() - begun)
    return taken
