"""The address of the database is a URL of libpq, also with several hosts; a wrong one says what is wrong."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import psycopg
import pytest
from sqlalchemy import text
from sqlalchemy.engine import make_url

from service.local.postgres import SUPERUSER, Postgres
from service.local.servers import socket_folder
from service.settings import BadSetting, Settings
from service.store.engine import build_engine


@pytest.fixture(autouse=True)
def _no_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOARDROOM_CONFIG", "")


def read(monkeypatch: pytest.MonkeyPatch, url: str) -> str:
    monkeypatch.setenv("DATABASE_URL", url)
    return Settings.from_env().database_url


@pytest.mark.parametrize(
    "url",
    [
        "postgresql+psycopg://alice:secret@db.example/games",
        "postgresql+psycopg://alice:s%40cret@db.example:5433/games?sslmode=verify-full&sslrootcert=system",
        "postgresql+psycopg://alice@/games?host=/run/postgresql",
        "postgresql+psycopg://alice@/games?host=db1,db2&port=5432,5433&target_session_attrs=read-write",
        "postgresql+psycopg:///games",
        "postgresql+psycopg://[::1]:5433/games",
    ],
)
def test_an_address_of_one_host_stays_as_it_is(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    found = read(monkeypatch, url.replace("+psycopg", ""))

    assert make_url(found) == make_url(url)
    assert read(monkeypatch, found) == found


def test_each_of_several_hosts_has_its_port(monkeypatch: pytest.MonkeyPatch) -> None:
    url = "postgresql://alice:s%40cret%2F@db1.example:5432,[::1]:5433,db3.example/games?target_session_attrs=read-write"

    found = make_url(read(monkeypatch, url))

    assert (found.username, found.password, found.database) == ("alice", "s@cret/", "games")
    _, named = build_engine(found.render_as_string(False)).dialect.create_connect_args(found)
    assert (named["host"], named["port"]) == ("db1.example,::1,db3.example", "5432,5433,")
    assert (named["password"], named["target_session_attrs"]) == ("s@cret/", "read-write")
    assert read(monkeypatch, found.render_as_string(False)) == found.render_as_string(False)


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("mysql://bob:hush@db.example/games", "begins with postgresql://"),
        ("bob:hush@db.example", "begins with postgresql://"),
        ("postgresql://bob:hush@db.example:seven/games", "no number from 1 to 65535"),
        ("postgresql://bob:hush@db1:5432,db2:70000/games", "no number from 1 to 65535"),
        ("postgresql://bob:hush/more@db.example/games", "are written as %3A %2F %40"),
        ("postgresql://bob:hush@db1,db2/games?port=1,2,3", "2 hosts and 3 ports"),
        ("postgresql://bob:hush@[::1/games", "cannot be read"),
        ("postgresql://bob:hu%zzsh@db.example/games", "cannot be read"),
        ("postgresql://bob:hush@db.example/games?sslmod=require", "parameter 'sslmod'"),
        (
            "postgresql://bob:hush@db1,db2/games?target_session_attrs=writable",
            "is 'writable', it has to be one",
        ),
    ],
)
def test_a_wrong_address_says_in_one_sentence_what_is_wrong(
    monkeypatch: pytest.MonkeyPatch, url: str, why: str
) -> None:
    with pytest.raises(BadSetting) as refusal:
        read(monkeypatch, url)
    said = str(refusal.value)
    assert "DATABASE_URL" in said and why in said
    assert "hush" not in said and "hu%" not in said and "\n" not in said


@pytest.fixture
def read_only(scratch: Path) -> Iterator[Postgres]:
    """A second server, which takes no writes, as a standby does."""
    with socket_folder() as sockets:
        server = Postgres(scratch, sockets / "second", scratch / "second.log", durable=False)
        running = server.start(lambda line: None)
        try:
            with psycopg.connect(f"host={server.sockets} user={SUPERUSER} dbname=postgres", autocommit=True) as db:
                db.execute("alter system set default_transaction_read_only = on")
                db.execute("select pg_reload_conf()")
            yield server
        finally:
            running.stop()


@pytest.mark.parametrize("first", ["read-only", "dead"])
def test_the_server_that_takes_writes_is_found_among_several(
    monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest, database_url: str, first: str, scratch: Path
) -> None:
    there = str(make_url(database_url).query["host"])
    before = str(request.getfixturevalue("read_only").sockets) if first == "read-only" else str(scratch)
    hosts = ",".join(quote(each, safe="") for each in (before, there))
    url = f"postgresql://boardroom_app@{hosts}/boardroom"
    if first == "read-only":
        assert found(read(monkeypatch, url)) == ("on", False)
    for hurried in (False, True):
        assert found(read(monkeypatch, f"{url}?target_session_attrs=read-write"), hurried) == ("off", True)


def found(url: str, hurried: bool = False) -> tuple[str, bool]:
    """Return whether the server is read-only, and whether it has the tables of the service."""
    engine = build_engine(url, hurried)
    try:
        with engine.connect() as db:
            row = db.execute(text("select current_setting('transaction_read_only'), to_regclass('event') is not null"))
            return tuple(row.one())
    finally:
        engine.dispose()
