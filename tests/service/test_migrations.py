"""The tables in the database are those the code knows."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import create_engine, inspect, text

from service.store.migrations import upgrade
from service.store.tables import metadata


def test_an_empty_database_is_brought_to_the_tables_that_the_code_knows(
    empty_database: Callable[[], tuple[str, str]],
) -> None:
    owner, _ = empty_database()
    upgrade(owner)
    engine = create_engine(owner)
    with engine.connect() as db:
        context = MigrationContext.configure(db, opts={"compare_type": True, "compare_server_default": True})
        assert compare_metadata(context, metadata) == []
        assert set(metadata.tables) < set(inspect(db).get_table_names())
    engine.dispose()


def test_upgrades_at_the_same_time_and_again_change_nothing(empty_database: Callable[[], tuple[str, str]]) -> None:
    owner, _ = empty_database()
    with ThreadPoolExecutor(3) as threads:
        list(threads.map(upgrade, [owner] * 3))
    upgrade(owner)
    engine = create_engine(owner)
    with engine.connect() as db:
        assert db.execute(text("select version_num from alembic_version")).scalars().all() == ["0004"]
    engine.dispose()


def test_every_check_that_the_code_knows_is_in_the_database(owner_url: str) -> None:
    engine = create_engine(owner_url)
    with engine.connect() as db:
        for table in metadata.tables.values():
            wanted = {str(check.name) for check in table.constraints if check.__visit_name__ == "check_constraint"}
            there = {check["name"] for check in inspect(db).get_check_constraints(table.name)}
            assert {name.rpartition("%")[2] for name in wanted} <= there, table.name
    engine.dispose()
