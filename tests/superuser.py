"""Somebody who may do everything in the database."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any
from uuid import UUID

import psycopg
import pytest

from service.local.postgres import DATABASE, SUPERUSER
from service.local.servers import LocalServers
from service.log.ids import new_id

Tamper = Callable[..., Any]

UNCHAINED = """
with heads as (update event set head = null where head is not null and game_id = %(game)s),
  seals as (delete from seal where game_id = %(game)s),
  lobbies as (delete from lobby_event where game_id = %(game)s)
update game set head = null, lobby = null where id = %(game)s
"""
"""Makes a game one that began before there were chains."""
ALL_UNCHAINED = UNCHAINED.replace("= %(game)s", "is not null").replace("where id is not null", "")
"""Makes all games so."""


@pytest.fixture
def as_superuser(servers: LocalServers) -> Iterator[Tamper]:
    """Do what the database refuses to everybody else."""
    assert servers.postgres is not None
    address = f"host={servers.postgres.sockets} user={SUPERUSER} dbname={DATABASE}"
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute("set session_replication_role = replica")
        # The first game with a log of its lobby is the beginning of such logs: no other test has begun them long ago.
        begun = "select id from game where lobby is not null and id < %s"
        for (game,) in connection.execute(begun, (UUID(int=new_id().int - (12 * 3600 * 1000 << 80)),)).fetchall():
            connection.execute(UNCHAINED, {"game": game})
        yield connection.execute
        # No driver can read such a moment, and other tests read everything there is.
        for table in ("event", "lobby_event"):
            connection.execute(f"update {table} set at = now() where at not between '0001-01-01' and '9999-01-01'")
