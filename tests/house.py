"""The fixtures that need the servers and the house built upon them; conftest files import what their tests use."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import Engine, text

from service.local.postgres import APPLICATION, OWNER, SUPERUSER
from service.local.servers import LocalServers
from service.messages.keys import new_key
from service.runtime import Runtime
from service.settings import Settings
from service.shared import clock
from service.store import notices, outbox
from service.store.games import Games
from service.store.migrations import upgrade
from tests.pgbouncer import between
from workers.competition import commit_ahead

# A relay that looks just now finds what it has written before.
_NOBODY_GONE = "lock table last_seen; delete from heartbeat; delete from last_seen; delete from outage"
RULESETS = ("service.rules.games", "tests.games")


@pytest.fixture(scope="session")
def settings(servers: LocalServers) -> Iterator[Settings]:
    """The settings of a service on the test servers, through PgBouncer if that is switched on."""
    with between(servers) as changes:
        yield replace(settings_on(servers), **changes)


def settings_on(servers: LocalServers) -> Settings:
    """Return the settings of a house on these servers, with the rulesets of the tests beside the real ones."""
    return Settings(
        database_url=servers.database_url,
        redis_url=servers.redis_url,
        base_url="http://127.0.0.1:8000",
        host="127.0.0.1",
        port=8000,
        smtp_url=servers.smtp_url,
        mail_from="Boardroom <boardroom@example.org>",
        mailbox=servers.mailbox,
        rate_limits=0,
        mail_rate=None,
        ruleset_packages=RULESETS,
        webhooks_keys=(new_key(),),
        mail_keys=(new_key(),),
        seal_key=new_key(),
        vapid_key=new_key(),
    )


@contextmanager
def servers_of_its_own(name: str) -> Iterator[tuple[LocalServers, Runtime]]:
    """A program's own servers, in a folder whose name has `name` in it, and a service on them; gone afterwards."""
    with tempfile.TemporaryDirectory(prefix=f"boardroom-{name}-") as folder:
        Path(folder).chmod(0o711)
        with LocalServers(Path(folder), durable=False) as servers:
            upgrade(servers.owner_url)
            runtime = Runtime.build(settings_on(servers))
            yield servers, runtime
            runtime.engine.dispose()


@contextmanager
def fresh_database(servers: LocalServers, name: str) -> Iterator[tuple[str, str]]:
    """Make a database without tables, and drop it in the end; yield its addresses for the owner and the application."""
    postgres = servers.postgres
    assert postgres
    with psycopg.connect(f"host={postgres.sockets} user={SUPERUSER} dbname=postgres", autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} OWNER {OWNER}")
        try:
            yield postgres.url(OWNER, name), postgres.url(APPLICATION, name)
        finally:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture(scope="session")
def runtime(settings: Settings) -> Iterator[Runtime]:
    """The house, as web and workers share it."""
    built = Runtime.build(settings)
    yield built
    built.engine.dispose()
    if built.redis is not None:
        built.redis.close()


@pytest.fixture
def games(runtime: Runtime) -> Games:
    """The shelf of games."""
    return runtime.games


def forget_what_is_due(runtime: Runtime) -> None:
    """Empty the outbox, but for the audit with which the relay begins each day: that has been.

    The deals of the next days are committed to, and no computer player has to try them, which takes a second for each.
    """
    commit_ahead(runtime, clock.now())
    with runtime.engine.begin() as db:
        db.execute(text("delete from outbox"))
        outbox.add(db, notices.night(clock.now().date()))
        db.execute(text("update outbox set state = 'skipped', done_at = now()"))


def forget_outages(engine: Engine) -> None:
    """Have nobody know of processes that were there before, and are not any more."""
    # One message, and not by way of SQLAlchemy: this is done before each of thousands of tests.
    with closing(engine.raw_connection()) as db:
        db.cursor().execute(_NOBODY_GONE)
        db.commit()
