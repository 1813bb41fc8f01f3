"""The tables stand in a schema of their own, owned by a role that owns nothing else and may do nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import psycopg
import pytest
from sqlalchemy import text

from service.commands.audit import audit
from service.local.postgres import APPLICATION, OWNER, SUPERUSER
from service.local.servers import LocalServers
from service.runtime import Runtime
from service.store.engine import build_engine
from service.store.games import Games
from service.store.migrations import upgrade
from tests.builders import finished, sealed_bids

DATABASE, SCHEMA = "shared_with_others", "Our Games"
MADE = f"""
create schema "{SCHEMA}" authorization {OWNER};
revoke all on schema public from public;
alter role {OWNER} in database {DATABASE} set search_path = "{SCHEMA}";
alter role {APPLICATION} in database {DATABASE} set search_path = "{SCHEMA}";
"""
_ELSEWHERE = text("select count(*) from pg_class where relnamespace = 'public'::regnamespace")
_ROLE = text("select rolsuper, rolcreatedb, rolcreaterole from pg_roles where rolname = current_user")


@pytest.fixture
def shared(servers: LocalServers) -> Iterator[tuple[str, str]]:
    """A database of somebody else with an empty schema for us; the addresses of the owner and the application."""
    postgres = servers.postgres
    assert postgres
    where = f"host={postgres.sockets} user={SUPERUSER} dbname="
    with psycopg.connect(f"{where}postgres", autocommit=True) as server:
        server.execute(f"create database {DATABASE}")
        try:
            with psycopg.connect(where + DATABASE, autocommit=True) as db:
                db.execute(MADE)
            yield postgres.url(OWNER, DATABASE), postgres.url(APPLICATION, DATABASE)
        finally:
            server.execute(f"drop database {DATABASE} with (force)")


def test_a_schema_of_its_own_and_a_role_without_rights_are_enough(shared: tuple[str, str], runtime: Runtime) -> None:
    owner, application = shared
    # when the tables are made, twice
    upgrade(owner)
    upgrade(owner)
    # then games are played to their end by the application's role, and hold
    engine = build_engine(application)
    there = replace(runtime, engine=engine, games=Games(engine, runtime.games.rulesets))
    over = finished(there.games, sealed_bids(there.games))
    found = audit(there.games, [over.game.id], {})
    assert (found.games, found.altered, found.unchecked) == (1, [], 0)
    with engine.connect() as db:
        # and nothing stands anywhere else, and neither role may do more
        assert db.execute(_ELSEWHERE).scalar_one() == 0
        assert not any(db.execute(_ROLE).one())
        assert db.execute(text("select current_schema()")).scalar_one() == SCHEMA
    engine.dispose()
