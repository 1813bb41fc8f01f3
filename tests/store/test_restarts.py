"""A database that starts again is waited for; one that stays away keeps nobody waiting."""

from __future__ import annotations

from pathlib import Path
from threading import Timer

import pytest
from sqlalchemy import text
from sqlalchemy.exc import OperationalError

from service.local.servers import LocalServers
from service.store import engine as engines
from service.store.engine import build_engine

SOCKET = ".s.PGSQL.5432"


def test_who_asks_while_the_database_starts_again_is_answered_when_it_has(
    servers: LocalServers, database_url: str, scratch: Path
) -> None:
    assert servers.postgres
    there = servers.postgres.sockets
    engine = build_engine(database_url.replace(str(there), str(scratch)))
    ready = Timer(0.5, lambda: (scratch / SOCKET).symlink_to(there / SOCKET))
    ready.start()
    with engine.connect() as db:
        assert db.execute(text("select 42")).scalar() == 42
    engine.dispose()
    ready.join()


def test_a_database_that_stays_away_is_waited_for_once(scratch: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0

    def pause(seconds: float) -> None:
        nonlocal now
        now += seconds

    monkeypatch.setattr(engines, "monotonic", lambda: now)
    monkeypatch.setattr(engines, "sleep", pause)
    engine = build_engine(f"postgresql+psycopg://alice@/games?host={scratch}")
    took = []
    for _ in range(3):
        began = now
        with pytest.raises(OperationalError):
            engine.connect()
        took.append(now - began)
    engine.dispose()
    assert took[0] > 2 and took[1:] == [0, 0]
