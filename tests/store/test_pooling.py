"""Connections of a process: session settings, or through a pooler none, and no named statements either."""

from __future__ import annotations

import re

import pytest
from sqlalchemy import make_url, text

from service.settings import BadSetting, Settings
from service.store.connections import MAX_STATEMENT_TIMEOUT_MS, SESSION, Pooler, connect_arguments, is_pooled, unlimited
from service.store.engine import build_engine
from service.views.operation import Demand
from tests.pgbouncer import FOLDER

URL = "postgresql+psycopg://boardroom_app@db.example/games"


def test_a_connection_to_postgresql_begins_with_the_session_settings(database_url: str) -> None:
    engine = build_engine(database_url, hurried=True)
    with engine.connect() as db:
        assert (unlimited(db), is_pooled(db)) == ({}, False)
        db.execute(text("set local statement_timeout = 0; set local jit = on; set local timezone = 'Europe/Berlin'"))
        assert unlimited(db) == {"statement_timeout": "0", "jit": "on", "timezone": "Europe/Berlin"}
        db.execute(text(f"set local statement_timeout = {MAX_STATEMENT_TIMEOUT_MS + 1}"))
        assert unlimited(db)["statement_timeout"] == str(MAX_STATEMENT_TIMEOUT_MS + 1)
    engine.dispose()


def test_options_of_the_address_itself_count_too(database_url: str) -> None:
    # given an address that names a schema, as libpq has it
    there = make_url(database_url).update_query_dict({"options": "-c search_path=games"})
    engine = build_engine(there.render_as_string(False))
    with engine.connect() as db:
        # then the session has it besides its limits
        assert db.execute(text("show search_path")).scalar_one() == "games"
        assert db.execute(text("show lock_timeout")).scalar_one() == SESSION["lock_timeout"]
    engine.dispose()


@pytest.mark.parametrize(
    ("pooler", "given"), [(Pooler.TRANSACTION, {"prepare_threshold": None}), (Pooler.PREPARED, {})]
)
def test_through_a_pooler_nothing_is_asked_of_the_session(pooler: Pooler, given: dict[str, object]) -> None:
    assert connect_arguments(URL, pooler, "5s") == given


def test_the_limits_at_the_role_are_those_of_a_session() -> None:
    at_the_role = dict(re.findall(r" set (\w+) = '(.+)';", (FOLDER / "session.sql").read_text()))
    assert at_the_role == SESSION | {"statement_timeout": "3500ms"}


def test_the_pooler_is_one_of_three_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_POOLER", "session")
    with pytest.raises(BadSetting, match="DATABASE_POOLER is 'session', it has to be one of none, transaction, trans"):
        Settings.from_env(partial=True)
    monkeypatch.setenv("DATABASE_POOLER", "transaction-prepared")
    assert Settings.from_env(partial=True).pooler is Pooler.PREPARED


def test_connections_to_a_pooler_are_not_counted_against_postgresql() -> None:
    demand = Demand(processes=200, pool=12, allowed=None)
    assert demand.fits
    assert str(demand).endswith("= 2400 database connections to the pooler, whose max_client_conn has to be as many")
