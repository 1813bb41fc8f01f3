"""What a connection has prepared is there for the next transaction on it."""

from __future__ import annotations

import pytest
from sqlalchemy.exc import DBAPIError

from service.store.engine import all_rows, build_engine


@pytest.mark.parametrize("hurried", [True, False])
def test_it_outlives_a_transaction_that_is_rolled_back_unless_something_has_failed_in_it(
    database_url: str, hurried: bool
) -> None:
    engine = build_engine(database_url, hurried=hurried)
    prepared = "select statement from pg_prepared_statements"
    # given a read, which ends by rolling back
    with engine.connect() as db:
        assert all_rows(db, "select 2", {}) == [(2,)]
    # then what it has prepared is still there, and good for the next one
    with engine.connect() as db:
        assert [*db.exec_driver_sql(prepared).scalars()] == ["select 2"]
        assert all_rows(db, "select 2", {}) == [(2,)]
    # when something fails
    with engine.connect() as db, pytest.raises(DBAPIError):
        all_rows(db, "select 1 / 0", {})
    # then nothing is, as it may have been a plan that fits no longer
    with engine.connect() as db:
        assert [*db.exec_driver_sql(prepared).scalars()] == []
        assert all_rows(db, "select 2", {}) == [(2,)]
    engine.dispose()
