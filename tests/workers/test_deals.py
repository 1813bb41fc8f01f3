"""Deals are committed to ahead, once, under the root of a day before theirs, which both verifiers can check."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from msgspec import convert
from sqlalchemy import text

import service.web
from service.audit.inspect import examine
from service.audit.seal_roots import altered_days
from service.players.solo import TRIES
from service.record.deal import DealProof, check_deal
from service.record.seal import read_keys
from service.record.verify import verify
from service.runtime import Runtime
from service.store import daily_deals
from service.store.games import Games
from service.views.daily_deals import proof_of
from service.views.proof import published_keys
from service.views.record import record_text
from tests.dealing import AFTER, DAY, FORGET, NOON, at, commit, counted, dealing, played, tried
from tests.people import alice
from tests.superuser import Tamper
from tests.workers.solo import state_of
from workers.competition import commit_ahead
from workers.effects import of_urgency
from workers.jobs import carry_out
from workers.proof import close_days
from workers.queue import QUEUES

__all__ = ["dealing"]

NODE = shutil.which("node")
VERIFIER = Path(service.web.__file__).parent / "static" / "verify.mjs"


@pytest.fixture
def unsealed(as_superuser: Tamper) -> Iterator[None]:
    """No seals, keys or roots of other tests."""
    as_superuser("truncate seal, seal_day, seal_key")
    yield
    as_superuser("truncate seal, seal_day, seal_key")


def rows_of(runtime: Runtime, kind: str) -> list[int]:
    with runtime.engine.connect() as db:
        return list(db.execute(text("select id from outbox where kind = :kind order by id"), {"kind": kind}).scalars())


def test_upkeeps_that_run_at_once_commit_to_each_of_the_next_days_once(dealing: Runtime) -> None:
    before = DAY - timedelta(hours=12)
    with at(before), ThreadPoolExecutor(4) as several:
        list(several.map(lambda _: commit_ahead(dealing, before + timedelta(days=30)), range(8)))
    with dealing.engine.connect() as db:
        days = db.execute(text("select day from deal order by day")).scalars().all()
    first = [DAY.date() + timedelta(days=ahead) for ahead in (-1, 0, 1)]
    wanted = [*first, *(date(2026, 4, day) for day in (3, 4))]
    assert days == wanted


def test_a_new_service_has_a_deal_at_once_and_makes_up_for_none_later(dealing: Runtime, as_superuser: Tamper) -> None:
    as_superuser(FORGET)
    noon, later = DAY + timedelta(hours=12), DAY + timedelta(days=40)
    for now in (noon, later):
        with at(now):
            commit_ahead(dealing, now)
    with dealing.engine.connect() as db:
        days = db.execute(text("select day from deal order by day")).scalars().all()
    assert [(day - DAY.date()).days for day in days] == [0, 1, 2, 41, 42]


def test_without_a_key_for_seals_there_are_no_deals(dealing: Runtime) -> None:
    commit_ahead(replace(dealing, signer=None), DAY + timedelta(days=60))
    with dealing.engine.connect() as db:
        assert daily_deals.find(db, DAY.date() + timedelta(days=61)) is None


def test_no_move_of_a_computer_player_waits_behind_anything_else() -> None:
    assert of_urgency(*QUEUES["computers"]) == ["computer"]


def test_the_best_known_result_is_computed_in_steps_and_the_same_again(
    dealing: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = rows_of(dealing, "deal-best")[-2]
    found, steps = [], []
    for seconds in (600.0, 0.0):
        monkeypatch.setattr("workers.competition.SECONDS", seconds)
        steps.append(0)
        while state_of(dealing, row)[0] == "pending":
            carry_out(dealing, row)
            steps[-1] += 1
        with dealing.engine.begin() as db:
            deal = daily_deals.find(db, DAY.date())
            change = "update outbox set state = 'pending', payload = payload - 'tried' where id = :row"
            db.execute(text(change), {"row": row})
        assert deal is not None
        found.append(deal.best)
    assert found[0] == found[1]
    assert steps == [1, 2 * TRIES], "a game at a time where there is no more time"
    assert found[0] is not None
    assert found[0]["level"] in {"hard", "normal"}


def test_a_result_is_counted_once_whatever_is_killed(dealing: Runtime, games: Games) -> None:
    me = alice(games)
    game = played(games, tried(games, me)).game.id
    for _ in range(2):
        counted(dealing, games, game)
    with dealing.engine.begin() as db:
        own = daily_deals.try_of(db, DAY.date(), me.id)
        examine(db, games, game)
    assert own is not None
    assert (own.ended_at, own.won) == (NOON, own.margin is not None and own.margin > 0)


@pytest.mark.usefixtures("unsealed")
def test_both_verifiers_find_the_seed_committed_to_the_day_before_under_a_root(
    dealing: Runtime, games: Games, as_superuser: Tamper, tmp_path: Path
) -> None:
    as_superuser("truncate deal_seed, deal_try, deal_tally, deal_standing, deal")
    commit(dealing)
    close_days(dealing.engine, DAY + timedelta(hours=2))
    position = played(games, tried(games, alice(games)))
    with at(NOON):
        carry_out(dealing, rows_of(dealing, "seal")[-1])
    with dealing.engine.begin() as db:
        record = record_text(db, games, position.game.id)
        proof, keys = proof_of(db, DAY.date(), AFTER), published_keys(db)
        assert list(altered_days(db)) == []
    assert proof["tree"]["day"] < DAY.date().isoformat()
    assert found(record, games, proof, keys, tmp_path) == [True, True]
    tree = proof["tree"]
    lies: list[Mapping[str, Any]] = [
        {"commitment": "00" * 32},
        {"options": {}},
        {"signature": "00" * 64},
        {"at": NOON.isoformat()},
        {"at": "1900-01-01T00:00:00+00:00"},
        {"tree": {**tree, "root": "00" * 32}},
        {"tree": {**tree, "day": DAY.date().isoformat()}},
    ]
    for lie in lies:
        assert found(record, games, proof | lie, keys, tmp_path) == [False, False], lie
    assert found(record, games, proof | {"tree": None}, keys, tmp_path) == [None, None]


def found(record: bytes, games: Games, proof: Mapping[str, Any], keys: Mapping[str, Any], folder: Path) -> list[object]:
    """Return both verifiers' findings on the deal of a record; without Node the answer of one stands for both."""
    ours = check_deal(
        record,
        verify(record, games.rulesets, list(read_keys(keys))),
        [convert(proof, DealProof)],
        list(read_keys(keys)),
    )
    assert [each.level for each in ours.findings] == ["form", "chain", "seal", "draws", "rules", "deal"]
    assert all(each.holds for each in ours.findings[:-1])
    came = [ours.findings[-1].holds]
    if NODE is None:
        return came * 2
    for name, what in (("record", record), ("keys", json.dumps(keys).encode()), ("deal", json.dumps(proof).encode())):
        (folder / name).write_bytes(what)
    run = subprocess.run(
        [NODE, str(VERIFIER), *(str(folder / name) for name in ("record", "keys", "deal"))],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    last = run.stdout.splitlines()[-1]
    assert last.startswith("deal holds: "), run.stdout + run.stderr
    said = last.removeprefix("deal holds: ").split(";")[0]
    return [*came, {"true": True, "false": False, "not checked": None}[said]]
