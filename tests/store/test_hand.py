"""A few connections stay at hand for single statements, and nobody is ever handed a dead one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from sqlalchemy import Engine, text

from service.handlers.transaction import statements
from service.runtime import Runtime
from service.store import fast_path
from service.store.engine import all_rows, build_engine, first_row
from service.store.fast_path import hand_of

pytestmark = pytest.mark.unpooled
_WHO = "select pg_backend_pid()"


@pytest.fixture
def engine(runtime: Runtime) -> Iterator[Engine]:
    made = build_engine(runtime.settings.database_url)
    yield made
    made.dispose()


def _who(engine: Engine) -> int:
    with statements(engine) as db:
        ((number,),) = all_rows(db, _WHO, {})
    return int(number)


def test_the_next_statement_is_made_on_the_connection_of_the_last(engine: Engine) -> None:
    assert _who(engine) == _who(engine)
    assert len(hand_of(engine)) == 1


def test_most_of_the_pool_is_left_to_transactions(engine: Engine) -> None:
    with ExitStack() as together:
        for _ in range(10):
            assert first_row(together.enter_context(statements(engine)), _WHO, {})
    assert engine.pool.checkedout() == len(hand_of(engine)) == 4  # type: ignore[attr-defined] # of this kind of pool


def test_one_that_is_lost_while_it_waits_is_replaced(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    lost = _who(engine)
    with engine.begin() as db:
        db.execute(text("select pg_terminate_backend(:lost)"), {"lost": lost})
    monkeypatch.setattr(fast_path, "_TRUSTED_SECONDS", -1)
    assert _who(engine) != lost


def test_one_whose_server_has_ended_just_now_is_replaced(engine: Engine) -> None:
    lost = _who(engine)
    with engine.begin() as db:
        assert db.execute(text("select pg_terminate_backend(:lost, 30000)"), {"lost": lost}).scalar_one()
    assert _who(engine) != lost


def test_one_with_a_transaction_is_not_kept(engine: Engine) -> None:
    with statements(engine) as db:
        assert db.execute(text(_WHO)).scalar()
    assert len(hand_of(engine)) == 0


def test_one_that_has_failed_is_not_kept(engine: Engine) -> None:
    with pytest.raises(ZeroDivisionError), statements(engine):
        raise ZeroDivisionError
    assert len(hand_of(engine)) == 0


def test_they_end_with_the_engine(engine: Engine) -> None:
    with statements(engine) as db:
        driver = db.connection.driver_connection
    engine.dispose()
    assert driver is not None
    assert (driver.closed, len(hand_of(engine))) == (True, 0)
