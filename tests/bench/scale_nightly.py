"""Compare the work of every night, hour and second in a database with a long past and in one with a short past."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from statistics import median
from time import perf_counter
from typing import Final

from sqlalchemy import text

from service.audit.derived_tables import discrepancies
from service.audit.inspect import examine
from service.shared import clock
from service.store import outbox
from service.store.pruning import prune
from service.views.operation import gauges
from tests.bench.figures import figure
from tests.bench.scale_side import Side, in_turn
from workers.proof import begin_night, plan_audit

SLOWER: Final = 1.5
NIGHTS, BATCHES, CLAIMS = 7, 9, 15
AUDITED: Final = 50
_NIGHT = text("select id from outbox where kind = 'night' and state = 'pending'")
_FORGET = text("delete from outbox where kind in ('night', 'audit')")
_NOT_DUE = text("delete from outbox where kind = 'turn-mail' and starts_with(dedupe_key, 'due:')")
_DUE = text("""
insert into outbox (dedupe_key, kind, game_id, payload)
select 'due:' || n, 'turn-mail', gen_random_uuid(), '{}' from generate_series(1, :rows) n
""")
_SOME = text("select id from game tablesample bernoulli (1) limit :most")


def main(large: Side, young: Side) -> None:
    """Print the ratios."""
    _audit(large)
    _compared("nightly_plan_ratio", _planned, large, young, NIGHTS)
    _compared("scrape_ratio", _scraped, large, young, CLAIMS)
    for each in (large, young):
        with each.runtime.engine.begin() as db:
            db.execute(text("set local statement_timeout = 0"))
            db.execute(_NOT_DUE)
            db.execute(_DUE, {"rows": 100 * CLAIMS})
    _compared("relay_claim_ratio", _claimed, large, young, CLAIMS)
    _compared("pruning_ratio", _pruned, large, young, BATCHES)


def _compared(name: str, work: Callable[[Side, int], object], large: Side, young: Side, rounds: int) -> None:
    one, other = in_turn(lambda number: work(large, number), lambda number: work(young, number), rounds)
    ms = {each.name: median(taken) * 1000 for each, taken in ((large, one), (young, other))}
    figure(name, median(one) / median(other), "1", SLOWER, 1.0, ms=ms)


def _planned(each: Side, _: int) -> None:
    engine = each.runtime.engine
    with engine.begin() as db:
        db.execute(_FORGET)
    begin_night(engine, clock.now())
    with engine.connect() as db:
        night = db.execute(_NIGHT).scalar_one()
    plan_audit(each.runtime, night)


def _scraped(each: Side, _: int) -> None:
    with each.runtime.engine.connect() as db:
        gauges(db)


def _claimed(each: Side, _: int) -> None:
    with each.runtime.engine.begin() as db:
        assert len(outbox.claim(db, "turn-mail", 100)) == 100


def _pruned(each: Side, number: int) -> None:
    prune(each.runtime.engine, clock.now() + timedelta(hours=number + 1))


def _audit(large: Side) -> None:
    """Check some games whole, and the derived tables of all: what was generated is what the service would have made."""
    begun = perf_counter()
    with large.runtime.engine.begin() as db:
        assert discrepancies(db) == {}
    taken = perf_counter() - begun
    with large.runtime.engine.begin() as db:
        some = db.execute(_SOME, {"most": AUDITED}).scalars().all()
        events = sum(examine(db, large.runtime.games, game) for game in some)
    figure("derived_tables_s", taken, "s", 60, 20, audited_games=len(some), audited_events=events)
