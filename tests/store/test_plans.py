"""Plans of PostgreSQL for the work of every scrape, hour and night: no statement reads a whole table."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import Engine, create_engine, event, text

from service.audit.derived_tables import discrepancies
from service.shared import clock
from service.store import outbox, pace
from service.store.engine import build_engine
from service.store.migrations import upgrade
from service.store.pruning import EFFECTS, prune
from service.views.operation import audits, gauges
from tests.large_outbox import fill

GAMES, EVENTS = 2000, 150
LOG = f"""
insert into player (id, name, language, created_at) values ('{"1" * 32}', 'Alice', 'en', now());
insert into game (id, ruleset, seats, options, commitment, host, status, created_at, version)
select md5(n::text)::uuid, 'r', 2, '{{}}', 'c', '{"1" * 32}', 'running', now(), {EVENTS}
  from generate_series(1, {GAMES}) n;
insert into event (game_id, seq, name, data, door, decision, at)
select md5(n::text)::uuid, seq, 'remark', '{{}}', 'api', 1, now()
  from generate_series(1, {GAMES}) n, generate_series(1, {EVENTS}) seq;
insert into event (game_id, seq, name, data, door, decision, at)
select md5('1')::uuid, {EVENTS} + seq, 'remark', '{{}}', 'api', 1, now() from generate_series(1, 2) seq;
analyze game; analyze event;
"""


@pytest.fixture
def large(empty_database: Callable[[], tuple[str, str]]) -> Iterator[tuple[str, Engine]]:
    """The owner's address of a database with all tables, and the service's engine on it."""
    owner, application = empty_database()
    upgrade(owner)
    engine = build_engine(application)
    yield owner.replace("+psycopg", ""), engine
    engine.dispose()


def plans(engine: Engine, work: Callable[[], object]) -> dict[str, str]:
    """Return each statement of the work with its plan, made on a connection as the service has it."""
    heard: list[tuple[str, Any]] = []

    def hear(_c: object, _cursor: object, statement: str, parameters: Any, _x: object, _many: object) -> None:
        heard.append((statement, parameters))

    event.listen(engine, "before_cursor_execute", hear)
    work()
    event.remove(engine, "before_cursor_execute", hear)
    with engine.connect() as db:
        found = {
            statement: "\n".join(db.exec_driver_sql(f"explain {statement}", parameters).scalars())
            for statement, parameters in heard
            if not statement.startswith("set")
        }
        db.rollback()
    return found


def read_whole(found: dict[str, str], table: str) -> list[str]:
    """Return the statements that read a whole table: row by row, or all of one of its indexes."""
    whole = re.compile(
        rf"Seq Scan on {table}\b|Index (Only )?Scan (Backward )?using {table}_pkey on {table}\b(?!.*\n +Index Cond)"
    )
    return [statement for statement, plan in found.items() if whole.search(plan)]


def test_metrics_read_what_is_pending_or_recent_and_not_the_outbox(large: tuple[str, Engine]) -> None:
    owner, engine = large
    fill(owner)

    def scrape() -> None:
        with engine.connect() as db:
            gauges(db)
            audits(db)

    found = plans(engine, scrape)

    assert len(found) == 4
    assert read_whole(found, "outbox") == []
    (counts,) = [plan for plan in found.values() if "outbox_settled" in plan]
    indexes = set(re.findall(r"outbox_\w+", counts))
    assert "outbox_dead" in indexes
    assert indexes & {"outbox_due", "outbox_waiting"}, "both hold what is pending, and nothing else"


def test_to_hand_out_what_is_due_reads_nothing_of_what_waits(large: tuple[str, Engine]) -> None:
    owner, engine = large
    fill(owner)

    def hand_out() -> None:
        with engine.begin() as db:
            pace.fire_due_timers(db)
            pace.forget_stale_lapses(db)
            outbox.claim(db, "remind", 100)

    found = {statement: plan for statement, plan in plans(engine, hand_out).items() if "limit" in statement}

    assert len(found) == 3
    for plan in found.values():
        assert re.search(r"Index Cond: .*kind = .*not_before <= ", plan), plan


def test_pruning_reads_what_is_old_and_not_the_outbox(large: tuple[str, Engine]) -> None:
    owner, engine = large
    fill(owner)

    found = plans(engine, lambda: prune(engine, clock.now()))

    (plan,) = [plan for statement, plan in found.items() if "o.done_at < " in statement]
    assert "outbox_settled" in plan
    assert "Seq Scan on outbox" not in plan
    # A day later a seventh of all is old.
    later = clock.now() + timedelta(days=1)
    while prune(engine, later):
        pass
    with engine.connect() as db:
        old = text("select count(*) filter (where state = 'dead'), count(*) from outbox where done_at < :then")
        failed, left = db.execute(old, {"then": later - EFFECTS}).one()
    assert failed == left > 0, "what has failed stays"


def test_an_event_that_its_game_knows_nothing_of_is_found_without_reading_the_log(large: tuple[str, Engine]) -> None:
    owner, engine = large
    as_owner = create_engine(owner.replace("postgresql:", "postgresql+psycopg:"))
    with as_owner.begin() as db:
        db.exec_driver_sql(LOG)
    as_owner.dispose()
    told: list[tuple[int, str]] = []

    def check() -> None:
        with engine.begin() as db:
            told.extend((each.seq, each.wrong) for each in discrepancies(db).values() if "is in the log" in each.wrong)

    found = plans(engine, check)

    assert told == [(EVENTS + 1, "it is in the log, and the game knows nothing of it")]
    assert read_whole({each: plan for each, plan in found.items() if "seq > g.version" in each}, "event") == []
