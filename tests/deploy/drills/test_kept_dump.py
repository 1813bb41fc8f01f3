"""The dump of a release, which `make kept-dump` makes, is one from which an upgrade can be tested."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path
from uuid import UUID

import psycopg
import pytest

from service.commands.audit import audit
from service.rules.registry import find_rulesets
from service.store.engine import build_engine
from service.store.games import Games
from service.store.migrations import upgrade
from service.store.revision import NEWEST
from tests.upgrade.keep import keep
from tests.upgrade.older import NotToBeHad

pytestmark = pytest.mark.slow


def test_a_kept_dump_has_a_game_that_is_over_and_two_that_go_on_and_all_of_them_hold(
    empty_database: Callable[[], tuple[str, str]], tmp_path: Path
) -> None:
    # when the newest commit is kept
    try:
        release = keep("HEAD", tmp_path)
    except NotToBeHad as why:
        pytest.skip(str(why))
    (dump,) = (tmp_path / "dumps").iterdir()
    assert dump.name == f"{NEWEST}-{release.commit}.sql.gz" == release.path.name
    # then its dump can be read, upgraded and audited
    owner, application = empty_database()
    with psycopg.connect(owner.replace("+psycopg", "")) as db:
        db.execute(gzip.decompress(dump.read_bytes()))
        found = dict(db.execute("select id::text, status from public.game").fetchall())
        assert found == {release.running: "running", release.finished: "finished", release.solo: "running"}
    upgrade(owner)
    engine = build_engine(application)
    checked = audit(Games(engine, find_rulesets()), list(map(UUID, found)), {})
    engine.dispose()
    assert (checked.games, checked.altered, checked.unchecked) == (3, [], 0)
    # and it is small
    assert dump.stat().st_size < 150_000
