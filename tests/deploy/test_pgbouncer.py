"""The service plays through PgBouncer in transaction mode, migrations go past it, and doctor knows it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path

import psycopg
import pytest

from service.commands.cli import main
from service.commands.doctor import look_at_pooler
from service.local.postgres import OWNER, Postgres
from service.local.servers import LocalServers
from service.local.supervisor import wait_until
from service.settings import Settings
from service.store.connections import Pooler
from tests.deploy.parts import behind, web
from tests.deploy.tables import play
from tests.following import Stream, asked
from tests.pgbouncer import PREPARING, Between, pgbouncer, program, version

PATIENCE = 60
SMALL = ("default_pool_size = 20", "default_pool_size = 6")
"""So few connections to PostgreSQL that the processes have to share them."""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(program() is None, reason="pgbouncer is not here (a package of Debian)"),
]


@pytest.fixture(scope="module")
def postgres(servers: LocalServers) -> Postgres:
    assert servers.postgres
    return servers.postgres


@pytest.fixture(scope="module")
def named() -> str:
    found = program()
    assert found
    return found


@pytest.fixture(scope="module")
def found(postgres: Postgres, named: str) -> Iterator[Between]:
    with pgbouncer(postgres, named, SMALL) as running:
        yield running


def test_games_are_created_played_by_all_parts_and_followed_and_no_answer_is_an_error(
    found: Between, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = replace(settings, **found.settings)
    with web(here, tmp_path) as server, behind(here, tmp_path):
        # when several tables play at once
        tables = play(server.port)
        game, token, version = tables[0]
        # then a stream tells all events of one
        with asked(f"http://127.0.0.1:{server.port}", f"/games/{game}/stream?after=0", token) as answer:
            told = [event["seq"] for event in islice(Stream(answer).events(), version)]
        assert told == list(range(1, version + 1))
    # and every game holds
    for name, value in here.environment().items():
        monkeypatch.setenv(name, value)
    assert main(["audit", *(str(game) for game, _, _ in tables)]) == 0


def test_migrations_are_refused_through_it_and_routed_past_it(
    found: Between, owner_url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DATABASE_URL", found.url(OWNER))
    assert main(["migrate"]) == 1
    said = capsys.readouterr().err
    assert "A pooler stands before the database" in said and "set MIGRATION_DATABASE_URL" in said
    assert said.count("\n") == 1 and "between" not in said
    monkeypatch.setenv("MIGRATION_DATABASE_URL", owner_url)
    assert main(["migrate"]) == 0


def test_doctor_says_what_stands_before_postgresql(found: Between, settings: Settings) -> None:
    here = replace(settings, **found.settings)
    assert look_at_pooler(here) == ("ok", "it gives connections to transactions, and their limits are set", "")
    level, said, todo = look_at_pooler(replace(here, pooler=Pooler.NONE)) or ("", "", "")
    assert (level, "DATABASE_POOLER is none" in said, "transaction" in todo) == ("fail", True, True)


def test_doctor_finds_a_pooler_that_does_not_keep_named_statements(
    postgres: Postgres, named: str, settings: Settings
) -> None:
    off = [("max_prepared_statements = 200", "max_prepared_statements = 0")] if version(named) >= PREPARING else []
    with pgbouncer(postgres, named, SMALL, *off) as found:
        level, said, _ = look_at_pooler(replace(settings, **{**found.settings, "pooler": Pooler.PREPARED})) or ("",) * 3
        assert (level, said) == ("fail", "named prepared statements are not found again: requests fail at random")


def test_doctor_finds_sessions_without_limits(
    postgres: Postgres, named: str, settings: Settings, as_superuser: Callable[[str], None]
) -> None:
    with pgbouncer(postgres, named) as found:
        # New ones have what the role has now.
        as_superuser("alter role boardroom_app in database boardroom reset all")
        as_superuser("select pg_terminate_backend(pid) from pg_stat_activity where usename = 'boardroom_app'")
        here = replace(settings, **found.settings)
        level, said, todo = look_at_pooler(here) or ("",) * 3
        assert (level, "statement_timeout is 0" in said, "session.sql" in todo) == ("warn", True, True)


def test_a_pooler_in_session_mode_is_one_too(postgres: Postgres, named: str, settings: Settings) -> None:
    with pgbouncer(postgres, named, ("pool_mode = transaction", "pool_mode = session")) as found:
        here = replace(settings, **found.settings)
        told = look_at_pooler(here)
        assert told == ("ok", "it keeps a connection for each session, and their limits are set", "")


def test_a_postgresql_without_a_pooler_is_said_where_one_is_named(settings: Settings, database_url: str) -> None:
    straight = replace(settings, database_url=database_url, pooler=Pooler.NONE)
    assert look_at_pooler(straight) is None
    level, said, _ = look_at_pooler(replace(straight, pooler=Pooler.TRANSACTION)) or ("",) * 3
    assert (level, said) == ("warn", "DATABASE_POOLER is transaction, and nothing stands before PostgreSQL")


def test_a_request_gets_503_while_all_connections_to_postgresql_are_taken(
    postgres: Postgres, named: str, settings: Settings, tmp_path: Path
) -> None:
    # given a PgBouncer that has one connection, which a transaction holds
    one = ("default_pool_size = 20", "default_pool_size = 1")
    with pgbouncer(postgres, named, one) as found, web(replace(settings, **found.settings), tmp_path) as server:
        with psycopg.connect(found.url().replace("+psycopg", "")) as db:
            db.execute("set local idle_in_transaction_session_timeout = 0")
            # when somebody registers, then the answer says to come again
            refused = server.ask("/api/v1/players", {"name": "Alice"})
            assert (refused.status, "retry-after" in refused.headers) == (503, True)
        # and once it is free the next one is served
        assert wait_until(lambda: server.ask("/api/v1/players", {"name": "Alice"}).status == 201, PATIENCE)
