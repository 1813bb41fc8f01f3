"""Two servers in one address: when the first one is no primary any more, a process finds the other one by itself."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from time import monotonic

import psycopg
import pytest
from sqlalchemy import Engine, text

from service.handlers.refusals import Unavailable
from service.handlers.transaction import statements, transaction
from service.local.postgres import SUPERUSER
from service.local.servers import LocalServers
from service.local.supervisor import wait_until
from service.store import connections
from service.store.engine import build_engine, first_row
from tests.chaos.processes import tree

_WRITE = "insert into told values ((select setting from pg_settings where name = 'data_directory')) returning place"
_WHERE = text("select setting from pg_settings where name = 'data_directory'")
PATIENCE = 60
pytestmark = pytest.mark.slow


class Pair:
    """Two servers, of which the second has to take over from the first."""

    def __init__(self, first: LocalServers, second: LocalServers) -> None:
        self.servers = [first, second]
        hosts = ",".join(str(each.postgres.sockets) for each in self.servers if each.postgres)
        words = f"host={hosts}&port=5432,5432&target_session_attrs=read-write"
        self.url = f"postgresql+psycopg://{SUPERUSER}@/boardroom?{words}"
        self.folders = [str(each.postgres.data) for each in self.servers if each.postgres]
        for each in (0, 1):
            self.tell(each, "create table told (place text)")

    def tell(self, number: int, statement: str) -> None:
        """Have a server do something."""
        postgres = self.servers[number].postgres
        assert postgres
        where = f"host={postgres.sockets} user={SUPERUSER} dbname=boardroom"
        with psycopg.connect(where, autocommit=True) as db:
            db.execute(statement)  # type: ignore[call-overload] # a text that is not literal

    def demote(self) -> None:
        """Let the first one take no writes any more, as when it has become a standby."""
        self.tell(0, "alter system set default_transaction_read_only = on")
        self.tell(0, "select pg_reload_conf()")

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to all processes of the first one."""
        watched = self.servers[0].watched[0]
        for each in tree(watched.child.pid):
            # The process of a connection may have ended meanwhile.
            with suppress(ProcessLookupError):
                os.kill(each.pid, number)


@pytest.fixture
def pair(scratch: Path) -> Iterator[Pair]:
    with ExitStack() as stack:
        made = [
            stack.enter_context(LocalServers(scratch / name, wanted=frozenset({"postgres"}), durable=False))
            for name in ("first", "second")
        ]
        running = Pair(*made)
        yield running
        running.signal(signal.SIGCONT)


@pytest.fixture
def engine(pair: Pair) -> Iterator[Engine]:
    made = build_engine(pair.url)
    yield made
    made.dispose()


def written(engine: Engine) -> str:
    """Write by a single statement, and return where."""
    with statements(engine) as db:
        row = first_row(db, _WRITE, {})
    assert row
    return str(row[0])


def write_in_transaction(engine: Engine) -> str:
    with transaction(engine) as db:
        return str(db.execute(text(_WRITE)).scalar_one())


def read(engine: Engine) -> str:
    with engine.connect() as db:
        return str(db.execute(_WHERE).scalar_one())


@pytest.mark.parametrize("write", [written, write_in_transaction])
def test_a_server_that_refuses_to_write_is_left_by_all_connections_at_once(
    pair: Pair, engine: Engine, write: Callable[[Engine], str]
) -> None:
    # given connections at hand and in the pool, to a server that is the primary no longer
    with ExitStack() as together:
        for _ in range(4):
            together.enter_context(engine.connect())
    assert (written(engine), read(engine)) == (pair.folders[0], pair.folders[0])
    pair.demote()
    # when it refuses to write, as soon as it has heard, then that is no error of the service
    assert wait_until(lambda: _refused(engine, write), PATIENCE)
    # and from then on everything goes to the other server, which nobody had asked before
    assert {written(engine), write_in_transaction(engine), *(read(engine) for _ in range(5))} == {pair.folders[1]}


@pytest.mark.parametrize("hurried", [True, False])
def test_a_server_that_hangs_is_left_although_it_keeps_the_connections(
    pair: Pair, hurried: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "PROBE_AFTER_S", 1.0)
    monkeypatch.setattr(connections, "PROBE_TIMEOUT_S", 2)
    monkeypatch.setattr(connections, "ANSWER_TIMEOUT_S", 1.0)
    made = build_engine(pair.url, hurried)
    assert written(made) == pair.folders[0]
    pair.signal(signal.SIGSTOP)
    began = monotonic()
    with pytest.raises(Unavailable) as refusal:
        written(made)
    assert "the server does not answer" in str(refusal.value.__cause__)
    assert wait_until(lambda: _written_or_none(made) == pair.folders[1], PATIENCE)
    assert monotonic() - began < 15
    made.dispose()


def _refused(engine: Engine, write: Callable[[Engine], str]) -> bool:
    try:
        write(engine)
    except Unavailable:
        return True
    return False


def _written_or_none(engine: Engine) -> str | None:
    try:
        return written(engine)
    except Unavailable:
        return None


def test_a_statement_that_takes_long_is_waited_for_while_the_server_takes_connections(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "PROBE_AFTER_S", 0.2)
    made = build_engine(database_url)
    with made.connect() as db:
        assert db.execute(text("select 42 from pg_sleep(1)")).scalar_one() == 42
    made.dispose()
