"""Read games of others from a replica, and one's own from the primary: with a real standby."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from sqlalchemy import Engine, text

from service.app import create_app
from service.commands.doctor import look_at_replica
from service.local.servers import LocalServers
from service.local.supervisor import wait_until
from service.runtime import Runtime
from service.settings import Settings
from service.store.games import Position
from service.store.replica import MOST_BEHIND, Replica
from tests.builders import act, finished, first_legal, started, table_for
from tests.people import Person, alice, bob, carol
from tests.plans import heard
from tests.rest import Caller
from tests.standby import PATIENCE, Standby, one, standby

pytestmark = pytest.mark.slow
PAUSE, RESUME = "select pg_wal_replay_pause()", "select pg_wal_replay_resume()"
LISTED = "/games?mine=false&ruleset=new-corp-order&limit=100"


@pytest.fixture(scope="module")
def following(servers: LocalServers) -> Iterator[Standby]:
    """A standby of the tests' PostgreSQL."""
    with TemporaryDirectory(prefix="boardroom-test-") as folder:
        Path(folder).chmod(0o711)
        with standby(servers, Path(folder)) as copy:
            yield copy


@contextmanager
def reading_from(copy: Standby, settings: Settings) -> Iterator[Runtime]:
    """The service with a standby as its replica."""
    built = Runtime.build(replace(settings, database_read_url=copy.url), hurried=True)
    yield built
    built.engine.dispose()
    replica(built).engine.dispose()
    if built.redis is not None:
        built.redis.close()


@pytest.fixture
def reading(settings: Settings, following: Standby) -> Iterator[Runtime]:
    """The service with the standby as its replica."""
    with reading_from(following, settings) as built:
        yield built


@pytest.fixture
def api(reading: Runtime) -> Caller:
    """Its API, called by nobody."""
    return Caller(create_app(reading).test_client())


def replica(runtime: Runtime) -> Replica:
    """The replica of a service that has one."""
    assert runtime.games.replica is not None
    return runtime.games.replica


def came_over(runtime: Runtime, following: Standby) -> None:
    """Wait until the standby has all that was written."""
    with runtime.engine.connect() as db:
        written = db.execute(text("select cast(pg_current_wal_insert_lsn() as text)")).scalar_one()
    assert wait_until(lambda: following.has(written), PATIENCE)


def asked(engine: Engine, ask: Callable[[], Any]) -> bool:
    """Return whether a request uses the engine; the answer is 200."""
    with heard(engine) as statements:
        assert ask().status_code == 200
    return bool(statements)


def table_of(runtime: Runtime) -> tuple[Position, Person, Person, Person]:
    """A running game of Alice and Bob, and Carol, who may look on."""
    people = alice(runtime.games), bob(runtime.games), carol(runtime.games)
    return started(runtime.games, "new-corp-order", people[:2]), *people


def paths(game: Any) -> list[str]:
    """Return the paths to read of a finished game."""
    return [f"/games/{game}{each}" for each in ("", "/events", "/replay", "/replay/5", "/record", "/listing", "/proof")]


def test_who_looks_on_reads_the_replica_and_who_plays_the_primary(
    api: Caller, reading: Runtime, following: Standby, settings: Settings
) -> None:
    # given a finished game that the standby has
    position, player, _, stranger = table_of(reading)
    game = finished(reading.games, position).game.id
    came_over(reading, following)
    there = replica(reading).engine
    assert look_at_replica(settings.database_url, following.url, settings.pooler)[0] == "ok"
    assert look_at_replica(settings.database_url, settings.database_url, settings.pooler)[0] == "warn", (
        "it is the primary"
    )
    # then a stranger is answered from there, and a player never
    assert [path for path in paths(game) if not asked(there, lambda path=path: api.by(stranger).get(path))] == []
    assert [path for path in paths(game) if asked(there, lambda path=path: api.by(player).get(path))] == []
    # and both are told the same
    record = f"/games/{game}/record"
    assert api.by(stranger).get(record).data == api.by(player).get(record).data
    for page in ("", "/live", "/replay", "/record.jsonl", "/view.jsonl", "/listing.txt", "/proof"):
        assert asked(there, lambda page=page: api.client.get(f"/games/{game}{page}")), page


def test_a_game_that_goes_on_is_watched_at_the_replica(api: Caller, reading: Runtime, following: Standby) -> None:
    position, _, _, stranger = table_of(reading)
    game, there = position.game.id, replica(reading).engine
    came_over(reading, following)
    for path in ("", "/events", "/legal-actions", "/standings", "/board", "/board.svg", "/replay", "/pause", "/proof"):
        assert asked(there, lambda path=path: api.by(stranger).get(f"/games/{game}{path}")), path
    for page in ("", "/live", "/replay", "/view.jsonl", "/listing.txt", "/proof"):
        assert asked(there, lambda page=page: api.client.get(f"/games/{game}{page}")), page
    # what is written for a spectator is written at the primary
    assert api.by(stranger).post(f"/games/{game}/stream-tickets").status_code == 201


def test_a_replica_that_lags_shows_nobody_an_older_game(api: Caller, reading: Runtime, following: Standby) -> None:
    # given a game that goes on while the standby replays nothing
    position, player, _, stranger = table_of(reading)
    came_over(reading, following)
    one(following.address, PAUSE)
    try:
        seat = min(position.awaited)
        played = act(reading.games, position, seat, first_legal(position, seat)).position
        # then all see its newest state, also in a game that the standby does not have
        for person in (player, stranger):
            assert (api.by(person).get(f"/games/{position.game.id}").json or {})["version"] == played.version
        newer = started(reading.games, "new-corp-order", [player, carol(reading.games)])
        assert api.by(bob(reading.games)).get(f"/games/{newer.game.id}").status_code == 200
    finally:
        one(following.address, RESUME)


def test_a_list_has_ones_own_writes_however_far_the_replica_is(
    api: Caller, reading: Runtime, following: Standby, settings: Settings
) -> None:
    # given two open tables that the standby has, and then none of what is written
    host, joining = alice(reading.games), carol(reading.games)
    joined, other = (str(table_for(reading.games, "new-corp-order", host, 3)) for _ in "ab")
    came_over(reading, following)
    one(following.address, PAUSE)
    try:
        # when Carol takes a seat at one of them, and opens one of her own
        assert api.by(joining).post(f"/games/{joined}/seats").status_code == 201
        own = str(table_for(reading.games, "new-corp-order", joining, 2))
        # then her lists know it, though the public tables come from the standby
        assert asked(replica(reading).engine, lambda: api.by(joining).get(LISTED))
        assert {joined, own, other} & listed(api, joining, LISTED) == {other}
        assert {joined, own} <= listed(api, joining, "/games?limit=100")
        # and once the standby is far behind, everybody is told of the new table
        with reading.engine.begin() as db:
            db.execute(
                text("select pg_logical_emit_message(false, 'filler', repeat('-', :size))"), {"size": MOST_BEHIND}
            )
        assert own in listed(api, host, LISTED)
        assert look_at_replica(settings.database_url, following.url, settings.pooler)[0:2] == (
            "warn",
            "is far behind; meanwhile the primary does its work",
        )
    finally:
        one(following.address, RESUME)


def listed(api: Caller, person: Person, path: str) -> set[str]:
    """The ids in a list."""
    return {each["id"] for each in (api.by(person).get(path).json or {})["items"]}


def test_when_the_replica_is_dead_the_primary_answers(servers: LocalServers, settings: Settings, scratch: Path) -> None:
    with standby(servers, scratch) as copy, reading_from(copy, settings) as reading:
        # given a game that is read from a replica
        api = Caller(create_app(reading).test_client())
        position, _, _, stranger = table_of(reading)
        game = finished(reading.games, position).game.id
        came_over(reading, copy)
        assert asked(replica(reading).engine, lambda: api.by(stranger).get(f"/games/{game}"))
        # when this is killed, with a connection to it in the pool
        copy.child.kill()
        # then every request is answered, and the replica is left alone for some time
        answers = [api.by(stranger).get(path).status_code for path in [*paths(game), LISTED] * 3]
        assert answers == [200] * len(answers)
        assert replica(reading).breaker.blown
        level, said, _ = look_at_replica(settings.database_url, copy.url, settings.pooler)
        assert (level, "does not answer" in said) == ("warn", True)
